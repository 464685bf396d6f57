import { binomialSurvivalLog10 } from '../../lib/tail-probability.ts';
import type { Address } from '../../model/units.ts';

/** A holder at the beginning of a span, and whether it did in it what is asked. */
export interface WatchedHolder {
  readonly wallet: Address;
  readonly heldRaw: bigint;
  readonly did: boolean;
}

/** Groups of like size that the others are cut into (METHODS §7.7). */
const DECILES = 10;
/** A rate of fewer than this says nothing. */
const PER_GROUP_MIN = 5;
/** However quiet the others were, chance is taken to be no rarer. */
const RATE_MIN = 0.02;

/**
 * How often others who held about as much did the same: of each member the rate of its decile among
 * the others, averaged over members. Who holds exactly as much as the end of a decile is of it too.
 * Null when there are too few others or no members.
 */
export function matchedRate(
  members: readonly WatchedHolder[],
  others: readonly WatchedHolder[],
): number | null {
  const count = Math.min(DECILES, Math.floor(others.length / PER_GROUP_MIN));
  if (count === 0 || members.length === 0) return null;
  const sizes = others.map(({ heldRaw }) => heldRaw).sort(bySize);
  const deciles = Array.from({ length: count }, (_, index) => {
    const low = sizes[Math.floor((index * sizes.length) / count)] ?? 0n;
    const high = sizes[Math.floor(((index + 1) * sizes.length) / count) - 1] ?? 0n;
    const alike = others.filter(({ heldRaw }) => heldRaw >= low && heldRaw <= high);
    return { high, rate: alike.filter(({ did }) => did).length / alike.length };
  });
  let sum = 0;
  for (const { heldRaw } of members) {
    const place = deciles.findIndex(({ high }) => heldRaw <= high);
    sum += deciles.at(place)?.rate ?? 0;
  }
  return Math.max(RATE_MIN, sum / members.length);
}

/**
 * −log10 of the chance that so many members did it at the rate of matched others: 2 for one in a
 * hundred. Null when there is nobody to compare with.
 */
export function surpriseOf(
  members: readonly WatchedHolder[],
  others: readonly WatchedHolder[],
): number | null {
  const rate = matchedRate(members, others);
  if (rate === null) return null;
  const count = members.filter(({ did }) => did).length;
  return Math.max(0, -binomialSurvivalLog10(count, members.length, rate));
}

function bySize(one: bigint, other: bigint): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
