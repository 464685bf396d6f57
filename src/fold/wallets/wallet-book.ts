import type { AddressIds } from '../../lib/address-ids.ts';
import { PairIndex } from '../../lib/pair-index.ts';
import { RowTable } from '../../lib/row-table.ts';
import { UndoLog } from '../../lib/undo-log.ts';
import type { RowSpill } from '../../model/row-spill.ts';
import type { Address } from '../../model/units.ts';
import { WALLET_FIELDS, WALLET_LAYOUT } from './features/wallet-row.ts';
import { idlestWallets } from './idlest-wallets.ts';
import {
  RESIDENT,
  SPILLED,
  SPILLED_BOT,
  SPILLED_OTHER_ACTIVITY,
  spilledMark,
} from './profile-location.ts';
import { addProfile, type ProfileSum, profileHash, removeProfile } from './profile-sum.ts';
import { ProgramUsers, type ReleasedTrades } from './program-users.ts';
import { SlotSides } from './slot-sides.ts';
import {
  isBotRow,
  judge,
  readVerdict,
  type WalletClass,
  type WalletVerdict,
} from './wallet-judgement.ts';
import { profileOf, type WalletProfile } from './wallet-profile.ts';
import {
  beginRow,
  countClosedHold,
  countFailed,
  countPrivateTrade,
  countSameSlotPair,
  countSandwichLeg,
  countTrade,
  noteOtherActivity,
  releasePrivateTrades,
  type TradeTime,
  type WalletTrade,
} from './wallet-row-changes.ts';

/** What a book of wallets is given. */
export interface WalletBookOptions {
  /** Numbers of the wallets, shared with the other books. */
  readonly ids: AddressIds<Address>;
  /** Programs that the project decodes: trading through them tells nothing. */
  readonly knownPrograms: ReadonlySet<Address>;
  /** For rows of WALLET_LAYOUT, by number of the wallet. */
  readonly spill: RowSpill;
}

/** A wallet, by its number, whose class changed, with the new one. */
export interface WalletFlip {
  readonly wallet: number;
  readonly class: WalletClass;
}

const F = WALLET_FIELDS;

/**
 * How each wallet trades, and whether it is a bot (METHODS §0.8, §2.1). O(1) a trade, 320 bytes a
 * wallet; profiles beyond a bound lie in the spill until their wallet trades again, and no answer
 * depends on which do.
 */
export class WalletBook {
  private readonly rows: RowTable;
  private readonly index: PairIndex;
  private readonly programs: ProgramUsers;
  /** Profiles that are spilled, and the sum of their hashes. */
  private readonly spilled: ProfileSum = { count: 0, hashSum: 0n };
  private readonly ids: AddressIds<Address>;
  private readonly spill: RowSpill;
  private readonly undo: UndoLog;
  // Empty between slots: no part of the state.
  readonly #sides = new SlotSides();
  readonly #touched = new Set<number>();
  readonly #onReleased = (released: ReleasedTrades): void => this.release(released);

  constructor({ ids, knownPrograms, spill }: WalletBookOptions, undo = new UndoLog()) {
    this.ids = ids;
    this.spill = spill;
    this.undo = undo;
    this.rows = new RowTable(WALLET_LAYOUT, undo);
    this.index = new PairIndex(undo);
    this.programs = new ProgramUsers(knownPrograms, undo);
  }

