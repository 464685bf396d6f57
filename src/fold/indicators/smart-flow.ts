import type { AddressIds } from '../../lib/address-ids.ts';
import { PairIndex } from '../../lib/pair-index.ts';
import { RowTable } from '../../lib/row-table.ts';
import { StateValue } from '../../lib/state-value.ts';
import { UndoLog } from '../../lib/undo-log.ts';
import type { Side } from '../../model/swap.ts';
import { type Address, asUsdNano, type UsdNano } from '../../model/units.ts';
import { addToFlow, flowOf, SMART_MOVE_LAYOUT } from './smart-move-row.ts';

const FIELD = SMART_MOVE_LAYOUT.fields;

export const SMART_FLOW_WINDOW_MS = 600_000;

/** A swap by a wallet that is smart at that moment, at a known time. */
export interface SmartTrade {
  readonly timeMs: number;
  readonly wallet: Address;
  /** Address that names the wallet's funding cluster; null for a wallet without one. */
  readonly cluster: Address | null;
  /** Score of the wallet at that moment, 0 to 100. */
  readonly score: number;
  readonly side: Side;
  readonly valueUsd: UsdNano;
  /** The wallet is neither an insider of the mint nor a bot in this pool. */
  readonly isEligible: boolean;
}

/** Dollars that were spent on a pool's token and received for it. */
export interface SmartFlows {
  /** Weighted by score; eligible wallets only, one wallet per cluster. */
  readonly influxUsd: UsdNano;
  readonly outfluxUsd: UsdNano;
  /** Unweighted, of all smart wallets. */
  readonly rawInfluxUsd: UsdNano;
  readonly rawOutfluxUsd: UsdNano;
}

/** Trades of one wallet in one pool at one time and weight. */
interface SmartMove {
  readonly wallet: Address;
  readonly cluster: Address | null;
  /** Score divided by 100, in units of 10^-6. */
  readonly weightE6: number;
  readonly isEligible: boolean;
  readonly boughtUsd: bigint;
  readonly soldUsd: bigint;
}

/** The first and the last row in order of time, each plus one, 0 for none. */
interface Ends {
  first: number;
  last: number;
}

/**
 * The volume of smart wallets in each pool in the last ten minutes (METHODS §2.2, §2.5): from now
 * minus 600 s (exclusive) to now. A trade is weighted with the wallet's score at that time; later
 * changes have no effect. Most pools have no such trade and no entry. Entries are few, because a
 * wallet with 60 swaps in ten minutes is a bot and therefore not smart; each takes 120 bytes.
 */
export class SmartFlowBook {
  private readonly ids: AddressIds<Address>;
  private readonly rows: RowTable;
  /** Keys: 0 and the id of a pool; its newest row. */
  private readonly newest: PairIndex;
  private readonly ends: StateValue<Ends>;
  private readonly undo: UndoLog;

  /** `ids` writes to the same `undo`; others may use it too. */
  constructor(ids: AddressIds<Address>, undo = new UndoLog()) {
    this.ids = ids;
    this.undo = undo;
    this.rows = new RowTable(SMART_MOVE_LAYOUT, undo, 'smart flows');
    this.newest = new PairIndex(undo, 'smart flow index');
    this.ends = new StateValue({ first: 0, last: 0 }, undo, 'smart flow queue');
  }

  /** Adds a trade. Times must not decrease between calls. */
  add(pool: Address, trade: SmartTrade): void {
    const poolId = this.ids.idOf(pool);
    const row = this.findSame(poolId, trade) ?? this.open(poolId, trade);
    addToFlow(
      this.rows,
      row,
      trade.side === 'buy' ? FIELD.boughtUsd : FIELD.soldUsd,
      trade.valueUsd,
    );
  }

  flows(pool: Address, nowMs: number): SmartFlows {
    const moves = this.movesOf(pool, nowMs);
    return {
      influxUsd: weightedSum(moves, 'boughtUsd'),
      outfluxUsd: weightedSum(moves, 'soldUsd'),
      rawInfluxUsd: sumOf(moves, 'boughtUsd'),
      rawOutfluxUsd: sumOf(moves, 'soldUsd'),
    };
  }

  /** Drops entries outside the window of `nowMs`. Call it once a minute. */
  dropExpired(nowMs: number): void {
    const { rows } = this;
    const { now: ends } = this.ends;
    while (ends.first !== 0) {
      const row = ends.first - 1;
      if (isWithin(rows.number(row, FIELD.timeMs), nowMs)) return;
      this.undo.keep(ends);
      ends.first = rows.number(row, FIELD.next);
      if (ends.first === 0) ends.last = 0;
      // The first of all is the oldest of its pool.
      const newer = rows.number(row, FIELD.newer);
      if (newer === 0) this.newest.delete(0, rows.number(row, FIELD.pool));
      else rows.setNumber(newer - 1, FIELD.older, 0);
      rows.remove(row);
    }
  }

  /** Number of pools with entries. */
  get poolCount(): number {
    return this.newest.size;
  }

  /** Number of entries. */
  get size(): number {
    return this.rows.size;
  }

  /** The entries of a pool within the window, newest first. */
  private movesOf(pool: Address, nowMs: number): SmartMove[] {
    const { rows } = this;
    const moves: SmartMove[] = [];
    const id = this.ids.find(pool);
    let row = id === -1 ? -1 : this.newest.get(0, id);
    for (; row !== -1; row = rows.number(row, FIELD.older) - 1) {
      if (!isWithin(rows.number(row, FIELD.timeMs), nowMs)) break;
      moves.push(this.moveAt(row));
    }
    return moves;
  }

