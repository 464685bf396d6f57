import type { Address } from '../../src/model/units.ts';
import type { Chain, ProducedBlock } from '../chain/chain.ts';
import type { Keyring } from '../chain/keyring.ts';
import type { MarketFact } from '../chain/market-fact.ts';
import type { TransactionRequest } from '../chain/run-transaction.ts';
import type { SimulatedBlock, SimulatedTransaction } from '../chain/simulated-transaction.ts';
import type { ScheduledSlot, SlotSchedule } from '../chain/slot-schedule.ts';
import { TokenAccounts } from '../programs/associated-token.ts';
import type { TokenText } from '../programs/token-text.ts';
import type { Random } from '../random/random.ts';
import type { TruthBook } from '../truth/truth-book.ts';
import type { Market } from '../venues/market.ts';
import { FIRST_STYLE, type TradeStyles } from '../venues/trade-style.ts';
import { Mempool, type OrderGroup, type SignedOrder } from './mempool.ts';
import type { Order, Placement, SentOrder } from './order.ts';
import { Timeline } from './timeline.ts';

/** What an observer of every branch sees of the chain. */
export interface ChainStep {
  readonly block: SimulatedBlock;
  /** False for a block of a branch that was dropped later. */
  readonly isCanonical: boolean;
}

export interface WorldOptions {
  readonly chain: Chain;
  readonly schedule: SlotSchedule;
  readonly random: Random;
  readonly truth: TruthBook;
  /** Maximum number of non-vote transactions per block. */
  readonly blockCapacity: number;
  readonly forks: ForkOptions;
  /** How wallets call pump's programs; default the first form for all. */
  readonly tradeStyleOf?: TradeStyles;
  /** Slots without any orders have no block, and cost next to nothing. */
  readonly skipsIdleSlots?: boolean;
  /** Adds what every block contains besides orders, such as votes. */
  readonly extraGroups?: (slot: ScheduledSlot) => readonly (readonly TransactionRequest[])[];
}

/** Called for every fact that a pool reports in canonical blocks, when the block is produced. */
export type PoolWatcher = (fact: MarketFact, seen: SeenTransaction) => void;

export interface SeenTransaction {
  readonly transaction: SimulatedTransaction;
  readonly slot: number;
  /** Index in the block. */
  readonly txIndex: number;
}

export type TokenListener = (mint: Address, text: TokenText) => void;

export interface ForkOptions {
  /** Share of slots at which a branch begins that is dropped later. */
  readonly rate: number;
  readonly maxLength: number;
}

/**
 * The chain and all its participants, who schedule actions (`at`, `after`) and send orders; each
 * call of `step` advances one slot.
 */
export class World {
  readonly chain: Chain;
  readonly random: Random;
  readonly truth: TruthBook;
  readonly tokenAccounts: TokenAccounts;
  readonly keyring: Keyring;
  readonly mempool: Mempool;
  readonly tradeStyleOf: TradeStyles;
  private readonly options: WorldOptions;
  private readonly timeline = new Timeline();
  private readonly marketsByMint = new Map<Address, Market[]>();
  private readonly watchers = new Map<Address, PoolWatcher[]>();
  /** True from the start of the first slot on. */
  hasBegun = false;
  private tokenListener: TokenListener | null = null;
  private clockMs: number;
  private currentSlot: number;
  private branch: { left: number; blocks: ProducedBlock[]; groups: OrderGroup[] } | null = null;

  constructor(options: WorldOptions) {
    this.options = options;
    this.chain = options.chain;
    this.random = options.random;
    this.truth = options.truth;
    this.tradeStyleOf = options.tradeStyleOf ?? (() => FIRST_STYLE);
    this.keyring = options.chain.keyring;
    this.tokenAccounts = new TokenAccounts(this.keyring);
    this.mempool = new Mempool(options.random.fork('mempool'));
    this.clockMs = options.schedule.nextStartMs;
    this.currentSlot = options.chain.slot;
  }

  /** Milliseconds since 1970, within the current slot. */
  get nowMs(): number {
    return this.clockMs;
  }

  get slot(): number {
    return this.currentSlot;
  }

  /** Runs an action at a time, or immediately if that time has passed. */
  at(timeMs: number, action: () => void): void {
    this.timeline.add(Math.max(timeMs, this.clockMs), action);
  }

  after(delayMs: number, action: () => void): void {
    this.at(this.clockMs + delayMs, action);
  }

  /** Registers a pool. The ledger determines whether it is open. */
  addMarket(market: Market): void {
    const known = this.marketsByMint.get(market.baseMint);
    if (known === undefined) this.marketsByMint.set(market.baseMint, [market]);
    else known.push(market);
  }

  /** Sets the listener that is called for every new token, before its creation is sent. */
  onToken(listener: TokenListener): void {
    this.tokenListener = listener;
  }

  readToken(mint: Address, text: TokenText): void {
    this.tokenListener?.(mint, text);
  }

  /** All pools of a mint, oldest first. */
  marketsOf(mint: Address): readonly Market[] {
    return this.marketsByMint.get(mint) ?? [];
  }

  /** The newest pool of a mint that accepts trades, or null. */
  openMarketOf(mint: Address): Market | null {
    return this.marketsOf(mint).findLast((market) => market.isOpen(this.chain.ledger)) ?? null;
  }

  watch(pool: Address, watcher: PoolWatcher): void {
    this.watchers.set(pool, [...(this.watchers.get(pool) ?? []), watcher]);
  }

