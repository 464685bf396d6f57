import type { Finding } from '../../model/fraud.ts';

/** Two findings of one type that share this part of the smaller group are of one crew. */
export const SAME_PART = 0.5;

/**
 * Removes findings that repeat a stronger one of the same type, because both have the same cluster
 * or share at least half of the smaller group: a crew that sells and buys back several times, or
 * exits in several spans, is one pattern. `findings` must be ordered strongest first.
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
