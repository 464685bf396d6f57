import type { IndicatorRecord } from '../../model/indicators.ts';
import { meanHoldNs } from './hold-time.ts';
import type { PoolWallets } from './pool-row.ts';
import { toHundredths } from './shares.ts';
import { meanTradeFrequencyNs } from './trade-frequency.ts';

type TimeIndicators = Pick<
  IndicatorRecord,
  'organicMeanHoldSeconds' | 'organicMeanTradeFrequencySeconds'
>;

/** Mean hold time and trade frequency; `sinceOriginMs` is the time since the mint's origin. */
export function timeIndicators(
  pool: PoolWallets | undefined,
  sinceOriginMs: number | null,
): TimeIndicators {
  const isTimed = pool !== undefined && sinceOriginMs !== null;
  return {
    organicMeanHoldSeconds: isTimed ? toSeconds(meanHoldNs(pool, sinceOriginMs)) : null,
    organicMeanTradeFrequencySeconds:
      pool === undefined ? null : toSeconds(meanTradeFrequencyNs(pool)),
  };
}

function toSeconds(ns: number | null): number | null {
  return ns === null ? null : toHundredths(ns / 1e9);
}
