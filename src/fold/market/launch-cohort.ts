import type { Address, Lamports } from '../../model/units.ts';

/** A buy of the launch slot, after the transaction that created the mint. */
export interface CohortBuy {
  /** Positions after the creating transaction, 1 for the next one in the block. */
  readonly offset: number;
  readonly owner: Address;
  readonly lamports: Lamports;
  /** Its transaction pays Jito a tip of its own. */
  readonly hasTip: boolean;
}

/** Thresholds of METHODS §3, level L2o; measured there on 26 real bundled launches. */
const OFFSET_MAX = 40;
const GAP_MAX = 10;
const OWNERS_MIN = 3;
const VARIATION_MAX = 0.15;
/** Sizes people type: multiples of 0.01 SOL. */
const ROUND_LAMPORTS = 10_000_000n;

/**
 * Buys of a launch slot that were placed by one hand: at least three owners close behind the
 * creation with sizes alike, not all of them round numbers, and no more than half of them with a tip
 * of its own: whoever places several pays once for them, snipers pay for themselves. A stranger of
 * another size in between does not hide them. `buys` are in block order. Empty when there is no such group.
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

/** True when the group fills the places right behind the creation without a hole. */
export function isContiguousFromCreation(group: readonly CohortBuy[]): boolean {
  return group.every(({ offset }, index) => offset === index + 1);
}

function isCohort(group: readonly CohortBuy[]): boolean {
  if (new Set(group.map(({ owner }) => owner)).size < OWNERS_MIN) return false;
  if (group.every(({ lamports }) => lamports % ROUND_LAMPORTS === 0n)) return false;
  if (2 * group.filter(({ hasTip }) => hasTip).length > group.length) return false;
  return variationOf(group) <= VARIATION_MAX;
}

/** For each buy taken as the smallest: the most buys that vary no more than allowed, block order. */
function groupsAlike<Buy extends CohortBuy>(buys: readonly Buy[]): Buy[][] {
  const bySize = [...buys].sort((one, other) => (one.lamports < other.lamports ? -1 : 1));
  const groups: Buy[][] = [];
  for (let first = 0; first + OWNERS_MIN <= bySize.length; first++) {
    let end = first + OWNERS_MIN;
    while (end < bySize.length && variationOf(bySize.slice(first, end + 1)) <= VARIATION_MAX) end++;
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

/** Coefficient of variation of the sizes: standard deviation over mean. */
function variationOf(group: readonly CohortBuy[]): number {
  const sizes = group.map(({ lamports }) => Number(lamports));
  const mean = sizes.reduce((sum, size) => sum + size, 0) / sizes.length;
  const variance = sizes.reduce((sum, size) => sum + (size - mean) ** 2, 0) / sizes.length;
  return Math.sqrt(variance) / mean;
}
