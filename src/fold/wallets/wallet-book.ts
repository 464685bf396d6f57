import type { AddressIds } from '../../lib/address-ids.ts';
import { IdRows } from '../../lib/id-rows.ts';
import { RowTable } from '../../lib/row-table.ts';
import { UndoLog } from '../../lib/undo-log.ts';
import type { Address } from '../../model/units.ts';
import type { WalletClass } from '../../model/wallet-record.ts';
import { WALLET_FIELDS, WALLET_LAYOUT } from './features/wallet-row.ts';
import { ProgramUsers, type ReleasedTrades } from './program-users.ts';
import { SlotSides } from './slot-sides.ts';
import { isBotRow, judge, readVerdict, type WalletVerdict } from './wallet-judgement.ts';
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
}

/** A change of a wallet's class: the wallet id and the new class. */
export interface WalletFlip {
  readonly wallet: number;
  readonly class: WalletClass;
}

const F = WALLET_FIELDS;

/**
 * The trading profile of each wallet, and whether it is a bot (METHODS §0.8, §2.1). O(1) per trade;
 * a row of 320 bytes per wallet that traded.
 */
export class WalletBook {
  private readonly rows: RowTable;
  /** Row by wallet. */
  private readonly index: IdRows;
  private readonly programs: ProgramUsers;
  private readonly ids: AddressIds<Address>;
  // Empty between slots, therefore not part of the state.
  readonly #sides = new SlotSides();
  readonly #touched = new Set<number>();
  readonly #onReleased = (released: ReleasedTrades): void => this.release(released);

  constructor({ ids, knownPrograms }: WalletBookOptions, undo = new UndoLog()) {
    this.ids = ids;
    this.rows = new RowTable(WALLET_LAYOUT, undo, 'wallet profiles');
    this.index = new IdRows(undo, 'wallet profiles by wallet');
    this.programs = new ProgramUsers({ ids, knownPrograms }, undo);
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
    const row = this.index.get(wallet);
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
    const row = this.index.get(wallet);
    if (row >= 0) noteOtherActivity(this.rows, row);
  }

  /** Sets the first funder; later calls and wallets without a profile are ignored. */
  setFirstFunder(wallet: number, funder: number): void {
    const row = this.index.get(wallet);
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
      const row = this.index.get(wallet);
      if (row < 0 || !judge(this.rows, row)) continue;
      flips.push({ wallet, class: isBotRow(this.rows, row) ? 'bot' : 'organic' });
    }
    this.#touched.clear();
    this.#sides.clear();
    return flips;
  }

  /** Transactions in which a wallet traded. */
  tradesOf(wallet: number): number {
    const row = this.index.get(wallet);
    return row < 0 ? 0 : this.rows.number(row, F.trades);
  }

  /** Second of a wallet's last trade; null before its first. */
  lastTradeS(wallet: number): number | null {
    const row = this.index.get(wallet);
    return row < 0 || this.rows.number(row, F.trades) === 0 ? null : this.rows.number(row, F.lastS);
  }

  /** Whether a wallet has a profile. */
  has(wallet: number): boolean {
    return this.index.get(wallet) >= 0;
  }

  /** A wallet without a profile is organic: there is no evidence against it. */
  isBot(wallet: number): boolean {
    const row = this.index.get(wallet);
    return row >= 0 && isBotRow(this.rows, row);
  }

  /** The class of a wallet with its reasons; null without a profile. */
  verdict(wallet: number): WalletVerdict | null {
    const row = this.index.get(wallet);
    return row < 0 ? null : readVerdict(this.rows, row);
  }

  /** The profile of a wallet, or null. */
  profile(wallet: number): WalletProfile | null {
    const row = this.index.get(wallet);
    return row < 0 ? null : profileOf(this.rows, row, this.ids);
  }

  /** Number of profiles. */
  get size(): number {
    return this.rows.size;
  }

  /** Whether a program is private, as far as currently known. */
  isPrivateProgram(program: Address): boolean {
    return this.programs.userCount(program) !== null;
  }

  get programCount(): number {
    return this.programs.size;
  }

  /** Bytes of the rows and their numbers in memory. */
  get allocatedBytes(): number {
    return this.rows.allocatedBytes + this.index.allocatedBytes;
  }

  /** The wallet's row; creates one for a wallet that was never seen. */
  private rowOf(wallet: number, at: TradeTime): number {
    const known = this.index.get(wallet);
    if (known >= 0) return known;
    const row = this.rows.add();
    beginRow(this.rows, row, at);
    this.index.set(wallet, row);
    return row;
  }

  private release({ wallet, trades }: ReleasedTrades): void {
    const row = this.index.get(wallet);
    if (row >= 0) releasePrivateTrades(this.rows, row, trades);
  }
}
