/**
 * Conditions on a pool's figures (specification 2.4, CONTRACT §2.5). Comparisons are exact: the
 * threshold is converted to the scale of the figure. If it has more digits than that scale, the
 * bound is the integer next to it: below if the figure must be above it, else above.
 */
import { divide, formatTrimmed } from '../../lib/decimal.ts';
import type { PoolFigures } from '../../model/pool-figures.ts';
import {
  type Comparison,
  type Condition,
  type FigureUnit,
  isAboveOperator,
  TRIGGER_FIELDS,
  type TriggerField,
  unitOf,
} from '../../model/trigger.ts';
import { isThreshold } from '../../model/trigger-threshold.ts';
import { LAMPORT_SCALE, PRICE_SCALE, powerOfTen, USD_NANO_SCALE } from '../../model/units.ts';

/** Decimal places of ratios. */
export const RATIO_SCALE = 4;

/** Decimal places by unit. Ratios have four, as on the wire. */
const SCALES: Readonly<Record<Exclude<FigureUnit, 'tokens'>, number>> = {
  sol: LAMPORT_SCALE,
  count: 0,
  usd: USD_NANO_SCALE,
  price: PRICE_SCALE,
  ratio: RATIO_SCALE,
};

/** A condition for given token decimals: the figure, as an integer, is above or below a bound. */
export interface BoundCondition {
  /** Index of the field in TRIGGER_FIELDS. */
  readonly field: number;
  readonly isAbove: boolean;
  readonly bound: bigint;
  /** The floating-point number nearest to the bound. */
  readonly rounded: number;
}

/** Throws RangeError for a value that `isThreshold` rejects. */
export function bindCondition(
  { field, operator, value }: Condition,
  tokenDecimals: number,
): BoundCondition {
  if (!isThreshold(field, value)) throw new RangeError(`invalid threshold for ${field}: ${value}`);
  const isAbove = isAboveOperator(operator);
  const bound = boundFor(value, isAbove, scaleOf(field, tokenDecimals));
  return { field: TRIGGER_FIELDS.indexOf(field), isAbove, bound, rounded: Number(bound) };
}

/** The integer at `scale` that a figure must be above or below. */
export function boundFor(value: string, isAbove: boolean, scale: number): bigint {
  const { floor, ceiling } = boundsOf(value, scale);
  return isAbove ? floor : ceiling;
}

/** The number of fields, the first ones, that are written without reading them as integers. */
const RECORD_FIELDS = 9;

/** The number of figures that conditions can use. */
export const FIGURE_COUNT = TRIGGER_FIELDS.length;

/**
 * Writes the figures in the order of TRIGGER_FIELDS as floating-point numbers, NaN for an unknown
 * figure. Rounding preserves order: if two rounded numbers differ, the exact ones differ in the
 * same direction.
 */
export function roundFigures(figures: PoolFigures, into: Float64Array): void {
  into[0] = rounded(figures.solLamports);
  into[1] = rounded(figures.tokenRaw);
  into[2] = figures.buyCount;
  into[3] = figures.sellCount;
  into[4] = rounded(figures.buyVolumeUsd);
  into[5] = rounded(figures.sellVolumeUsd);
  into[6] = rounded(figures.totalVolumeUsd);
  into[7] = rounded(figures.priceUsd);
  into[8] = rounded(figures.liquidityUsd);
  for (let field = RECORD_FIELDS; field < READS.length; field++) {
    into[field] = rounded(READS[field]?.(figures) ?? null);
  }
}

/** The exact comparison, needed when the rounded numbers are equal. False for an unknown figure. */
export function isMetExactly(
  { field, isAbove, bound }: BoundCondition,
  figures: PoolFigures,
): boolean {
  const read = READS[field];
  const figure = read === undefined ? null : read(figures);
  if (figure === null) return false;
  return isAbove ? figure > bound : figure < bound;
}

/** The conditions, each with the exact figure that it was compared with. */
export function compareConditions(
  conditions: readonly Condition[],
  figures: PoolFigures,
): readonly Comparison[] {
  return conditions.map((condition) => {
    const figure = EXACT[condition.field](figures);
    const scale = scaleOf(condition.field, figures.tokenDecimals);
    return { ...condition, compared: figure === null ? null : formatTrimmed(figure, scale) };
  });
}

const EXACT: Readonly<Record<TriggerField, (figures: PoolFigures) => bigint | null>> = {
  sol_amount: ({ solLamports }) => solLamports,
  token_amount: ({ tokenRaw }) => tokenRaw,
  number_of_buys: ({ buyCount }) => BigInt(buyCount),
  number_of_sells: ({ sellCount }) => BigInt(sellCount),
  buy_volume_usd: ({ buyVolumeUsd }) => buyVolumeUsd,
  sell_volume_usd: ({ sellVolumeUsd }) => sellVolumeUsd,
  total_volume_usd: ({ totalVolumeUsd }) => totalVolumeUsd,
  price_usd: ({ priceUsd }) => priceUsd,
  liquidity_usd: ({ liquidityUsd }) => liquidityUsd,
  marketcap_usd: ({ marketCapUsd }) => marketCapUsd,
  organic_to_total_wallets_ratio: ({ organicRatioE4 }) => organicRatioE4,
  raw_holders: ({ rawHolders }) => (rawHolders === null ? null : BigInt(rawHolders)),
  smart_money_influx_10min: ({ smartMoneyInflux10min }) => smartMoneyInflux10min,
  price_change_5m: ({ priceChange5mE4 }) => priceChange5mE4,
  price_change_1h: ({ priceChange1hE4 }) => priceChange1hE4,
  fraud_confidence: ({ fraudConfidenceE4 }) => fraudConfidenceE4,
};

const READS = TRIGGER_FIELDS.map((field) => EXACT[field]);

function rounded(figure: bigint | null): number {
  return figure === null ? Number.NaN : Number(figure);
}

/** Number of decimal places of a figure. */
function scaleOf(field: TriggerField, tokenDecimals: number): number {
  const unit = unitOf(field);
  return unit === 'tokens' ? tokenDecimals : SCALES[unit];
}

/** A decimal number at `scale`, rounded down and up; both are equal when it is an integer there. */
function boundsOf(
  text: string,
  scale: number,
): { readonly floor: bigint; readonly ceiling: bigint } {
  const [whole = '', fraction = ''] = text.split('.');
  const scaled = BigInt(whole + fraction) * powerOfTen(scale);
  const unit = powerOfTen(fraction.length);
  const floor = divide(scaled, unit, 'down');
  return { floor, ceiling: floor * unit === scaled ? floor : floor + 1n };
}
