import { paying, signing, writable } from '../../simulator/chain/account-use.ts';
import { Chain } from '../../simulator/chain/chain.ts';
import { type Execution, ProgramFailure } from '../../simulator/chain/execution.ts';
import { Keyring } from '../../simulator/chain/keyring.ts';
import type { Account, TransferFee } from '../../simulator/chain/ledger.ts';
import { SlotSchedule } from '../../simulator/chain/slot-schedule.ts';
import { Validators } from '../../simulator/chain/votes.ts';
import type { Order } from '../../simulator/market/order.ts';
import { type ChainStep, World } from '../../simulator/market/world.ts';
import {
  ensureTokenAccount,
  unwrapLamports,
  wrapLamports,
} from '../../simulator/programs/associated-token.ts';
import { createAccount, transferLamports } from '../../simulator/programs/system.ts';
import {
  burnTokens,
  closeTokenAccount,
  initializeMint,
  MINT_SPACE,
  mintTokens,
  setMintAuthority,
  transferTokens,
  transferTokensChecked,
} from '../../simulator/programs/token.ts';
import { Random } from '../../simulator/random/random.ts';
import { TruthBook } from '../../simulator/truth/truth-book.ts';
import {
  SPL_TOKEN_PROGRAM,
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
  WRAPPED_SOL,
} from '../../src/model/program.ts';
import type { Address } from '../../src/model/units.ts';

export const FEE: TransferFee = { feeBps: 150, maxFeeRaw: 5_000_000n };
export const MINTED_RAW = 2_000_000_000n;

/** Options of a small market. */
export interface SmallMarketOptions {
  readonly seed: string;
  readonly wallets?: number;
  readonly ordersPerSlot?: number;
  readonly votes?: number;
  readonly skipRate?: number;
  readonly forkRate?: number;
  readonly firstSlot?: number;
}

/**
 * Wallets that send each other lamports and tokens of two mints, one with a transfer fee, wrap and
 * unwrap, burn, close accounts, call a program that calls others, act in bundles, and fail at each
 * of these: every form of transaction without a venue.
 */
export class SmallMarket {
  readonly world: World;
  readonly truth: TruthBook;
  readonly wallets: readonly Address[];
  readonly mints: readonly Address[];
  readonly router: Address;
  private readonly random: Random;
  private readonly ordersPerSlot: number;
  private urgency = 1e200;

  constructor(options: SmallMarketOptions) {
    const { seed, wallets = 30, ordersPerSlot = 20, votes = 3, firstSlot = 400_000_000 } = options;
    const root = new Random(seed);
    const keyring = new Keyring(root);
    this.mints = [keyring.account(), keyring.account()];
    this.router = keyring.account();
    const table = {
      address: keyring.account(),
      entries: [...this.mints, SPL_TOKEN_PROGRAM, TOKEN_2022_PROGRAM, this.router, SYSTEM_PROGRAM],
    };
    const chain = new Chain(keyring, new Keyring(root.fork('blocks')), firstSlot, [table]);
    const validators = new Validators(chain, root.fork('validators'), Math.max(votes, 1));
    this.wallets = Array.from({ length: wallets }, () => keyring.wallet());
    for (const wallet of this.wallets) chain.ledger.set(wallet, accountOf(3_000_000_000n));
    const wrapped = { decimals: 9, supplyRaw: 0n, mintAuthority: null, freezeAuthority: null };
    chain.ledger.set(WRAPPED_SOL, {
      ...accountOf(1_461_600n),
      program: SPL_TOKEN_PROGRAM,
      mint: { ...wrapped, transferFee: null },
    });
    this.random = root.fork('orders');
    this.ordersPerSlot = ordersPerSlot;
    this.truth = new TruthBook();
    this.world = new World({
      chain,
      random: root.fork('world'),
      truth: this.truth,
      blockCapacity: 60,
      forks: { rate: options.forkRate ?? 0.1, maxLength: 3 },
      extraGroups: (slot) => (votes === 0 ? [] : validators.votes(slot)),
      schedule: new SlotSchedule(root.fork('slots'), {
        firstSlot,
        startMs: Date.UTC(2026, 0, 1),
        paces: [{ fromSlot: 0, slotMs: 400 }],
        leaders: validators.identities,
        skipRate: options.skipRate ?? 0.05,
      }),
    });
    for (const mint of this.mints) this.createMint(mint);
  }

  step(): ChainStep | null {
    for (let count = 0; count < this.ordersPerSlot; count++) {
      if (this.random.chance(0.1)) {
        this.world.sendBundle([this.order(), this.order(), this.order()]);
      } else this.world.send(this.order());
    }
    return this.world.step();
  }

