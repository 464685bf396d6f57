import type { Signal } from '../../model/signal.ts';
import { usd } from '../features/features.ts';

/** The bounds between the ranges. */
const AGE_HOURS = [1, 6, 24, 168];
const MARKET_CAP_USD = [30_000, 100_000, 300_000, 1_000_000, 3_000_000, 10_000_000];
const LIQUIDITY_USD = [20_000, 50_000, 100_000, 300_000];

/** Cells are numbered from 0 to one less than this. */
export const MARKET_CELLS =
  (AGE_HOURS.length + 1) * (MARKET_CAP_USD.length + 1) * (LIQUIDITY_USD.length + 1);

/**
 * The cell of similar tokens: one range each of age, market cap and liquidity (METHODS §6.3). A
 * signal is compared with random minutes of its cell.
 */
export function marketCellOf(
  signal: Pick<Signal, 'ageMs' | 'marketCapUsd' | 'liquidityUsd'>,
): number {
  const { ageMs } = signal;
  // A token of unknown age is older than the available history, which exceeds all these bounds.
  const age = ageMs === null ? AGE_HOURS.length : rangeOf(ageMs / 3_600_000, AGE_HOURS);
  const cap = rangeOf(usd(signal.marketCapUsd) ?? 0, MARKET_CAP_USD);
  const liquidity = rangeOf(usd(signal.liquidityUsd) ?? 0, LIQUIDITY_USD);
  return (age * (MARKET_CAP_USD.length + 1) + cap) * (LIQUIDITY_USD.length + 1) + liquidity;
}

function rangeOf(value: number, ends: readonly number[]): number {
  const at = ends.findIndex((end) => value < end);
  return at === -1 ? ends.length : at;
}
