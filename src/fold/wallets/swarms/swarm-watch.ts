import { PairIndex } from '../../../lib/pair-index.ts';
import { RowQueue } from '../../../lib/row-queue.ts';
import { RowTable } from '../../../lib/row-table.ts';
import { UndoLog } from '../../../lib/undo-log.ts';
import { HOUR_S } from '../features/wallet-thresholds.ts';
import { SkeletonUsers } from './skeleton-users.ts';
import { SWARM_LAYOUT, SWARM_RING } from './swarm-row.ts';

const F = SWARM_LAYOUT.fields;

/** Wallets that make a swarm. Fewer meet by chance in the first minute of a wanted launch. */
export const SWARM_WALLETS_MIN = 10;
/** A wallet with more trades is no single-use one. */
export const SWARM_TRADES_MAX = 3;
/** A skeleton that this share of the established traders uses is nobody's own. */
export const SWARM_SHARE_MAX = 0.02;
/**
 * Established traders that show what is usual: of a skeleton that 2 % use, 200 of them show none
 * once in 57 times. A log that has just begun knows nobody.
 */
export const SWARM_OTHERS_MIN = 200;
/**
 * Pairs of mint and skeleton with such a trade within an hour: 152 bytes each, 38 MiB in all. Beyond
 * it the one used longest ago is dropped.
 */
const ROWS_MAX = 262_144;

/** A trade of a wallet, after it was counted in the wallet's profile. */
export interface SwarmTrade {
  /** Address ids. */
  readonly mint: number;
  readonly wallet: number;
  /** Null when the transaction has none. */
  readonly skeleton: string | null;
  readonly timeS: number;
  /** The wallet's first trade in this hour. */
  readonly isFirstOfHour: boolean;
  /** All trades of the wallet, in all mints. */
  readonly walletTrades: number;
  readonly isByTerminal: boolean;
}

/** A swarm as of the trade that completed or joined it. */
export interface Swarm {
  /** Address ids of the members that are known, the newest included. */
  readonly members: readonly number[];
  /**
   * Established traders of the hour and the one before, which had more than SWARM_TRADES_MAX trades
   * when they began it, and those of them that used the skeleton then.
   */
  readonly others: number;
  readonly users: number;
}

/**
 * Finds swarms of single-use wallets (METHODS §13.1): ten or more with at most three trades each
 * that trade a mint within an hour by one skeleton, which under 2 % of the established traders use,
 * and by no known terminal. Single-use wallets are no measure of what is usual: one hand runs swarms
 * on several mints at a time. O(1) per trade; its state is bounded whatever is sent.
 */
export class SwarmWatch {
  private readonly users: SkeletonUsers;
  private readonly rows: RowTable;
  /** Keys: address id of the mint, and part of the skeleton's hash. */
  private readonly index: PairIndex;
  private readonly byUse: RowQueue;
  private readonly rowsMax: number;

  constructor(undo = new UndoLog(), rowsMax = ROWS_MAX) {
    this.users = new SkeletonUsers(undo);
    this.rows = new RowTable(SWARM_LAYOUT, undo, 'swarms');
    this.index = new PairIndex(undo, 'swarms by mint and skeleton');
    this.byUse = new RowQueue(this.rows, F, undo, 'swarms by use');
    this.rowsMax = rowsMax;
  }

  /**
   * Counts a trade; `tradesOf` gives the present number of all trades of a wallet. Returns the swarm
   * that the wallet belongs to by it; null if it belongs to none, or is a known member of the hour.
   */
  applyTrade(trade: SwarmTrade, tradesOf: (wallet: number) => number): Swarm | null {
    const { skeleton } = trade;
    const hour = Math.floor(trade.timeS / HOUR_S);
    if (trade.walletTrades > SWARM_TRADES_MAX) {
      if (trade.isFirstOfHour) this.users.count(skeleton === null ? null : cellOf(skeleton), hour);
      return null;
    }
    if (skeleton === null || trade.isByTerminal) return null;
    const row = this.rowOf(trade.mint, keyOf(skeleton), trade.timeS);
    const sinceS = trade.timeS - HOUR_S;
    if (this.isMember(row, trade.wallet, sinceS)) return null;
    this.addMember(row, trade);
    const others = this.users.tradersOf(hour);
    const users = this.users.usersOf(cellOf(skeleton), hour);
    if (others < SWARM_OTHERS_MIN || users >= SWARM_SHARE_MAX * others) return null;
    const members = this.membersOf(row, sinceS).filter(
      (wallet) => tradesOf(wallet) <= SWARM_TRADES_MAX,
    );
    return members.length < SWARM_WALLETS_MIN ? null : { members, others, users };
  }

  /** Pairs of mint and skeleton that are watched. */
  get size(): number {
    return this.rows.size;
  }

  private rowOf(mint: number, skeleton: number, timeS: number): number {
    const known = this.index.get(mint, skeleton);
    if (known !== -1) {
      this.byUse.renew(known);
      this.rows.setNumber(known, F.lastS, timeS);
      return known;
    }
    this.makeRoom(timeS);
    const row = this.rows.add();
    this.rows.setNumber(row, F.mint, mint);
    this.rows.setNumber(row, F.skeleton, skeleton);
    this.rows.setNumber(row, F.lastS, timeS);
    this.index.set(mint, skeleton, row);
    this.byUse.push(row);
    return row;
  }

  /** Drops two rows at most that nobody used for an hour, so that they become fewer over time. */
  private makeRoom(timeS: number): void {
    for (let dropped = 0; dropped < 2; dropped++) {
      const row = this.byUse.oldest;
      if (row === -1) return;
      const isIdle = timeS - this.rows.number(row, F.lastS) >= HOUR_S;
      if (!isIdle && this.rows.size < this.rowsMax) return;
      this.byUse.remove(row);
      this.index.delete(this.rows.number(row, F.mint), this.rows.number(row, F.skeleton));
      this.rows.remove(row);
    }
  }

  private isMember(row: number, wallet: number, sinceS: number): boolean {
    for (let at = 0; at < SWARM_RING; at++) {
      if (this.rows.number(row, F.wallets, at) !== wallet) continue;
      if (this.rows.number(row, F.timesS, at) > sinceS + 1) return true;
    }
    return false;
  }

  private addMember(row: number, { wallet, timeS }: SwarmTrade): void {
    const { rows } = this;
    const at = rows.number(row, F.next);
    rows.setNumber(row, F.wallets, wallet, at);
    rows.setNumber(row, F.timesS, timeS + 1, at);
    rows.setNumber(row, F.next, (at + 1) % SWARM_RING);
  }

  /** Wallets whose first trade was after `sinceS`, in ascending order. */
  private membersOf(row: number, sinceS: number): number[] {
    const members = new Set<number>();
    for (let at = 0; at < SWARM_RING; at++) {
      if (this.rows.number(row, F.timesS, at) <= sinceS + 1) continue;
      members.add(this.rows.number(row, F.wallets, at));
    }
    return [...members].sort((one, other) => one - other);
  }
}

/** 31 bits of a skeleton's hash, by which rows are found. */
function keyOf(skeleton: string): number {
  return Number.parseInt(skeleton.slice(0, 8), 16) >>> 1;
}

/** The other half of the hash, by which its users are counted. */
function cellOf(skeleton: string): number {
  return Number.parseInt(skeleton.slice(8), 16);
}
