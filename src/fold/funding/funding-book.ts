import type { AddressIds } from '../../lib/address-ids.ts';
import { IdRows } from '../../lib/id-rows.ts';
import type { RecentById } from '../../lib/recent-by-id.ts';
import { RowTable } from '../../lib/row-table.ts';
import { UndoLog } from '../../lib/undo-log.ts';
import type { AddressClass, AddressRegistry } from '../../model/address-registry.ts';
import type { Venue } from '../../model/program.ts';
import { type Address, asLamports, asSlot, type Lamports, type Slot } from '../../model/units.ts';
import type { Moment } from '../market/logical-time.ts';
import { FAN_OUT_MS, FanOutBook, HUB_RECIPIENTS_A_DAY } from './fan-out-book.ts';
import { FeeAccountWatch, type LearnedFeeAccount } from './fee-account-watch.ts';
import { edgesOf, type FundingEdge, strengthen } from './funding-edges.ts';
import { FUNDING_LAYOUT } from './funding-row.ts';
import { IdQueue } from './id-queue.ts';
import { SponsorWatch } from './sponsor-watch.ts';

/** Payments below this are dust and rent. */
export const FUNDING_LAMPORTS_MIN = 2_000_000n;
/** Amounts of lamports fit 64 bits; a larger amount is not a payment. */
const LAMPORTS_MAX = 2n ** 64n - 1n;
/** A wallet that has not traded this long after its first payment is removed. */
const FORGET_AFTER_MS = 48 * 3_600_000;
/** Rows checked per slot; bounds the time of one slot. */
const FORGET_STEP = 256;

/** Classes and fan-outs that are kept: those of the wallets of some thousand cases. */
const RECENT_CLASSES_MAX = 2 ** 17;
const RECENT_FAN_OUTS_MAX = 2 ** 16;

const FIELD = FUNDING_LAYOUT.fields;

/** Payments to and from these classes are fees, tips or rewards, not funding. */
const NO_FUNDING: ReadonlySet<AddressClass> = new Set([
  'burn',
  'pool',
  'locker',
  'launchpad',
  'router',
  'tip',
  'protocol_fee',
  'terminal_fee',
]);

/** These classes fund unrelated wallets, so a common funder of this kind links nothing. */
const SHARED: ReadonlySet<AddressClass> = new Set(['cex', 'bridge', 'sponsor']);

/** How many wallets an address paid in 7 days, and the times at which that is so. */
interface FanOut {
  readonly count: number;
  readonly fromMs: number;
  /** Exclusive. */
  readonly untilMs: number;
}

/** One payment of SOL between two wallets. */
export interface Payment {
  readonly from: Address;
  readonly to: Address;
  readonly lamports: Lamports;
}

/** The first payment to a wallet within the stored history. */
export interface FirstFunding {
  readonly funder: Address;
  readonly lamports: Lamports;
  readonly slot: Slot;
  readonly timeMs: number;
}

/**
 * The sources of wallets' SOL (METHODS §7.1): the first funder and the four strongest funders of
 * each wallet, and the funders that pay so many wallets that a common funder is no evidence of a
 * link. Wallets that do not trade within two days are removed.
 */
export class FundingBook {
  private readonly ids: AddressIds<Address>;
  private readonly registry: AddressRegistry;
  private readonly rows: RowTable;
  private readonly index: IdRows;
  private readonly fanOuts: FanOutBook;
  private readonly sponsors: SponsorWatch;
  private readonly feeAccounts: FeeAccountWatch;
  /** Wallets in the order of their first payments. */
  private readonly newcomers: IdQueue;
  private readonly undo: UndoLog;
  readonly #classes: RecentById<AddressClass | 'hub' | null>;
  readonly #fanOutsRead: RecentById<FanOut>;

