import { Chain } from '../../simulator/chain/chain.ts';
import { Keyring } from '../../simulator/chain/keyring.ts';
import { SlotSchedule } from '../../simulator/chain/slot-schedule.ts';
import { type ChainStep, World } from '../../simulator/market/world.ts';
import { ensureTokenAccount } from '../../simulator/programs/associated-token.ts';
import { createAccount, transferLamports } from '../../simulator/programs/system.ts';
import {
  initializeMint,
  MINT_SPACE,
  mintTokens,
  transferTokensChecked,
} from '../../simulator/programs/token.ts';
import { Random } from '../../simulator/random/random.ts';
import { TruthBook } from '../../simulator/truth/truth-book.ts';
import {
  ASSOCIATED_TOKEN_PROGRAM,
  SPL_TOKEN_PROGRAM,
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
} from '../../src/model/program.ts';
import type { Address } from '../../src/model/units.ts';

export interface TransferMarketOptions {
  readonly seed?: string;
  readonly firstSlot?: number;
  readonly skipRate?: number;
  readonly forkRate?: number;
  readonly forkSlotsMax?: number;
  /** Transfers sent in each slot. */
  readonly transfersPerSlot?: number;
  /** Share of transfers that are v0 with a lookup table. */
  readonly tableShare?: number;
}

const FEE = { feeBps: 125, maxFeeRaw: 5_000n };

/** A chain on which wallets only send each other lamports and tokens of two mints. */
export class TransferMarket {
  readonly world: World;
  readonly wallets: readonly Address[];
  /** A mint of the SPL program, and one of Token-2022 with a transfer fee. */
  readonly plainMint: Address;
  readonly feeMint: Address;
  private readonly random: Random;
  private readonly transfersPerSlot: number;
  private readonly tableShare: number;

  constructor(options: TransferMarketOptions = {}) {
    const { seed = '7', firstSlot = 1_000, skipRate = 0.05, forkRate = 0 } = options;
    const random = new Random(`transfers ${seed}`);
    this.random = random.fork('sending');
    this.transfersPerSlot = options.transfersPerSlot ?? 6;
    this.tableShare = options.tableShare ?? 0.3;
    const keyring = new Keyring(random.fork('keyring'));
    this.wallets = Array.from({ length: 12 }, () => keyring.wallet());
    const table = {
      address: keyring.account(),
      entries: [...this.wallets, SYSTEM_PROGRAM, SPL_TOKEN_PROGRAM, ASSOCIATED_TOKEN_PROGRAM],
    };
    const blockhashes = new Keyring(random.fork('blockhashes'));
    const chain = new Chain(keyring, blockhashes, firstSlot, [table]);
    const schedule = new SlotSchedule(random.fork('schedule'), {
      firstSlot,
      startMs: Date.UTC(2026, 0, 1),
      paces: [{ fromSlot: 0, slotMs: 400 }],
      leaders: Array.from({ length: 4 }, () => keyring.wallet()),
      skipRate,
    });
    this.world = new World({
      chain,
      schedule,
      random: random.fork('world'),
      truth: new TruthBook(),
      blockCapacity: 200,
      forks: { rate: forkRate, maxLength: options.forkSlotsMax ?? 3 },
    });
    for (const wallet of this.wallets) {
      chain.ledger.set(wallet, { ...chain.ledger.get(wallet), lamports: 10n ** 12n });
    }
    this.plainMint = keyring.account();
    this.feeMint = keyring.account();
    // Sent inside the first slot: an earlier order would belong to slot 0 and be too old.
    this.world.at(0, () => {
      this.sendMint(this.plainMint, SPL_TOKEN_PROGRAM);
      this.sendMint(this.feeMint, TOKEN_2022_PROGRAM);
    });
  }

  step(): ChainStep | null {
    const step = this.world.step();
    for (let sent = 0; sent < this.transfersPerSlot; sent++) this.sendTransfer();
    return step;
  }

  private sendMint(mint: Address, program: Address): void {
    const [authority] = this.wallets as [Address];
    const { tokenAccounts } = this.world;
    this.world.send({
      feePayer: authority,
      signers: [mint],
      build: (execution) => {
        createAccount(execution, authority, mint, MINT_SPACE, program);
        const settings = { decimals: 6, mintAuthority: authority, freezeAuthority: null };
        const fee = program === TOKEN_2022_PROGRAM ? FEE : null;
        initializeMint(execution, program, mint, settings, fee);
        const to = ensureTokenAccount(execution, tokenAccounts, authority, authority, mint);
        mintTokens(execution, { mint, to, authority, amountRaw: 10n ** 15n });
      },
    });
  }

  /** Every fourth moves tokens of the first wallet; some exceed the balance and fail. */
  private sendTransfer(): void {
    const { random, wallets, world } = this;
    const from = random.pick(wallets);
    const to = random.pick(wallets);
    const version = random.chance(this.tableShare) ? 0 : 'legacy';
    if (random.chance(0.25)) {
      this.sendTokens(to, random.chance(0.5) ? this.plainMint : this.feeMint, version);
      return;
    }
    const lamports = random.chance(0.1) ? 10n ** 15n : BigInt(1 + random.below(1_000_000));
    world.send({
      feePayer: from,
      version,
      computeBudget: { unitLimit: 200_000, priceMicroLamports: 1_000n },
      build: (execution) => transferLamports(execution, from, to, lamports),
    });
  }

  private sendTokens(to: Address, mint: Address, version: 'legacy' | 0): void {
    const { tokenAccounts } = this.world;
    const [authority] = this.wallets as [Address];
    const amountRaw = BigInt(1 + this.random.below(1_000_000));
    this.world.send({
      feePayer: authority,
      version,
      build: (execution) => {
        if (execution.ledger.get(mint).mint === null) return;
        const target = ensureTokenAccount(execution, tokenAccounts, authority, to, mint);
        const source = tokenAccounts.of(authority, mint);
        transferTokensChecked(execution, { from: source, to: target, authority, amountRaw });
      },
    });
  }
}

/** The chain as a node runs it, and all steps it has made so far. */
export function recordedChain(chain: TransferMarket) {
  const steps: ChainStep[] = [];
  const step = (): ChainStep | null => {
    const made = chain.step();
    if (made !== null) steps.push(made);
    return made;
  };
  return { steps, simulation: { world: chain.world, step } };
}
