import { SYSTEM_PROGRAM } from '../../src/model/program.ts';
import type { Address } from '../../src/model/units.ts';
import type { World } from '../market/world.ts';
import type { Random } from '../random/random.ts';

/** Remaining balance of a wallet with a history. */
const LAMPORTS = { least: 150_000_000, most: 2_000_000_000 } as const;

/** Wallets that existed before the first slot, for scenarios that need older wallets. */
export class Veterans {
  private readonly world: World;
  private readonly waiting: Address[];

  /** Adds `count` wallets with lamports. To be called before the first slot. */
  constructor(world: World, random: Random, count: number) {
    this.world = world;
    this.waiting = Array.from({ length: count }, () => {
      const wallet = world.keyring.wallet();
      const lamports = BigInt(LAMPORTS.least + random.below(LAMPORTS.most - LAMPORTS.least));
      const account = { lamports, program: SYSTEM_PROGRAM, mint: null, token: null, state: null };
      world.chain.ledger.set(wallet, account);
      return wallet;
    });
  }

  /** Takes a wallet with a history; opens a new one if none are left. */
  take(): Address {
    return this.waiting.pop() ?? this.world.keyring.wallet();
  }
}
