import type { PoolRecord } from '../../model/pool-record.ts';
import type { Address, PriceE18 } from '../../model/units.ts';
import type { PoolDepth } from '../../signals/execution/fill.ts';
import { poolDepth } from '../../signals/execution/pool-depth.ts';
import { poolFeeBps } from '../../signals/execution/pool-fee.ts';
import type { PricePath } from '../worth/hypothetical-trade.ts';
import { FOLLOWED_MS } from '../worth/traded-hits.ts';

/** States of all pools together: 400 MiB. */
export const POINTS_MAX = 3_000_000;

/** A range of which a backtest would need more memory than it may have. */
export class BacktestTooLarge extends Error {
  override readonly name = 'BacktestTooLarge';
}

interface FollowedPool {
  readonly points: PoolDepth[];
  untilMs: number;
}

/** Where the path of a hit begins in the states of its pool. */
export interface PathStart {
  readonly pool: Address;
  readonly index: number;
  /** The path is not needed after this time. */
  readonly untilMs: number;
}

/** States of pools after hits, one for each slot that changed them. */
export class PathBook {
  private readonly pools = new Map<Address, FollowedPool>();
  private pointCount = 0;

  /** Follows a pool from the state at the end of a minute; null if that is unknown. */
  follow(pool: PoolRecord, timeMs: number, solUsd: PriceE18 | null): PathStart | null {
    const depth = depthOf(pool, timeMs, solUsd);
    if (depth === null) return null;
    const followed = this.pools.get(pool.pool) ?? { points: [], untilMs: 0 };
    this.pools.set(pool.pool, followed);
    const untilMs = timeMs + FOLLOWED_MS;
    followed.untilMs = Math.max(followed.untilMs, untilMs);
    // A pool that is followed has this state already.
    const last = followed.points.at(-1);
    if (last === undefined || last.timeMs < timeMs) this.add(followed, depth);
    return { pool: pool.pool, index: followed.points.length - 1, untilMs };
  }

  /** Applies the pools that changed in a slot. */
  note(pools: readonly PoolRecord[], timeMs: number, solUsd: PriceE18 | null): void {
    for (const pool of pools) {
      const followed = this.pools.get(pool.pool);
      if (followed === undefined || timeMs > followed.untilMs) continue;
      const depth = depthOf(pool, timeMs, solUsd);
      if (depth !== null) this.add(followed, depth);
    }
  }

  /** The states of a pool from a hit on. `endMs` is the time of the log's last slot. */
  pathOf({ pool, index, untilMs }: PathStart, endMs: number): PricePath {
    const points = this.pools.get(pool)?.points ?? [];
    let end = index;
    while (end < points.length && (points[end]?.timeMs ?? 0) <= untilMs) end++;
    return { points: points.slice(index, end), endMs };
  }

  private add({ points }: FollowedPool, depth: PoolDepth): void {
    if (this.pointCount >= POINTS_MAX) {
      throw new BacktestTooLarge(
        `The pools of the hits and of the comparison changed more than ${POINTS_MAX} times: ` +
          'choose a shorter range, or a smaller share of minutes for comparison.',
      );
    }
    this.pointCount++;
    points.push(depth);
  }
}

function depthOf(pool: PoolRecord, timeMs: number, solUsd: PriceE18 | null): PoolDepth | null {
  if (solUsd === null) return null;
  return poolDepth(pool, { timeMs, feeBps: poolFeeBps(pool.venue), solUsd });
}
