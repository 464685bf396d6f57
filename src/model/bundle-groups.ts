import type { BundledTransaction, BundleGroup, BundleGroupName } from './derived.ts';

/** A text for each group of a mint. */
export function textOfGroup({ slot, txIndex }: BundleGroupName): string {
  return `${slot}/${txIndex}`;
}

/** The groups of some rows of one mint, in the order of their first rows. */
export function groupBundles(rows: readonly BundledTransaction[]): BundleGroup[] {
  return [...Map.groupBy(rows, ({ group }) => textOfGroup(group)).values()].map(toGroup);
}

function toGroup(rows: readonly BundledTransaction[]): BundleGroup {
  const members = rows.toSorted(inBlockOrder);
  const [first] = members as [BundledTransaction];
  let best = first;
  for (const member of members) if (member.certainty > best.certainty) best = member;
  const { level, certainty } = best;
  let { tipLamports } = first;
  for (const member of members) {
    if (member.tipLamports > tipLamports) ({ tipLamports } = member);
  }
  return { name: first.group, timeMs: first.timeMs, level, certainty, tipLamports, members };
}

function inBlockOrder(one: BundledTransaction, other: BundledTransaction): number {
  const difference = one.slot - other.slot || one.txIndex - other.txIndex;
  if (difference !== 0) return difference;
  return one.owner < other.owner ? -1 : 1;
}

/** By the position of their first transactions. */
export function byPosition(one: BundleGroup, other: BundleGroup): number {
  return one.name.slot - other.name.slot || one.name.txIndex - other.name.txIndex;
}