  constructor(ids: AddressIds<Address>, registry: AddressRegistry, undo = new UndoLog()) {
    this.ids = ids;
    this.undo = undo;
    this.registry = registry;
    this.#classes = ids.createRecent(RECENT_CLASSES_MAX);
    this.#fanOutsRead = ids.createRecent(RECENT_FAN_OUTS_MAX);
    this.rows = new RowTable(FUNDING_LAYOUT, undo, 'funding of wallets');
    this.index = new IdRows(undo, 'funding by wallet');
    this.fanOuts = new FanOutBook(undo);
    this.sponsors = new SponsorWatch(ids, undo);
    this.feeAccounts = new FeeAccountWatch(ids, undo);
    this.newcomers = new IdQueue(undo, 'newly funded wallets');
  }

  /** Applies a system transfer. Returns false for fees, tips and dust, which are ignored. */
  applyPayment({ from, to, lamports }: Payment, at: Moment): boolean {
    if (lamports < FUNDING_LAMPORTS_MIN || lamports > LAMPORTS_MAX || from === to) return false;
    if (this.isNoFunding(from) || this.isNoFunding(to)) return false;
    const funder = this.ids.idOf(from);
    const wallet = this.ids.idOf(to);
    this.#fanOutsRead.change(this.undo, funder);
    if (this.fanOuts.pay(funder, wallet, at.timeMs)) this.#classes.change(this.undo, funder);
    const row = this.rowOf(wallet, at);
    if (this.rows.number(row, FIELD.firstFunder) === 0) {
      this.rows.setNumber(row, FIELD.firstFunder, funder + 1);
      this.rows.setNumber(row, FIELD.firstSlot, at.slot);
      this.rows.setNumber(row, FIELD.firstMs, at.timeMs);
      this.rows.setBigint(row, FIELD.firstLamports, lamports);
    }
    strengthen(this.rows, row, funder + 1, Number(lamports), at.timeMs);
    return true;
  }

  /** Marks a wallet as a trader, so that its funding is not removed. */
  noteTrader(wallet: Address): void {
    const row = this.find(wallet);
    if (row !== -1 && this.rows.number(row, FIELD.isTrader) === 0) {
      this.rows.setNumber(row, FIELD.isTrader, 1);
    }
  }

  /** Counts the fee payer of a trade, if it is not the owner of the tokens. */
  notePayer(payer: Address, owner: Address, mint: Address, at: Moment): void {
    if (payer === owner || !this.sponsors.note(payer, owner, mint, at.timeMs)) return;
    this.#classes.change(this.undo, this.ids.find(payer));
  }

  /** Counts the addresses that a trader paid in addition to the pool in one transaction. */
  noteFees(venue: Venue, paid: Iterable<Address>, at: Moment): void {
    const learned = this.feeAccounts.note(venue, paid, at.timeMs);
    for (const id of learned) this.#classes.change(this.undo, id);
  }

  /** Detected fee accounts, for manual review. */
  get learnedFeeAccounts(): readonly (LearnedFeeAccount & { readonly address: Address })[] {
    return this.feeAccounts.all();
  }

  /** Removes wallets that never traded, a limited number per call. */
  forgetIdle(timeMs: number): void {
    const { rows, index, newcomers } = this;
    for (let step = 0; step < FORGET_STEP; step++) {
      const id = newcomers.oldest;
      if (id === -1) return;
      const row = index.get(id);
      if (timeMs - rows.number(row, FIELD.firstMs) <= FORGET_AFTER_MS) return;
      newcomers.shift();
      if (rows.number(row, FIELD.isTrader) === 1) continue;
      rows.remove(row);
      index.delete(id);
    }
  }

  /** Null if no payment was seen; it may have happened before the stored history. */
  firstFunding(wallet: Address): FirstFunding | null {
    return this.firstFundingById(this.ids.find(wallet));
  }

