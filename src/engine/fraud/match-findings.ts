import { SAME_PART } from '../../fraud/detect/repeats.ts';
import type { Finding } from '../../model/fraud.ts';
import type { TrackedFinding } from './tracked-finding.ts';

/**
 * Matches each finding with the tracked finding it continues: by shared wallets, or else by
 * cluster, because other wallets of the cluster may have made the next round.
 */
export function matchFindings(
  known: readonly TrackedFinding[],
  findings: readonly Finding[],
): ReadonlyMap<Finding, TrackedFinding> {
  const matches = new Map<Finding, TrackedFinding>();
  const left = new Set(known);
  const match = (finding: Finding, tracked: TrackedFinding | null) => {
    if (tracked === null) return;
    matches.set(finding, tracked);
    left.delete(tracked);
  };
  for (const finding of findings) match(finding, mostShared(left, finding));
  for (const finding of left.size === 0 ? [] : findings) {
    if (matches.has(finding)) continue;
    const { fraudType, clusterRoot } = finding;
    const isOfCluster = (tracked: TrackedFinding) =>
      left.has(tracked) && tracked.fraudType === fraudType && tracked.clusterRoot === clusterRoot;
    match(finding, known.find(isOfCluster) ?? null);
  }
  return matches;
}

/** A finding of the same type that shares at least SAME_PART of the smaller group; ties: oldest. */
function mostShared(among: Iterable<TrackedFinding>, finding: Finding): TrackedFinding | null {
  let best: TrackedFinding | null = null;
  let bestPart = SAME_PART;
  for (const tracked of among) {
    if (tracked.fraudType !== finding.fraudType) continue;
    const part = sharedPart(tracked, finding);
    if (part > bestPart || (part === bestPart && best === null)) [best, bestPart] = [tracked, part];
  }
  return best;
}

/** Number of shared wallets divided by the size of the smaller group. */
function sharedPart({ roles }: TrackedFinding, { wallets }: Finding): number {
  const smaller = Math.min(roles.size, wallets.length);
  if (smaller === 0) return 0;
  return wallets.filter(({ address }) => roles.has(address)).length / smaller;
}
