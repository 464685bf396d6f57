import type { BacktestHit } from '../../model/backtest.ts';
import type { Address, Slot } from '../../model/units.ts';
import type { PoolDepth } from '../../signals/execution/fill.ts';
import type { HitWithPath } from '../worth/traded-hits.ts';
import type { TestedValues } from './tested-rule.ts';

/** A minute of a pool in which rules are judged: of a token's primary pool, under no cheap veto. */
export interface TapeRow extends Pick<HitWithPath, 'ageMs' | 'marketCapUsd' | 'liquidityUsd'> {
  readonly at: BacktestHit;
  /**
   * Whether a rule that passes gives a signal: the supply is not concentrated, and price, supply and
   * liquidity are known. Unknown amounts are 0.
   */
  readonly canSignal: boolean;
  /** As they were read at the end of the minute. */
  readonly values: TestedValues;
  /**
   * The same from a log that ends with the minute: `values` itself if nothing differs. Null if it was
   * not read, or if that log does not have the minute.
   */
  readonly cutValues: TestedValues | null;
  /** The state of the pool at the end of the minute, among those of the pool; null if unknown. */
  readonly pointIndex: number | null;
}

/** What rules are judged on and valued by. Plain data that can be stored. */
export interface MinuteTape {
  /** In order of time. */
  readonly rows: readonly TapeRow[];
  readonly points: ReadonlyMap<Address, readonly PoolDepth[]>;
  /** Time of the first and last slot that was applied. */
  readonly startMs: number;
  readonly endMs: number;
  readonly firstSlot: Slot | null;
  readonly lastSlot: Slot | null;
}
