import { UndoLog } from '../../lib/undo-log.ts';
import type { Side } from '../../model/swap.ts';
import { type Address, asUsdNano, type UsdNano } from '../../model/units.ts';

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
export interface SmartMoves {
  readonly timeMs: number;
  readonly wallet: Address;
  readonly cluster: Address | null;
  /** Score divided by 100, in units of 10^-6. */
  readonly weightE6: number;
  readonly isEligible: boolean;
  boughtUsd: bigint;
  soldUsd: bigint;
}

/**
 * The volume of smart wallets in each pool in the last ten minutes (METHODS §2.2, §2.5): from now
 * minus 600 s (exclusive) to now. A trade is weighted with the wallet's score at that time; later
 * changes have no effect. Most pools have no such trade and no entry. Entries are few, because a
 * wallet with 60 swaps in ten minutes is a bot and therefore not smart.
 */
export class SmartFlowBook {
  private readonly pools = new Map<Address, SmartMoves[]>();
  private readonly undo: UndoLog;

  constructor(undo = new UndoLog()) {
    this.undo = undo;
  }

  /** Adds a trade. Times must not decrease between calls. */
  add(pool: Address, trade: SmartTrade): void {
    const moves = this.movesOf(pool, trade.timeMs);
    const entry = findSame(moves, trade) ?? this.open(moves, trade);
    this.undo.keep(entry);
    if (trade.side === 'buy') entry.boughtUsd += trade.valueUsd;
    else entry.soldUsd += trade.valueUsd;
  }

  flows(pool: Address, nowMs: number): SmartFlows {
    const moves = (this.pools.get(pool) ?? []).filter(({ timeMs }) => isWithin(timeMs, nowMs));
    return {
      influxUsd: weightedSum(moves, 'boughtUsd'),
      outfluxUsd: weightedSum(moves, 'soldUsd'),
      rawInfluxUsd: sumOf(moves, 'boughtUsd'),
      rawOutfluxUsd: sumOf(moves, 'soldUsd'),
    };
  }

  /** Drops entries outside the window of `nowMs`. Linear in the pools: call it once a minute. */
  dropExpired(nowMs: number): void {
    for (const [pool, moves] of [...this.pools]) {
      this.dropHead(moves, nowMs);
      if (moves.length > 0) continue;
      this.undo.map(this.pools, pool);
      this.pools.delete(pool);
    }
  }

  /** Number of pools with entries. */
  get poolCount(): number {
    return this.pools.size;
  }

  /** Every entry, by pool and time. */
  *digestRows(): Iterable<string> {
    for (const pool of [...this.pools.keys()].sort()) {
      for (const entry of this.pools.get(pool) ?? []) {
        const { timeMs, wallet, cluster, weightE6, isEligible, boughtUsd, soldUsd } = entry;
        yield `smart flow ${pool} ${timeMs} ${wallet} ${cluster} ${weightE6} ${isEligible} ${boughtUsd} ${soldUsd}`;
      }
    }
  }

  private movesOf(pool: Address, nowMs: number): SmartMoves[] {
    const known = this.pools.get(pool);
    if (known !== undefined) {
      this.dropHead(known, nowMs);
      return known;
    }
    const moves: SmartMoves[] = [];
    this.undo.map(this.pools, pool);
    this.pools.set(pool, moves);
    return moves;
  }

  private open(moves: SmartMoves[], trade: SmartTrade): SmartMoves {
    const { timeMs, wallet, cluster, isEligible } = trade;
    const weightE6 = weightOf(trade.score);
    const entry = { timeMs, wallet, cluster, weightE6, isEligible, boughtUsd: 0n, soldUsd: 0n };
    this.undo.push(moves);
    moves.push(entry);
    return entry;
  }

  private dropHead(moves: SmartMoves[], nowMs: number): void {
    const kept = moves.findIndex(({ timeMs }) => isWithin(timeMs, nowMs));
    const count = kept === -1 ? moves.length : kept;
    if (count === 0) return;
    this.undo.head(moves, count);
    moves.splice(0, count);
  }
}

type Flow = 'boughtUsd' | 'soldUsd';

function isWithin(timeMs: number, nowMs: number): boolean {
  return timeMs > nowMs - SMART_FLOW_WINDOW_MS;
}

function weightOf(score: number): number {
  return Math.round(Math.min(Math.max(score, 0), 100) * 1e4);
}

/** The wallet's entry to which the trade can be added. Entries of the same time are at the end. */
function findSame(moves: readonly SmartMoves[], trade: SmartTrade): SmartMoves | undefined {
  for (let index = moves.length - 1; index >= 0; index--) {
    const entry = moves[index];
    if (entry === undefined || entry.timeMs !== trade.timeMs) return undefined;
    if (entry.wallet !== trade.wallet) continue;
    const { cluster, weightE6, isEligible } = entry;
    const isSameWeight = weightE6 === weightOf(trade.score);
    const isSame = isSameWeight && cluster === trade.cluster && isEligible === trade.isEligible;
    return isSame ? entry : undefined;
  }
  return undefined;
}

function sumOf(moves: readonly SmartMoves[], flow: Flow): UsdNano {
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
function weightedSum(moves: readonly SmartMoves[], flow: Flow): UsdNano {
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
  moves: readonly SmartMoves[],
  flow: Flow,
): Map<Address, WalletFlow & { readonly cluster: Address | null }> {
  const wallets = new Map<Address, WalletFlow & { readonly cluster: Address | null }>();
  // Newest first: the latest cluster of a wallet is the most reliable one.
  for (const entry of moves.toReversed()) {
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