  /** Blocks of all branches, in order of production. */
  steps(slots: number): ChainStep[] {
    const steps: ChainStep[] = [];
    for (let passed = 0; passed < slots; passed++) {
      const step = this.step();
      if (step !== null) steps.push(step);
    }
    return steps;
  }

  private createMint(mint: Address): void {
    const [authority = mint] = this.wallets;
    const isFeeMint = mint === this.mints[1];
    const program = isFeeMint ? TOKEN_2022_PROGRAM : SPL_TOKEN_PROGRAM;
    const settings = { decimals: 6, mintAuthority: authority, freezeAuthority: null };
    this.sendFirst(authority, [mint], (execution) => {
      createAccount(execution, authority, mint, MINT_SPACE, program);
      initializeMint(execution, program, mint, settings, isFeeMint ? FEE : null);
    });
    for (let first = 0; first < this.wallets.length; first += 4) {
      const owners = this.wallets.slice(first, first + 4);
      this.sendFirst(authority, [], (execution) => {
        for (const owner of owners) this.mintTo(execution, authority, owner, mint);
      });
    }
    if (isFeeMint) return;
    this.sendFirst(authority, [], (execution) =>
      setMintAuthority(execution, mint, 'mint', authority, null),
    );
  }

  private mintTo(execution: Execution, authority: Address, owner: Address, mint: Address): void {
    const { tokenAccounts } = this.world;
    const to = ensureTokenAccount(execution, tokenAccounts, authority, owner, mint);
    mintTokens(execution, { mint, to, authority, amountRaw: MINTED_RAW });
  }

  /** Sends before all later orders, in the order of the calls. */
  private sendFirst(
    feePayer: Address,
    signers: readonly Address[],
    build: (execution: Execution) => void,
  ): void {
    this.urgency /= 1_000;
    this.world.send({ feePayer, signers, priority: this.urgency, build });
  }

  private order(): Order {
    const { random } = this;
    const feePayer = random.pick(this.wallets);
    const other = random.pick(this.wallets);
    const mint = random.pick(this.mints);
    const amountRaw = BigInt(random.below(1_000_000_000));
    const budget = { unitLimit: 200_000, priceMicroLamports: BigInt(random.below(100_000)) };
    return {
      feePayer,
      version: random.chance(0.5) ? 0 : 'legacy',
      computeBudget: random.chance(0.7) ? budget : null,
      priority: random.below(100_000),
      build: random.pick(this.actions(feePayer, other, mint, amountRaw)),
    };
  }

  private actions(
    from: Address,
    to: Address,
    mint: Address,
    amountRaw: bigint,
  ): readonly ((execution: Execution) => void)[] {
    const { tokenAccounts } = this.world;
    const source = tokenAccounts.of(from, mint);
    const isRefused = this.random.chance(0.2);
    const send = (execution: Execution): void => {
      const target = ensureTokenAccount(execution, tokenAccounts, from, to, mint);
      const move = { from: source, to: target, authority: from, amountRaw };
      if (mint === this.mints[0]) transferTokens(execution, move);
      else transferTokensChecked(execution, move);
    };
    return [
      (execution) => transferLamports(execution, from, to, amountRaw),
      send,
      send,
      (execution) => this.route(execution, from, isRefused, () => send(execution)),
      (execution) => burnTokens(execution, { from: source, authority: from, amountRaw }),
      (execution) => closeTokenAccount(execution, source, from, from),
      (execution) => {
        wrapLamports(execution, tokenAccounts, from, amountRaw);
      },
      (execution) => {
        wrapLamports(execution, tokenAccounts, from, amountRaw);
        unwrapLamports(execution, tokenAccounts, from);
      },
    ];
  }

  /** Two programs deep; the inner one may fail after the work is done. */
  private route(
    execution: Execution,
    trader: Address,
    isRefused: boolean,
    inner: () => void,
  ): void {
    const accounts = [paying(trader), writable(this.router)];
    execution.invoke(this.router, accounts, Uint8Array.of(1, 2, 3), () => {
      execution.invoke(this.router, [signing(trader)], Uint8Array.of(), () => {
        inner();
        execution.log('routed');
        if (isRefused) throw new ProgramFailure(6_001, 'slippage exceeded');
      });
    });
  }
}

function accountOf(lamports: bigint): Account {
  return { lamports, program: SYSTEM_PROGRAM, mint: null, token: null, state: null };
}