  /** Same as `firstFunding`, by the number of the wallet; null for -1. */
  firstFundingById(id: number): FirstFunding | null {
    const row = this.index.get(id);
    if (row === -1) return null;
    return {
      funder: this.ids.addressOf(this.rows.number(row, FIELD.firstFunder) - 1),
      lamports: asLamports(this.rows.bigint(row, FIELD.firstLamports)),
      slot: asSlot(this.rows.number(row, FIELD.firstSlot)),
      timeMs: this.rows.number(row, FIELD.firstMs),
    };
  }

  /** The strongest funders, strongest first. */
  edges(wallet: Address): FundingEdge[] {
    const row = this.find(wallet);
    return row === -1 ? [] : edgesOf(this.rows, row, this.ids);
  }

  /**
   * Distinct wallets that an address, given by its number, paid in the last 7 days; 0 for -1. Hubs
   * are not counted any further: for a hub the result is its daily threshold plus one.
   */
  fanOutById(id: number, timeMs: number): number {
    if (id === -1) return 0;
    const known = this.#fanOutsRead.get(id);
    if (known !== undefined && known.fromMs <= timeMs && timeMs < known.untilMs) return known.count;
    const found = this.readFanOut(id, timeMs);
    this.#fanOutsRead.set(id, found);
    return found.count;
  }

  private readFanOut(id: number, fromMs: number): FanOut {
    if (this.fanOuts.isHub(id)) {
      return { count: HUB_RECIPIENTS_A_DAY + 1, fromMs, untilMs: Number.POSITIVE_INFINITY };
    }
    const { count, oldestMs } = this.fanOuts.recipientsSince(id, fromMs - FAN_OUT_MS);
    return { count, fromMs, untilMs: oldestMs + FAN_OUT_MS };
  }

  /** The class of an address, from the registry or from its observed behaviour. */
  classify(address: Address): AddressClass | 'hub' | null {
    const id = this.ids.find(address);
    return id === -1 ? this.registry.classOf(address) : this.classifyById(id);
  }

  /** Same as `classify`, by the number of an address, which must have one. */
  classifyById(id: number): AddressClass | 'hub' | null {
    const known = this.#classes.get(id);
    if (known !== undefined) return known;
    const found = this.registry.classOf(this.ids.addressOf(id)) ?? this.behaviourOf(id);
    this.#classes.set(id, found);
    return found;
  }

  /**
   * The cluster of wallets assumed to have one owner. It is named by the first funder, or by the
   * wallet itself if that funder also pays unrelated wallets.
   */
  clusterOf(wallet: Address): Address {
    const funder = this.firstFunding(wallet)?.funder;
    if (funder === undefined) return wallet;
    return this.isShared(funder) ? wallet : funder;
  }

  get size(): number {
    return this.rows.size;
  }

  get hubCount(): number {
    return this.fanOuts.hubCount;
  }

  /** The class that an address has shown; null for none. */
  private behaviourOf(id: number): AddressClass | 'hub' | null {
    if (this.fanOuts.isHub(id)) return 'hub';
    if (this.feeAccounts.has(id)) return 'protocol_fee';
    return this.sponsors.has(id) ? 'sponsor' : null;
  }

  private isNoFunding(address: Address): boolean {
    if (this.registry.isAnyOf(address, NO_FUNDING)) return true;
    return this.feeAccounts.has(this.ids.find(address));
  }

  private isShared(funder: Address): boolean {
    if (this.registry.isAnyOf(funder, SHARED)) return true;
    const id = this.ids.find(funder);
    return this.fanOuts.isHub(id) || this.sponsors.has(id);
  }

  private find(wallet: Address): number {
    return this.index.get(this.ids.find(wallet));
  }

  private rowOf(wallet: number, at: Moment): number {
    const known = this.index.get(wallet);
    if (known !== -1) return known;
    const row = this.rows.add();
    this.rows.setNumber(row, FIELD.wallet, wallet);
    this.rows.setNumber(row, FIELD.firstMs, at.timeMs);
    this.index.set(wallet, row);
    this.newcomers.push(wallet);
    return row;
  }
}