  private moveAt(row: number): SmartMove {
    const { rows, ids } = this;
    const cluster = rows.number(row, FIELD.cluster);
    return {
      wallet: ids.addressOf(rows.number(row, FIELD.wallet)),
      cluster: cluster === 0 ? null : ids.addressOf(cluster - 1),
      weightE6: rows.number(row, FIELD.weightE6),
      isEligible: rows.number(row, FIELD.isEligible) === 1,
      boughtUsd: flowOf(rows, row, FIELD.boughtUsd),
      soldUsd: flowOf(rows, row, FIELD.soldUsd),
    };
  }

  /** The wallet's newest row, if the trade can be added to it: of the same time and weight. */
  private findSame(pool: number, trade: SmartTrade): number | null {
    const { rows } = this;
    const wallet = this.ids.idOf(trade.wallet);
    let row = this.newest.get(0, pool);
    for (; row !== -1; row = rows.number(row, FIELD.older) - 1) {
      if (rows.number(row, FIELD.timeMs) !== trade.timeMs) return null;
      if (rows.number(row, FIELD.wallet) !== wallet) continue;
      const isSame =
        rows.number(row, FIELD.weightE6) === weightOf(trade.score) &&
        rows.number(row, FIELD.cluster) === this.clusterOf(trade) &&
        rows.number(row, FIELD.isEligible) === Number(trade.isEligible);
      return isSame ? row : null;
    }
    return null;
  }

  private open(pool: number, trade: SmartTrade): number {
    const { rows } = this;
    const row = rows.add();
    rows.setNumber(row, FIELD.timeMs, trade.timeMs);
    rows.setNumber(row, FIELD.pool, pool);
    rows.setNumber(row, FIELD.wallet, this.ids.idOf(trade.wallet));
    rows.setNumber(row, FIELD.cluster, this.clusterOf(trade));
    rows.setNumber(row, FIELD.weightE6, weightOf(trade.score));
    rows.setNumber(row, FIELD.isEligible, Number(trade.isEligible));
    const older = this.newest.get(0, pool);
    rows.setNumber(row, FIELD.older, older + 1);
    if (older !== -1) rows.setNumber(older, FIELD.newer, row + 1);
    this.newest.set(0, pool, row);
    this.append(row);
    return row;
  }

  private append(row: number): void {
    const { now: ends } = this.ends;
    this.undo.keep(ends);
    if (ends.last === 0) ends.first = row + 1;
    else this.rows.setNumber(ends.last - 1, FIELD.next, row + 1);
    ends.last = row + 1;
  }

  /** As in a row. */
  private clusterOf({ cluster }: SmartTrade): number {
    return cluster === null ? 0 : this.ids.idOf(cluster) + 1;
  }
}

type Flow = 'boughtUsd' | 'soldUsd';

function isWithin(timeMs: number, nowMs: number): boolean {
  return timeMs > nowMs - SMART_FLOW_WINDOW_MS;
}

function weightOf(score: number): number {
  return Math.round(Math.min(Math.max(score, 0), 100) * 1e4);
}

function sumOf(moves: readonly SmartMove[], flow: Flow): UsdNano {
  let sum = 0n;
  for (const entry of moves) sum += entry[flow];
  return asUsdNano(sum);
}

/** The volume of one wallet in one direction. */
interface WalletFlow {
  readonly wallet: Address;
  weightE6: number;
  valueUsd: bigint;
  /** Value times weight, in 10^-6 nano-dollars. */
  weighted: bigint;
}

/**
 * Sum of value times score over eligible wallets. Of a cluster only one wallet counts: the one with
 * the highest score, then the higher value, then the first address.
 */
function weightedSum(moves: readonly SmartMove[], flow: Flow): UsdNano {
  const clusters = new Map<string, WalletFlow>();
  for (const [wallet, total] of flowsByWallet(moves, flow)) {
    // A wallet without a cluster differs from the cluster that is named by it.
    const key = total.cluster === null ? `wallet ${wallet}` : `cluster ${total.cluster}`;
    const other = clusters.get(key);
    if (other === undefined || comesFirst(total, other)) clusters.set(key, total);
  }
  let sum = 0n;
  for (const { weighted } of clusters.values()) sum += weighted;
  return asUsdNano(sum / 1_000_000n);
}

function flowsByWallet(
  moves: readonly SmartMove[],
  flow: Flow,
): Map<Address, WalletFlow & { readonly cluster: Address | null }> {
  const wallets = new Map<Address, WalletFlow & { readonly cluster: Address | null }>();
  // Newest first: the latest cluster of a wallet is the most reliable one.
  for (const entry of moves) {
    const valueUsd = entry[flow];
    if (!entry.isEligible || valueUsd === 0n) continue;
    const { wallet, cluster } = entry;
    const total = wallets.get(wallet) ?? {
      wallet,
      cluster,
      weightE6: 0,
      valueUsd: 0n,
      weighted: 0n,
    };
    total.weightE6 = Math.max(total.weightE6, entry.weightE6);
    total.valueUsd += valueUsd;
    total.weighted += valueUsd * BigInt(entry.weightE6);
    wallets.set(wallet, total);
  }
  return wallets;
}

function comesFirst(one: WalletFlow, other: WalletFlow): boolean {
  if (one.weightE6 !== other.weightE6) return one.weightE6 > other.weightE6;
  if (one.valueUsd !== other.valueUsd) return one.valueUsd > other.valueUsd;
  return one.wallet < other.wallet;
}
