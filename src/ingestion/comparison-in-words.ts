import type { SourceStatus } from '../chain/source-status.ts';

/** Results of comparing blocks between nodes; null without comparison. */
export function comparisonInWords({ comparison, nodes, stream }: SourceStatus): string | null {
  if (comparison === null) return null;
  const sources = nodes.length + (stream === null ? 0 : 1);
  const { agreed, corrected, undecided, unverified, waiting } = comparison;
  const counts = `${agreed} blocks confirmed by two, ${corrected} corrected, ${undecided} undecided, ${unverified} unverified, ${waiting} waiting`;
  return sources < 2 ? `no second source to compare blocks with: ${counts}` : counts;
}
