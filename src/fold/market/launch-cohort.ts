import type { Address, Lamports } from '../../model/units.ts';

/** A buy of the launch slot, after the transaction that created the mint. */
export interface CohortBuy {
  /** Number of transactions after the creating one, 1 for the next one in the block. */
  readonly offset: number;
  readonly owner: Address;
  readonly lamports: Lamports;
  /** The transaction pays its own Jito tip. */
  readonly hasTip: boolean;
}

/** Thresholds of METHODS §3, level L2o; measured there on 26 real bundled launches. */
const OFFSET_MAX = 40;
const GAP_MAX = 10;
const OWNERS_MIN = 3;
const VARIATION_MAX = 0.15;
/** People type sizes that are multiples of 0.01 SOL. */
const ROUND_LAMPORTS = 10_000_000n;

/**
 * Finds buys of a launch slot that were placed by one person: at least three owners close after the
 * creation, with similar sizes that are not all round numbers, and at most half of them with their
 * own tip (a bundle pays one tip, snipers pay each their own). An unrelated buy of another size in
 * between does not prevent detection. `buys` are in block order. Empty if there is no such group.
 */
export function findLaunchCohort<Buy extends CohortBuy>(buys: readonly Buy[]): Buy[] {
  const near = buys.filter(({ offset, lamports }) => offset <= OFFSET_MAX && lamports > 0n);
  let found: Buy[] = [];
  for (const alike of groupsAlike(near)) {
    for (const group of splitAtGaps(alike)) {
      if (group.length > found.length && isCohort(group)) found = group;
    }
  }
  return found;
}

/** True if the group directly follows the creation without a gap. */
export function isContiguousFromCreation(group: readonly CohortBuy[]): boolean {
  return group.every(({ offset }, index) => offset === index + 1);
}

function isCohort(group: readonly CohortBuy[]): boolean {
  if (new Set(group.map(({ owner }) => owner)).size < OWNERS_MIN) return false;
  if (group.every(({ lamports }) => lamports % ROUND_LAMPORTS === 0n)) return false;
  if (2 * group.filter(({ hasTip }) => hasTip).length > group.length) return false;
  const sizes = group.map(({ lamports }) => Number(lamports));
  return variationOf(sizes, 0, sizes.length) <= VARIATION_MAX;
}

/** For each buy as the smallest: the largest group within the allowed variation, in block order. */
function groupsAlike<Buy extends CohortBuy>(buys: readonly Buy[]): Buy[][] {
  const bySize = [...buys].sort((one, other) => (one.lamports < other.lamports ? -1 : 1));
  const sizes = bySize.map(({ lamports }) => Number(lamports));
  const groups: Buy[][] = [];
  for (let first = 0; first + OWNERS_MIN <= bySize.length; first++) {
    let end = first + OWNERS_MIN;
    while (end < sizes.length && variationOf(sizes, first, end + 1) <= VARIATION_MAX) end++;
    groups.push(bySize.slice(first, end).sort((one, other) => one.offset - other.offset));
  }
  return groups;
}

function splitAtGaps<Buy extends CohortBuy>(group: readonly Buy[]): Buy[][] {
  const parts: Buy[][] = [];
  let part: Buy[] = [];
  for (const buy of group) {
    const last = part[part.length - 1];
    if (last !== undefined && buy.offset - last.offset > GAP_MAX) {
      parts.push(part);
      part = [];
    }
    part.push(buy);
  }
  parts.push(part);
  return parts;
}

/** Coefficient of variation of some sizes, those before `end`: standard deviation over mean. */
function variationOf(sizes: readonly number[], first: number, end: number): number {
  let sum = 0;
  for (let at = first; at < end; at++) sum += sizes[at] as number;
  const mean = sum / (end - first);
  let squares = 0;
  for (let at = first; at < end; at++) squares += ((sizes[at] as number) - mean) ** 2;
  return Math.sqrt(squares / (end - first)) / mean;
}