  unwatch(pool: Address, watcher: PoolWatcher): void {
    const left = (this.watchers.get(pool) ?? []).filter((other) => other !== watcher);
    if (left.length === 0) this.watchers.delete(pool);
    else this.watchers.set(pool, left);
  }

  send(order: Order, placement?: Placement): SentOrder {
    return this.sendBundle([order], placement);
  }

  /** Sends orders that are included consecutively in one block, or not at all. */
  sendBundle(orders: readonly Order[], placement?: Placement): SentOrder {
    const members = orders.map((order) => this.sign(order));
    return this.mempool.send(members, this.currentSlot, placement);
  }

  /** Advances one slot. Null if it has no block. */
  step(): ChainStep | null {
    if (this.isIdle) this.passIdleTime();
    const slot = this.options.schedule.next();
    this.hasBegun = true;
    this.currentSlot = slot.slot;
    this.passTime(slot);
    if (slot.isSkipped || this.isIdle) return null;
    this.decideBranch();
    return this.branch === null ? this.makeBlock(slot) : this.makeBranchBlock(slot, this.branch);
  }

  private get isIdle(): boolean {
    return this.options.skipsIdleSlots === true && this.mempool.size === 0 && this.branch === null;
  }

  /** Skips to the next scheduled action. */
  private passIdleTime(): void {
    const { nextMs } = this.timeline;
    if (nextMs !== null) this.options.schedule.passUntil(nextMs);
  }

  private passTime(slot: ScheduledSlot): void {
    this.clockMs = slot.startMs;
    for (;;) {
      const next = this.timeline.takeBefore(slot.endMs);
      if (next === null) break;
      this.clockMs = Math.max(this.clockMs, next.timeMs);
      next.action();
    }
    this.clockMs = slot.endMs;
  }

  private decideBranch(): void {
    const { rate, maxLength } = this.options.forks;
    if (this.branch?.left === 0) this.dropBranch(this.branch.blocks, this.branch.groups);
    else if (this.branch === null && this.random.chance(rate)) {
      this.branch = { left: 1 + this.random.below(maxLength), blocks: [], groups: [] };
    }
  }

  /** The network settles on the block from which the branch started; its orders are sent again. */
  private dropBranch(blocks: readonly ProducedBlock[], groups: readonly OrderGroup[]): void {
    for (const block of blocks.toReversed()) this.chain.takeBack(block);
    this.mempool.putBack(groups);
    this.branch = null;
  }

  private makeBranchBlock(
    slot: ScheduledSlot,
    branch: { left: number; blocks: ProducedBlock[]; groups: OrderGroup[] },
  ): ChainStep {
    const { placed, expired } = this.mempool.take(slot.slot, this.options.blockCapacity);
    this.mempool.putBack(expired);
    const produced = this.produce(slot, placed);
    branch.left--;
    branch.blocks.push(produced);
    branch.groups.push(...placed);
    return { block: produced.block, isCanonical: false };
  }

  private makeBlock(slot: ScheduledSlot): ChainStep {
    const { placed, expired } = this.mempool.take(slot.slot, this.options.blockCapacity);
    const produced = this.produce(slot, placed);
    this.truth.applyBlock(produced.block);
    this.notify(produced, placed);
    this.notifyWatchers(produced.block);
    for (const { members } of expired) for (const { order } of members) order.onDropped?.();
    return { block: produced.block, isCanonical: true };
  }

  /**
   * Votes and other extra groups come after the orders, which keeps the positions of order groups.
   */
  private produce(slot: ScheduledSlot, placed: readonly OrderGroup[]): ProducedBlock {
    const { slot: number, unixTime, leader } = slot;
    const groups = placed.map(({ members }) => members.map(({ request }) => request));
    const extra = this.options.extraGroups?.(slot) ?? [];
    return this.chain.produce({ slot: number, unixTime, leader, groups: [...groups, ...extra] });
  }

  private notify({ block, landings }: ProducedBlock, placed: readonly OrderGroup[]): void {
    let txIndex = 0;
    placed.forEach(({ members }, index) => {
      const landing = landings[index] ?? null;
      members.forEach(({ order }, position) => {
        const transaction = landing?.[position];
        if (transaction === undefined) {
          order.onDropped?.();
          return;
        }
        const { facts, signatures, error } = transaction;
        const [signature = ''] = signatures;
        order.onLanded?.({ signature, facts, slot: block.slot, txIndex, isFailed: error !== null });
        txIndex++;
      });
    });
  }

  private notifyWatchers({ slot, transactions }: SimulatedBlock): void {
    transactions.forEach((transaction, txIndex) => {
      for (const fact of transaction.facts) {
        const pool = fact.kind === 'migrate' ? fact.fromPool : fact.pool;
        for (const watcher of this.watchers.get(pool) ?? []) {
          watcher(fact, { transaction, slot, txIndex });
        }
      }
    });
  }

  private sign(order: Order): SignedOrder {
    const signatureCount = 1 + (order.signers?.length ?? 0);
    return {
      order,
      request: {
        signatures: Array.from({ length: signatureCount }, () => this.keyring.signature()),
        feePayer: order.feePayer,
        recentBlockhash: this.chain.blockhash,
        computeBudget: order.computeBudget ?? null,
        tables: order.version === 0 ? this.chain.tables : null,
        build: order.build,
      },
    };
  }
}
