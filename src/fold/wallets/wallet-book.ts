import type { AddressIds } from '../../lib/address-ids.ts';
import { contentHash } from '../../lib/content-hash.ts';
import { PairIndex } from '../../lib/pair-index.ts';
import { RowTable } from '../../lib/row-table.ts';
import { UndoLog } from '../../lib/undo-log.ts';
import type { RowSpill } from '../../model/row-spill.ts';
import type { Address, Slot } from '../../model/units.ts';
import { readFeatures, type WalletFeatures } from './features/wallet-features.ts';
import { STANDING, WALLET_FIELDS, WALLET_LAYOUT } from './features/wallet-row.ts';
import { ProgramUsers, type ReleasedTrades } from './program-users.ts';
import { SlotSides } from './slot-sides.ts';
import {
  isBotRow,
  judge,
  readVerdict,
  type WalletClass,
  type WalletVerdict,
} from './wallet-judgement.ts';
import {
  beginRow,
  countClosedHold,
  countFailed,
  countSameSlotPair,
  countSandwichLeg,
  countTrade,
  type TradeTime,
  type WalletTrade,
} from './wallet-row-changes.ts';

export interface WalletBookOptions {
  /** Numbers of the wallets, shared with the other books. */
  readonly ids: AddressIds<Address>;
  /** Programs that the project decodes: trading through them tells nothing. */
  readonly knownPrograms: ReadonlySet<Address>;
  /** For rows of WALLET_LAYOUT, by number of the wallet. */
  readonly spill: RowSpill;
}

export interface WalletFlip {
  readonly wallet: number;
  readonly class: WalletClass;
}

/** What is known of a wallet that no rule looks at. */
export interface WalletProfile {
  readonly features: WalletFeatures;
  readonly firstSlot: Slot;
  readonly firstMs: number;
  readonly lastSlot: Slot;
  readonly lastMs: number;
  readonly firstFunder: Address | null;
  /** By powers of two of a second, from 0 s on; shares count, not sums. */
  readonly gapHistogram: readonly number[];
  readonly holdHistogram: readonly number[];
  /** By hour of the UTC day: on how many of the last eight days there was a trade. */
  readonly activeHours: readonly number[];
}

const F = WALLET_FIELDS;
/** Second numbers of the pairs in the index: a row in memory, and a profile that was spilled. */
const RESIDENT = 0;
const SPILLED = 1;
/** What the index says of a spilled profile, so that it need not be fetched to be asked. */
const SPILLED_BOT = 1;
const SPILLED_OTHER_ACTIVITY = 2;
const SUM_MODULUS = 1n << 256n;

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
  private readonly spilled = { count: 0, hashSum: 0n };
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
      this.rows.setNumber(row, F.privateTrades, this.rows.number(row, F.privateTrades) + 1);
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
    if (row < 0) return;
    const standing = this.rows.number(row, F.standing);
    if ((standing & STANDING.otherActivity) !== 0) return;
    this.rows.setNumber(row, F.standing, standing | STANDING.otherActivity);
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
    return this.reading(wallet, (rows, row) => {
      const funder = rows.number(row, F.firstFunder);
      return {
        features: readFeatures(rows, row),
        firstSlot: rows.number(row, F.firstSlot) as Slot,
        firstMs: rows.number(row, F.firstS) * 1_000,
        lastSlot: rows.number(row, F.lastSlot) as Slot,
        lastMs: rows.number(row, F.lastS) * 1_000,
        firstFunder: funder === 0 ? null : this.ids.addressOf(funder - 1),
        gapHistogram: valuesOf(rows, row, F.gapHistogram),
        holdHistogram: valuesOf(rows, row, F.holdHistogram),
        activeHours: valuesOf(rows, row, F.activeHours).map(countBits),
      };
    });
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
    const { wallets, times } = this.residents();
    const last = times.slice().sort()[excess - 1] ?? 0;
    const older: number[] = [];
    const tied: number[] = [];
    for (const [at, wallet] of wallets.entries()) {
      const lastS = times[at] ?? 0;
      if (lastS < last) older.push(wallet);
      else if (lastS === last) tied.push(wallet);
    }
    tied.sort((one, other) => this.compareAddresses(one, other));
    for (const wallet of [...older, ...tied.slice(0, excess - older.length)]) this.putAway(wallet);
    return excess;
  }

  /**
   * One row for all profiles, as spilled ones cannot be walked: how many there are and the sum of
   * their hashes modulo 2^256, which is the same wherever they lie. Then the programs.
   */
  *digestRows(): Iterable<string> {
    let { count, hashSum } = this.spilled;
    for (const [wallet, kind, row] of this.index.entries()) {
      if (kind !== RESIDENT) continue;
      count++;
      hashSum = (hashSum + this.hashOf(wallet, this.rows.bytes(row))) % SUM_MODULUS;
    }
    yield `wallets ${count} ${hashSum.toString(16)}`;
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

  /** The wallets whose profiles are in memory, and when each traded last. */
  private residents(): { readonly wallets: Uint32Array; readonly times: Uint32Array } {
    const wallets = new Uint32Array(this.rows.size);
    const times = new Uint32Array(this.rows.size);
    let at = 0;
    this.index.forEach((wallet, kind, row) => {
      if (kind !== RESIDENT) return;
      wallets[at] = wallet;
      times[at++] = this.rows.number(row, F.lastS);
    });
    return { wallets, times };
  }

  private fetch(wallet: number): number {
    const bytes = this.spill.take(wallet) ?? this.lost(wallet);
    this.undo.step(() => this.spill.put(wallet, bytes));
    this.undo.keep(this.spilled);
    this.spilled.count--;
    const hash = this.hashOf(wallet, bytes);
    this.spilled.hashSum = (this.spilled.hashSum + SUM_MODULUS - hash) % SUM_MODULUS;
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
    this.spilled.count++;
    this.spilled.hashSum = (this.spilled.hashSum + this.hashOf(wallet, bytes)) % SUM_MODULUS;
    this.rows.remove(row);
    this.index.delete(wallet, RESIDENT);
    this.index.set(
      wallet,
      SPILLED,
      ((standing & STANDING.bot) === 0 ? 0 : SPILLED_BOT) |
        ((standing & STANDING.otherActivity) === 0 ? 0 : SPILLED_OTHER_ACTIVITY),
    );
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
    if (row < 0) return;
    const counted = this.rows.number(row, F.privateTrades);
    this.rows.setNumber(row, F.privateTrades, Math.max(0, counted - trades));
  }

  private compareAddresses(one: number, other: number): number {
    return this.ids.addressOf(one) < this.ids.addressOf(other) ? -1 : 1;
  }

  /** Of a profile with its wallet; the funder by address, as numbers are given by chance of order. */
  private hashOf(wallet: number, bytes: Uint8Array): bigint {
    const { offset } = F.firstFunder;
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const funder = view.getUint32(offset, true);
    const funderAddress = funder === 0 ? '' : this.ids.addressOf(funder - 1);
    const hex = Buffer.from(bytes)
      .fill(0, offset, offset + 4)
      .toString('hex');
    return BigInt(`0x${contentHash([this.ids.addressOf(wallet), funderAddress, hex])}`);
  }
}

function valuesOf(
  rows: RowTable,
  row: number,
  field: typeof F.gapHistogram | typeof F.activeHours,
): number[] {
  return Array.from({ length: field.length }, (_, at) => rows.number(row, field, at));
}

function countBits(byte: number): number {
  let count = 0;
  for (let rest = byte; rest > 0; rest &= rest - 1) count++;
  return count;
}
