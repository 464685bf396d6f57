import { powerOfTen, USD_NANO_SCALE } from '../../model/units.ts';
import type { PositionView } from './position-view.ts';

/** The terms that decide whether a wallet is profitable at a price. */
export interface ProfitTerms {
  /** The wallet is profitable if its holdings are worth more than this. */
  readonly needUsd: bigint;
  /** 0 for a closed position. */
  readonly heldRaw: bigint;
}

/**
 * A wallet is profitable if R + q·P − C is more than the larger of one cent and 0.1 % of its total
 * purchases (METHODS §2.2), where R is the realised profit and C the cost of the q units still
 * held; for a closed position only R counts. The tolerance is rounded down to whole nano-dollars.
 * Null for a wallet that never bought at a known cost, and for amounts beyond 64 bits.
 */
export function profitTermsOf(position: PositionView): ProfitTerms | null {
  if (!position.hasKnownBuy) return null;
  const { isOpen, costUsd, realisedUsd, grossCostUsd, heldRaw } = position;
  const share = grossCostUsd / TOLERANCE_PARTS;
  const tolerance = share > TOLERANCE_MIN_USD ? share : TOLERANCE_MIN_USD;
  const needUsd = (isOpen ? costUsd : 0n) - realisedUsd + tolerance;
  if (BigInt.asIntN(64, needUsd) !== needUsd) return null;
  return { needUsd, heldRaw: isOpen ? heldRaw : 0n };
}

const TOLERANCE_PARTS = 1_000n;
const TOLERANCE_MIN_USD = 10_000_000n;

/** A price together with the divisor for amounts of one mint. */
export interface PriceInUnits {
  readonly priceUsd: bigint;
  /** amount · `priceUsd` / `unit` is in nano-dollars. */
  readonly unit: bigint;
}

export function priceInUnits(priceUsd: bigint, baseDecimals: number): PriceInUnits {
  // A price has 18 decimals, nano-dollars have nine.
  return { priceUsd, unit: powerOfTen(baseDecimals + 18 - USD_NANO_SCALE) };
}

/** Exact: uses no division. */
export function isProfitable(
  { needUsd, heldRaw }: ProfitTerms,
  { priceUsd, unit }: PriceInUnits,
): boolean {
  return heldRaw * priceUsd > needUsd * unit;
}

/** True or false if that holds at every price above zero; null if it depends on the price. */
export function isAlwaysProfitable({ needUsd, heldRaw }: ProfitTerms): boolean | null {
  if (needUsd < 0n) return true;
  return heldRaw === 0n ? false : null;
}

/**
 * Dollars per whole token above which the wallet is profitable, with an error of a few parts in
 * 10^16. Use it to sort wallets into buckets, not to compare one with a price.
 */
export function breakEvenUsd({ needUsd, heldRaw }: ProfitTerms, baseDecimals: number): number {
  return (Number(needUsd) / Number(heldRaw)) * 10 ** (baseDecimals - USD_NANO_SCALE);
}
