import type { Signal } from '../../model/signal.ts';
import { usd } from '../features/features.ts';

/** Where a range ends and the next one begins. */
const AGE_HOURS = [1, 6, 24, 168];
const MARKET_CAP_USD = [30_000, 100_000, 300_000, 1_000_000, 3_000_000, 10_000_000];
const LIQUIDITY_USD = [20_000, 50_000, 100_000, 300_000];

/** Cells are numbered from 0 to this less one. */
export const MARKET_CELLS =
  (AGE_HOURS.length + 1) * (MARKET_CAP_USD.length + 1) * (LIQUIDITY_USD.length + 1);

/**
 * Tokens that are alike: one range of age, market cap and liquidity (METHODS §6.3). A signal is
 * compared with random minutes of its cell.
 */
export function marketCellOf(
  signal: Pick<Signal, 'ageMs' | 'marketCapUsd' | 'liquidityUsd'>,
): number {
  const { ageMs } = signal;
  // Older than the held history is older than any of these.
  const age = ageMs === null ? AGE_HOURS.length : rangeOf(ageMs / 3_600_000, AGE_HOURS);
  const cap = rangeOf(usd(signal.marketCapUsd) ?? 0, MARKET_CAP_USD);
  const liquidity = rangeOf(usd(signal.liquidityUsd) ?? 0, LIQUIDITY_USD);
  return (age * (MARKET_CAP_USD.length + 1) + cap) * (LIQUIDITY_USD.length + 1) + liquidity;
}

function rangeOf(value: number, ends: readonly number[]): number {
  const at = ends.findIndex((end) => value < end);
  return at === -1 ? ends.length : at;
}
