import type { SourceStatus } from '../chain/source-status.ts';

/** How far blocks are told alike by two; null where nobody looks. */
export function comparisonInWords({ comparison, nodes, stream }: SourceStatus): string | null {
  if (comparison === null) return null;
  const tellers = nodes.length + (stream === null ? 0 : 1);
  const { agreed, corrected, undecided, unverified, waiting } = comparison;
  const counts = `${agreed} blocks told alike by two, ${corrected} corrected, ${undecided} undecided, ${unverified} believed on one word, ${waiting} waiting`;
  return tellers < 2 ? `nobody to compare blocks with: ${counts}` : counts;
}