  /** Takes what one transaction says of one wallet: once, however many swaps it made in it. */
  applyTrade(wallet: number, trade: WalletTrade): void {
    const row = this.rowOf(wallet, trade);
    countTrade(this.rows, row, trade);
    // A round trip is both sides in one transaction and has a rule of its own.
    if (!trade.isRoundTrip && this.#sides.applyTrade(wallet, trade)) {
      countSameSlotPair(this.rows, row);
    }
    if (this.programs.applyTrade(wallet, trade.programIds, this.#onReleased)) {
      countPrivateTrade(this.rows, row);
    }
    this.#touched.add(wallet);
  }

  /** A position of the wallet was closed after so many seconds. */
  applyClosedHold(wallet: number, seconds: number): void {
    const row = this.knownRow(wallet);
    if (row < 0) return;
    countClosedHold(this.rows, row, seconds);
    this.#touched.add(wallet);
  }

  /** A transaction failed that the wallet paid for and that called a trading program. */
  applyFailed(wallet: number, at: TradeTime): void {
    countFailed(this.rows, this.rowOf(wallet, at));
    this.#touched.add(wallet);
  }

  /** A trade of the wallet turned out to be the front or the back of a sandwich. */
  applySandwichLeg(wallet: number, at: TradeTime): void {
    countSandwichLeg(this.rows, this.rowOf(wallet, at), at.timeMs);
    this.#touched.add(wallet);
  }

  /** A wallet that has a profile did something else than trading: stake, NFT, transfer. */
  applyOtherActivity(wallet: number): void {
    const isKnown = (this.index.get(wallet, SPILLED) & SPILLED_OTHER_ACTIVITY) !== 0;
    if (isKnown && this.isSpilled(wallet)) return;
    const row = this.knownRow(wallet);
    if (row >= 0) noteOtherActivity(this.rows, row);
  }

  /** Only the first one is kept. Does nothing for a wallet without a profile. */
  setFirstFunder(wallet: number, funder: number): void {
    const row = this.knownRow(wallet);
    if (row < 0 || this.rows.number(row, F.firstFunder) !== 0) return;
    this.rows.setNumber(row, F.firstFunder, funder + 1);
  }

  /**
   * Judges the wallets that something was said of since the last call, in order of first mention,
   * and names those whose class changed. To be called at the end of each slot.
   */
  takeFlips(): WalletFlip[] {
    const flips: WalletFlip[] = [];
    for (const wallet of this.#touched) {
      const row = this.knownRow(wallet);
      if (row < 0 || !judge(this.rows, row)) continue;
      flips.push({ wallet, class: isBotRow(this.rows, row) ? 'bot' : 'organic' });
    }
    this.#touched.clear();
    this.#sides.clear();
    return flips;
  }

  /** Whether a wallet has a profile, in memory or spilled. */
  has(wallet: number): boolean {
    return this.index.get(wallet, RESIDENT) >= 0 || this.isSpilled(wallet);
  }

  /** A wallet without a profile is organic: there is no evidence against it. */
  isBot(wallet: number): boolean {
    const row = this.index.get(wallet, RESIDENT);
    if (row >= 0) return isBotRow(this.rows, row);
    return this.isSpilled(wallet) && (this.index.get(wallet, SPILLED) & SPILLED_BOT) !== 0;
  }

  /** Why a wallet is what it is; null for one without a profile. */
  verdict(wallet: number): WalletVerdict | null {
    return this.reading(wallet, (rows, row) => readVerdict(rows, row));
  }

  /** What is known of a wallet; null for one without a profile. */
  profile(wallet: number): WalletProfile | null {
    return this.reading(wallet, (rows, row) => profileOf(rows, row, this.ids));
  }

  /** Profiles in memory. */
  get residentCount(): number {
    return this.rows.size;
  }

  get spilledCount(): number {
    return this.spilled.count;
  }

  /** Whether a program is somebody's own, as far as is known now. */
  isPrivateProgram(program: Address): boolean {
    return this.programs.userCount(program) !== null;
  }

  get programCount(): number {
    return this.programs.size;
  }

  /** Bytes of the rows and their index, in memory. */
  get allocatedBytes(): number {
    return this.rows.allocatedBytes + this.index.allocatedBytes;
  }

  /** Whether the wallet's profile is one of those that must be in the spill. */
  isSpilled(wallet: number): boolean {
    return this.spilled.count > 0 && this.index.get(wallet, SPILLED) >= 0;
  }

  /**
   * Spills all but `keep` profiles, those that traded longest ago first, and says how many. Linear
   * in all profiles: to be called when there are a hundredth too many, not for each one.
   */
  evict(keep: number): number {
    const excess = this.rows.size - Math.max(0, keep);
    if (excess <= 0) return 0;
    const { rows, index, ids } = this;
    for (const wallet of idlestWallets({ rows, index, ids }, excess)) this.putAway(wallet);
    return excess;
  }

  /**
   * One row for all profiles, as spilled ones cannot be walked: how many there are and the sum of
   * their hashes modulo 2^256, which is the same wherever they lie. Then the programs.
   */
  *digestRows(): Iterable<string> {
    const sum = { ...this.spilled };
    for (const [wallet, kind, row] of this.index.entries()) {
      if (kind !== RESIDENT) continue;
      addProfile(sum, profileHash(this.ids, wallet, this.rows.bytes(row)));
    }
    yield `wallets ${sum.count} ${sum.hashSum.toString(16)}`;
    yield* this.programs.digestRows(this.ids);
  }

  /** The wallet's row, a new one for a wallet that was never seen. */
  private rowOf(wallet: number, at: TradeTime): number {
    const known = this.knownRow(wallet);
    if (known >= 0) return known;
    const row = this.rows.add();
    beginRow(this.rows, row, at);
    this.index.set(wallet, RESIDENT, row);
    return row;
  }

  /** The wallet's row, fetched when it was spilled; -1 for a wallet that was never seen. */
  private knownRow(wallet: number): number {
    const row = this.index.get(wallet, RESIDENT);
    if (row >= 0 || !this.isSpilled(wallet)) return row;
    return this.fetch(wallet);
  }

  private fetch(wallet: number): number {
    const bytes = this.spill.take(wallet) ?? this.lost(wallet);
    this.undo.step(() => this.spill.put(wallet, bytes));
    this.undo.keep(this.spilled);
    removeProfile(this.spilled, profileHash(this.ids, wallet, bytes));
    const row = this.rows.restore(bytes);
    this.index.delete(wallet, SPILLED);
    this.index.set(wallet, RESIDENT, row);
    return row;
  }

  private putAway(wallet: number): void {
    const row = this.index.get(wallet, RESIDENT);
    const bytes = this.rows.bytes(row);
    const standing = this.rows.number(row, F.standing);
    this.spill.put(wallet, bytes);
    this.undo.step(() => {
      this.spill.take(wallet);
    });
    this.undo.keep(this.spilled);
    addProfile(this.spilled, profileHash(this.ids, wallet, bytes));
    this.rows.remove(row);
    this.index.delete(wallet, RESIDENT);
    this.index.set(wallet, SPILLED, spilledMark(standing));
  }

  /** What `read` makes of a wallet's row, wherever it lies; nothing is changed by it. */
  private reading<Read>(wallet: number, read: (rows: RowTable, row: number) => Read): Read | null {
    const resident = this.index.get(wallet, RESIDENT);
    if (resident >= 0) return read(this.rows, resident);
    if (!this.isSpilled(wallet)) return null;
    const rows: RowTable = new RowTable(WALLET_LAYOUT);
    return read(rows, rows.restore(this.spill.peek(wallet) ?? this.lost(wallet)));
  }

  private lost(wallet: number): never {
    throw new Error(`the profile of ${this.ids.addressOf(wallet)} was spilled and is not there`);
  }

  private release({ wallet, trades }: ReleasedTrades): void {
    const row = this.knownRow(wallet);
    if (row >= 0) releasePrivateTrades(this.rows, row, trades);
  }
}
