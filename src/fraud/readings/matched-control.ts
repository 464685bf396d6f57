import { binomialSurvivalLog10 } from '../../lib/tail-probability.ts';
import type { Address } from '../../model/units.ts';

/** A holder at the start of a span, and whether it did the action in question in the span. */
export interface WatchedHolder {
  readonly wallet: Address;
  readonly heldRaw: bigint;
  readonly did: boolean;
}

/** Number of size groups that the others are divided into (METHODS §7.7). */
const DECILES = 10;
/** Minimum number of holders in a group for a meaningful rate. */
const PER_GROUP_MIN = 5;
/** Lower bound of the rate. */
const RATE_MIN = 0.02;

/**
 * The rate at which others of similar size did the same: the rate of each member's decile among the
 * others, averaged over members. Holders at the exact end of a decile are included in it. Null when
 * there are too few others or no members.
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
    const decile = deciles.findIndex(({ high }) => heldRaw <= high);
    sum += deciles.at(decile)?.rate ?? 0;
  }
  return Math.max(RATE_MIN, sum / members.length);
}

/**
 * −log10 of the probability that so many members did it at the rate of matched others: 2 for one in
 * a hundred. Null when there are too few others to compare with.
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
