import type { PoolRecord } from '../../model/pool-record.ts';
import type { Address, PriceE18 } from '../../model/units.ts';
import type { PoolDepth } from '../../signals/execution/fill.ts';
import { poolDepth } from '../../signals/execution/pool-depth.ts';
import { poolFeeBps } from '../../signals/execution/pool-fee.ts';
import { FOLLOWED_MS } from '../worth/traded-hits.ts';

/** States of all pools together: 200 MiB. */
export const POINTS_MAX = 1_500_000;

/** A range of which a backtest would need more memory than it may have. */
export class BacktestTooLarge extends Error {
  override readonly name = 'BacktestTooLarge';
}

interface FollowedPool {
  readonly points: PoolDepth[];
  untilMs: number;
}

/** States of pools for as long as a hit of one of their minutes is followed. */
export class PathBook {
  private readonly pools = new Map<Address, FollowedPool>();
  private pointCount = 0;

  /**
   * Follows a pool from its state at the end of a minute. Returns the place of that state among
   * those of the pool; null if it is unknown.
   */
  follow(pool: PoolRecord, timeMs: number, solUsd: PriceE18 | null): number | null {
    const depth = depthOf(pool, timeMs, solUsd);
    if (depth === null) return null;
    const followed = this.pools.get(pool.pool) ?? { points: [], untilMs: 0 };
    this.pools.set(pool.pool, followed);
    followed.untilMs = Math.max(followed.untilMs, timeMs + FOLLOWED_MS);
    // A pool that is followed has this state already.
    const last = followed.points.at(-1);
    if (last === undefined || last.timeMs < timeMs) this.add(followed, depth);
    return followed.points.length - 1;
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

  /** All states by pool, in order of time. */
  get points(): ReadonlyMap<Address, readonly PoolDepth[]> {
    return new Map([...this.pools].map(([pool, { points }]) => [pool, points]));
  }

  private add({ points }: FollowedPool, depth: PoolDepth): void {
    if (this.pointCount >= POINTS_MAX) {
      throw new BacktestTooLarge(
        `The pools changed more than ${POINTS_MAX} times in this range: choose a shorter one.`,
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
