import type { Finding } from '../../model/fraud.ts';

/** Of two findings of one type the smaller group lies in the other by this part: one hand made both. */
export const SAME_PART = 0.5;

/**
 * Without findings of a type that a stronger one of it tells already, because both are of one cluster
 * or share most wallets: a crew that sells and buys back again and again, or leaves in several spans,
 * is one pattern and not as many as it has rounds. `findings` strongest first.
 */
export function withoutRepeats(findings: readonly Finding[]): readonly Finding[] {
  const kept: Finding[] = [];
  for (const finding of findings) {
    if (!kept.some((stronger) => isOfOneCrew(finding, stronger))) kept.push(finding);
  }
  return kept;
}

function isOfOneCrew(one: Finding, other: Finding): boolean {
  if (one.fraudType !== other.fraudType) return false;
  if (one.clusterRoot === other.clusterRoot) return true;
  const smaller = Math.min(one.wallets.length, other.wallets.length);
  if (smaller === 0) return false;
  const wallets = new Set(other.wallets.map(({ address }) => address));
  const shared = one.wallets.filter(({ address }) => wallets.has(address)).length;
  return shared / smaller >= SAME_PART;
}
