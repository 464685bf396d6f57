import { SYSTEM_PROGRAM } from '../../src/model/program.ts';
import type { Address } from '../../src/model/units.ts';
import type { World } from '../market/world.ts';
import type { Random } from '../random.ts';

/** What a wallet with a past still holds. */
const LAMPORTS = { least: 150_000_000, most: 2_000_000_000 } as const;

/** Wallets that were there before the first slot, bought by whoever wants to look older. */
export class Veterans {
  private readonly world: World;
  private readonly waiting: Address[];

  /** Gives `count` wallets lamports of their own. Only before the first slot. */
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

  /** A wallet with a past; a new one when there are none left. */
  take(): Address {
    return this.waiting.pop() ?? this.world.keyring.wallet();
  }
}
