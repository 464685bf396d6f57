import type { AddressIds } from '../../lib/address-ids.ts';
import { RowTable } from '../../lib/row-table.ts';
import { UndoLog } from '../../lib/undo-log.ts';
import type { RowSpill } from '../../model/row-spill.ts';
import type { Address } from '../../model/units.ts';
import { WALLET_FIELDS, WALLET_LAYOUT } from './features/wallet-row.ts';
import { leastRecentWallets } from './least-recent-wallets.ts';
import {
  ProfileLocations,
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

export interface WalletBookOptions {
  /** Address ids, shared with the other books. */
  readonly ids: AddressIds<Address>;
  /** Programs that the project decodes. They are public, so using them is no evidence. */
  readonly knownPrograms: ReadonlySet<Address>;
  /** Stores rows of WALLET_LAYOUT by wallet id. */
  readonly spill: RowSpill;
}

/** A change of a wallet's class: the wallet id and the new class. */
export interface WalletFlip {
  readonly wallet: number;
  readonly class: WalletClass;
}

const F = WALLET_FIELDS;

/**
 * The trading profile of each wallet, and whether it is a bot (METHODS §0.8, §2.1). O(1) per trade,
 * 320 bytes per wallet. `evict` moves profiles to the spill, where they stay until they are needed;
 * no result depends on which profiles are spilled.
 */
export class WalletBook {
  private readonly rows: RowTable;
  private readonly locations: ProfileLocations;
  private readonly programs: ProgramUsers;
  /** The number of spilled profiles, and the sum of their hashes. */
  private readonly spilled: ProfileSum = { count: 0, hashSum: 0n };
  private readonly ids: AddressIds<Address>;
  private readonly spill: RowSpill;
  private readonly undo: UndoLog;
  // Empty between slots, therefore not part of the state.
  readonly #sides = new SlotSides();
  readonly #touched = new Set<number>();
  readonly #onReleased = (released: ReleasedTrades): void => this.release(released);

  constructor({ ids, knownPrograms, spill }: WalletBookOptions, undo = new UndoLog()) {
    this.ids = ids;
    this.spill = spill;
    this.undo = undo;
    this.rows = new RowTable(WALLET_LAYOUT, undo);
    this.locations = new ProfileLocations(undo);
    this.programs = new ProgramUsers(knownPrograms, undo);
  }

  /** Applies one transaction of one wallet. Call once per transaction, even for several swaps. */
  applyTrade(wallet: number, trade: WalletTrade): void {
    const row = this.rowOf(wallet, trade);
    countTrade(this.rows, row, trade);
    // A round trip has both sides in one transaction and is covered by a separate rule.
    if (!trade.isRoundTrip && this.#sides.applyTrade(wallet, trade)) {
      countSameSlotPair(this.rows, row);
    }
    if (this.programs.applyTrade(wallet, trade.programIds, this.#onReleased)) {
      countPrivateTrade(this.rows, row);
    }
    this.#touched.add(wallet);
  }

  /** Counts a position of the wallet that was closed after `seconds`. */
  applyClosedHold(wallet: number, seconds: number): void {
    const row = this.knownRow(wallet);
    if (row < 0) return;
    countClosedHold(this.rows, row, seconds);
    this.#touched.add(wallet);
  }

  /** Counts a failed transaction that the wallet paid for and that called a trading program. */
  applyFailed(wallet: number, at: TradeTime): void {
    countFailed(this.rows, this.rowOf(wallet, at));
    this.#touched.add(wallet);
  }

  /** Counts a trade of the wallet that was detected as a sandwich leg. */
  applySandwichLeg(wallet: number, at: TradeTime): void {
    countSandwichLeg(this.rows, this.rowOf(wallet, at), at.timeMs);
    this.#touched.add(wallet);
  }

  /** Records activity other than trading (stake, NFT, transfer). Ignored without a profile. */
  applyOtherActivity(wallet: number): void {
    if ((this.locations.markOf(wallet) & SPILLED_OTHER_ACTIVITY) !== 0) return;
    const row = this.knownRow(wallet);
    if (row >= 0) noteOtherActivity(this.rows, row);
  }

  /** Sets the first funder; later calls and wallets without a profile are ignored. */
  setFirstFunder(wallet: number, funder: number): void {
    const row = this.knownRow(wallet);
    if (row < 0 || this.rows.number(row, F.firstFunder) !== 0) return;
    this.rows.setNumber(row, F.firstFunder, funder + 1);
  }

  /**
   * Evaluates the wallets with changes since the last call, in the order of their first changes,
   * and returns those whose class changed. Call at the end of each slot.
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
    return this.locations.rowOf(wallet) >= 0 || this.isSpilled(wallet);
  }

  /** A wallet without a profile is organic: there is no evidence against it. */
  isBot(wallet: number): boolean {
    const row = this.locations.rowOf(wallet);
    if (row >= 0) return isBotRow(this.rows, row);
    return (this.locations.markOf(wallet) & SPILLED_BOT) !== 0;
  }

  /** The class of a wallet with its reasons; null without a profile. */
  verdict(wallet: number): WalletVerdict | null {
    return this.reading(wallet, (rows, row) => readVerdict(rows, row));
  }

  /** The profile of a wallet, or null. */
  profile(wallet: number): WalletProfile | null {
    return this.reading(wallet, (rows, row) => profileOf(rows, row, this.ids));
  }

  /** Number of profiles in memory. */
  get residentCount(): number {
    return this.rows.size;
  }

  get spilledCount(): number {
    return this.spilled.count;
  }

  /** Whether a program is private, as far as currently known. */
  isPrivateProgram(program: Address): boolean {
    return this.programs.userCount(program) !== null;
  }

  get programCount(): number {
    return this.programs.size;
  }

  /** Bytes of the rows and their numbers, in memory. */
  get allocatedBytes(): number {
    return this.rows.allocatedBytes + this.locations.allocatedBytes;
  }

  /** Whether the wallet's profile is in the spill. */
  isSpilled(wallet: number): boolean {
    return this.locations.isSpilled(wallet);
  }

  /**
   * Spills all but `keep` profiles, those that traded longest ago first, and returns how many.
   * Linear in the number of profiles: call it when there is an excess of about one percent, not for
   * each additional profile.
   */
  evict(keep: number): number {
    const excess = this.rows.size - Math.max(0, keep);
    if (excess <= 0) return 0;
    const { rows, locations, ids } = this;
    for (const wallet of leastRecentWallets({ rows, locations, ids }, excess)) this.putAway(wallet);
    return excess;
  }

  /**
   * One row for all profiles, because spilled ones cannot be iterated: their number and the sum of
   * their hashes modulo 2^256, which does not depend on where they are kept. Then the programs.
   */
  *digestRows(): Iterable<string> {
    const sum = { ...this.spilled };
    this.locations.forEachRow(this.ids.size, (wallet, row) =>
      addProfile(sum, profileHash(this.ids, wallet, this.rows.bytes(row))),
    );
    yield `wallets ${sum.count} ${sum.hashSum.toString(16)}`;
    yield* this.programs.digestRows(this.ids);
  }

  /** The wallet's row; creates one for a wallet that was never seen. */
  private rowOf(wallet: number, at: TradeTime): number {
    const known = this.knownRow(wallet);
    if (known >= 0) return known;
    const row = this.rows.add();
    beginRow(this.rows, row, at);
    this.locations.setRow(wallet, row);
    return row;
  }

  /** The wallet's row, fetched from the spill if needed; -1 for a wallet that was never seen. */
  private knownRow(wallet: number): number {
    const row = this.locations.rowOf(wallet);
    if (row >= 0 || !this.isSpilled(wallet)) return row;
    return this.fetch(wallet);
  }

  private fetch(wallet: number): number {
    const bytes = this.spill.take(wallet) ?? this.lost(wallet);
    this.undo.step(() => this.spill.put(wallet, bytes));
    this.undo.keep(this.spilled);
    removeProfile(this.spilled, profileHash(this.ids, wallet, bytes));
    const row = this.rows.restore(bytes);
    this.locations.setRow(wallet, row);
    return row;
  }

  private putAway(wallet: number): void {
    const row = this.locations.rowOf(wallet);
    const bytes = this.rows.bytes(row);
    const standing = this.rows.number(row, F.standing);
    this.spill.put(wallet, bytes);
    this.undo.step(() => {
      this.spill.take(wallet);
    });
    this.undo.keep(this.spilled);
    addProfile(this.spilled, profileHash(this.ids, wallet, bytes));
    this.rows.remove(row);
    this.locations.setSpilled(wallet, spilledMark(standing));
  }

  /** Calls `read` with the wallet's row, in memory or spilled, without changing any state. */
  private reading<Read>(wallet: number, read: (rows: RowTable, row: number) => Read): Read | null {
    const resident = this.locations.rowOf(wallet);
    if (resident >= 0) return read(this.rows, resident);
    if (!this.isSpilled(wallet)) return null;
    const rows: RowTable = new RowTable(WALLET_LAYOUT);
    return read(rows, rows.restore(this.spill.peek(wallet) ?? this.lost(wallet)));
  }

  private lost(wallet: number): never {
    throw new Error(`the profile of ${this.ids.addressOf(wallet)} is missing from the spill`);
  }

  private release({ wallet, trades }: ReleasedTrades): void {
    const row = this.knownRow(wallet);
    if (row >= 0) releasePrivateTrades(this.rows, row, trades);
  }
}
