import type { IndicatorRecord } from '../../model/indicators.ts';
import { circulatingValue } from '../../model/market-cap.ts';
import type { FiguresByWindow } from '../../model/market-window.ts';
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

/** The table of the market. */
export interface MarketFigures {
  windowsOf(pool: Address): FiguresByWindow;
  /** Highest confidence of the published findings of a mint, 0 without one. */
  confidenceOf(mint: Address): number;
}

/**
 * The figures of a pool that triggers compare beside those of its record, as they are now. `market`
 * is null while it is incomplete.
 */
export function widerFiguresOf(
  source: FiguresSource,
  market: MarketFigures | null,
  pool: PoolRecord,
): WiderFigures {
  const token = source.token(pool.baseMint);
  const indicators = source.indicators(pool.pool);
  const windows = market?.windowsOf(pool.pool) ?? null;
  return {
    marketCapUsd: token === null ? null : circulatingValue(token, pool.priceUsd),
    organicRatioE4: indicators === null ? null : organicRatioE4(indicators),
    rawHolders: indicators?.rawHolders ?? null,
    smartMoneyInflux10min: indicators?.smartMoneyInflux10min ?? null,
    priceChange5mE4: ratioE4(windows?.['5m'].priceChange ?? null),
    priceChange1hE4: ratioE4(windows?.['1h'].priceChange ?? null),
    fraudConfidenceE4: ratioE4(market?.confidenceOf(pool.baseMint) ?? null),
  };
}

/** Null for a ratio of nothing. */
function organicRatioE4({ totalWallets, organicToTotalWalletsRatio }: IndicatorRecord) {
  return totalWallets === 0 ? null : ratioE4(organicToTotalWalletsRatio);
}

/** Null also for a change that is too large for a number. */
function ratioE4(ratio: number | null): bigint | null {
  const units = ratio === null ? Number.NaN : Math.round(ratio * RATIO_UNITS);
  return Number.isFinite(units) ? BigInt(units) : null;
}
