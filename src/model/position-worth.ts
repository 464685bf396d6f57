import { mulDiv } from '../lib/decimal.ts';
import {
  asPriceE18,
  asRawAmount,
  asUsdNano,
  PRICE_MAX,
  PRICE_SCALE,
  type PriceE18,
  powerOfTen,
  type RawAmount,
  USD_NANO_SCALE,
  type UsdNano,
} from './units.ts';

/** What the worth and the profit of a position follow from (METHODS §0.6). */
export interface PositionFigures {
  /** Units held with a known cost. */
  readonly heldRaw: RawAmount;
  /** Units held beside them without a known cost. */
  readonly unknownBasisRaw: RawAmount;
  /** Cost of the former. */
  readonly costUsd: UsdNano;
  /** Of sold units of known cost: 0 also while there were none. */
  readonly realisedUsd: UsdNano;
  /** Whether any unit ever had a known cost. Of units that were only received, no profit is known. */
  readonly hasKnownCost: boolean;
  /** Price of one token; null while unknown. */
  readonly priceUsd: PriceE18 | null;
  /** Null while unknown. */
  readonly decimals: number | null;
}

/** All units held. */
export function holdingOf({
  heldRaw,
  unknownBasisRaw,
}: Pick<PositionFigures, 'heldRaw' | 'unknownBasisRaw'>): RawAmount {
  return asRawAmount(heldRaw + unknownBasisRaw);
}

/** The value of an amount at the price, rounded half up; null if price or decimals are unknown. */
export function worthOf(
  raw: RawAmount,
  { priceUsd, decimals }: Pick<PositionFigures, 'priceUsd' | 'decimals'>,
): UsdNano | null {
  if (priceUsd === null || decimals === null) return null;
  const scale = powerOfTen(decimals + PRICE_SCALE - USD_NANO_SCALE);
  return asUsdNano(mulDiv(raw, priceUsd, scale, 'half-up'));
}

/** Profit of the sold units of known cost; null if no unit ever had one. */
export function realisedOf({
  hasKnownCost,
  realisedUsd,
}: Pick<PositionFigures, 'hasKnownCost' | 'realisedUsd'>): UsdNano | null {
  return hasKnownCost ? realisedUsd : null;
}

/** The value of the units of known cost less that cost; null while one of both is unknown. */
export function unrealisedOf(position: PositionFigures): UsdNano | null {
  if (!position.hasKnownCost) return null;
  const worthUsd = worthOf(position.heldRaw, position);
  return worthUsd === null ? null : asUsdNano(worthUsd - position.costUsd);
}

/** Realised and unrealised profit together; null while the latter is unknown. */
export function profitOf(position: PositionFigures): UsdNano | null {
  const unrealisedUsd = unrealisedOf(position);
  return unrealisedUsd === null ? null : asUsdNano(position.realisedUsd + unrealisedUsd);
}

/** Cost per token. Null without units of known cost, and if the result exceeds any price. */
export function averagePriceOf(position: PositionFigures): PriceE18 | null {
  const { costUsd, decimals, heldRaw } = position;
  if (decimals === null || heldRaw <= 0n) return null;
  const scale = powerOfTen(decimals + PRICE_SCALE - USD_NANO_SCALE);
  const average = mulDiv(costUsd, scale, heldRaw, 'half-up');
  return average > PRICE_MAX ? null : asPriceE18(average);
}
