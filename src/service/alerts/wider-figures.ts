import type { IndicatorRecord } from '../../model/indicators.ts';
import { circulatingValue } from '../../model/market-cap.ts';
import type { WiderFigures } from '../../model/pool-figures.ts';
import type { PoolRecord } from '../../model/pool-record.ts';
import type { TokenRecord } from '../../model/token-record.ts';
import type { Address } from '../../model/units.ts';

/** Units of 10^-4 in a ratio of one. */
const RATIO_UNITS = 10_000;

export interface FiguresSource {
  token(mint: Address): TokenRecord | null;
  indicators(pool: Address): IndicatorRecord | null;
}

/** The figures of a pool that triggers compare beside those of its record, as they are now. */
export function widerFiguresOf(source: FiguresSource, pool: PoolRecord): WiderFigures {
  const token = source.token(pool.baseMint);
  const indicators = source.indicators(pool.pool);
  return {
    marketCapUsd: token === null ? null : circulatingValue(token, pool.priceUsd),
    organicRatioE4: indicators === null ? null : organicRatioE4(indicators),
    rawHolders: indicators?.rawHolders ?? null,
    smartMoneyInflux10min: indicators?.smartMoneyInflux10min ?? null,
  };
}

/** Null for a ratio of nothing. */
function organicRatioE4({ totalWallets, organicToTotalWalletsRatio }: IndicatorRecord) {
  return totalWallets === 0 ? null : BigInt(Math.round(organicToTotalWalletsRatio * RATIO_UNITS));
}
