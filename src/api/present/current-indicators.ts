import type { PoolRecord } from '../../model/pool-record.ts';
import type { PoolIndicators } from '../batch-reads.ts';
import type { ApiDeps } from '../deps.ts';
import { IndicatorsBody } from './indicators-body.ts';
import { presentSocialScores } from './present-social.ts';
import type { Wire } from './wire-record.ts';

/** A pool without a swap for this long is inactive. */
const INACTIVE_AFTER_MS = 24 * 3_600_000;

/** The body of a pool's indicators at the newest slot, whose block time is `timeMs`. */
export function presentCurrentIndicators(
  deps: Pick<ApiDeps, 'social' | 'nowMs'>,
  { pool, indicators }: PoolIndicators,
  timeMs: number | null,
): Wire<typeof IndicatorsBody> {
  const nowMs = timeMs ?? pool.updatedAtMs;
  const tracked = deps.social.tracked(indicators.baseMint);
  return IndicatorsBody.present(indicators, {
    social: presentSocialScores(tracked, deps.nowMs()),
    createdAtMs: nowMs,
    updatedAtMs: pool.updatedAtMs,
    isActive: isActive(pool, nowMs),
  });
}

/** Relative to the time of the newest slot, so that replayed data is judged by its own clock. */
export function isActive({ lastSwapMs, firstSeenMs }: PoolRecord, nowMs: number | null): boolean {
  const lastSeenMs = lastSwapMs ?? firstSeenMs;
  return nowMs === null || lastSeenMs === null || nowMs - lastSeenMs <= INACTIVE_AFTER_MS;
}
