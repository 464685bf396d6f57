import { powerOfTen, USD_NANO_SCALE } from '../../model/units.ts';
import type { PositionView } from './position-view.ts';

/** What decides whether a wallet is ahead at a price. */
export interface ProfitTerms {
  /** The wallet is ahead when what it holds is worth more than this. */
  readonly needUsd: bigint;
  /** Nothing for a closed position. */
  readonly heldRaw: bigint;
}

/**
 * A wallet is profitable when R + q·P − C is more than the larger of one cent and 0.1 % of what it
 * ever paid (METHODS §2.2), R being realised, C the cost of the q still held; a closed position is
 * judged by R alone. The tolerance is whole nano-dollars, rounded down. Null for a wallet that never
 * bought at a known cost, and for amounts beyond 64 bits.
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

/** A price with what makes it comparable to amounts of one mint. */
export interface PriceInUnits {
  readonly priceUsd: bigint;
  /** An amount times `priceUsd` over this is nano-dollars. */
  readonly unit: bigint;
}

export function priceInUnits(priceUsd: bigint, baseDecimals: number): PriceInUnits {
  // A price has 18 fraction digits, of which nano-dollars keep nine.
  return { priceUsd, unit: powerOfTen(baseDecimals + 18 - USD_NANO_SCALE) };
}

/** Exact at the edge: nothing is divided. */
export function isProfitable(
  { needUsd, heldRaw }: ProfitTerms,
  { priceUsd, unit }: PriceInUnits,
): boolean {
  return heldRaw * priceUsd > needUsd * unit;
}

/** Whether the answer is the same at every price above zero; null when the price decides. */
export function isAlwaysProfitable({ needUsd, heldRaw }: ProfitTerms): boolean | null {
  if (needUsd < 0n) return true;
  return heldRaw === 0n ? false : null;
}

/**
 * Dollars per whole token above which the wallet is ahead, to within a few parts in 10^16: it says
 * near which others the wallet stands, never on which side of a price.
 */
export function breakEvenUsd({ needUsd, heldRaw }: ProfitTerms, baseDecimals: number): number {
  return (Number(needUsd) / Number(heldRaw)) * 10 ** (baseDecimals - USD_NANO_SCALE);
}
