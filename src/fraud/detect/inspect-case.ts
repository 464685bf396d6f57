import { type Finding, FRAUD_TYPES, type FraudType } from '../../model/fraud.ts';
import type { MintCase } from '../../model/mint-case.ts';
import type { CaseReading, Detector } from '../contract/detector.ts';
import type { Clusters } from '../links/clusters.ts';
import { clustersReader } from '../links/find-clusters.ts';
import { applyPrecedence } from './precedence.ts';
import { DETECTORS } from './registry.ts';
import { withoutRepeats } from './repeats.ts';

/**
 * All findings of one mint, one per crew and type: the most confident first; ties are ordered by
 * type as in FRAUD_TYPES, then by cluster.
 */
export function inspectCase(
  mintCase: MintCase,
  detectors: readonly Detector<FraudType>[] = DETECTORS,
): readonly Finding[] {
  return inspectReading(createReading(mintCase), detectors);
}

/** Same as inspectCase, for a reading that is shared with other readers. */
export function inspectReading(
  reading: CaseReading,
  detectors: readonly Detector<FraudType>[] = DETECTORS,
): readonly Finding[] {
  return findingsOf(detectGroups(reading, detectors));
}

/** All groups that pass the gates of a detector, by detector, each strongest first. */
export function detectGroups(
  reading: CaseReading,
  detectors: readonly Detector<FraudType>[] = DETECTORS,
): readonly Finding[] {
  const { mint, market } = reading.mintCase;
  const pool = market?.pool ?? null;
  return detectors.flatMap(({ name: fraudType, inspect }) =>
    inspect(reading).map((judgement) => ({ fraudType, mint, pool, ...judgement })),
  );
}

/** The findings among all groups of a case: without what repeats or belongs to another. */
export function findingsOf(groups: readonly Finding[]): readonly Finding[] {
  return withoutRepeats(applyPrecedence(groups).toSorted(bySeverity));
}

/** Creates a reading that computes the clusters once for each set of excluded families. */
export function createReading(mintCase: MintCase): CaseReading {
  const known = new Map<string, Clusters>();
  let read: ReturnType<typeof clustersReader> | null = null;
  return {
    mintCase,
    clusters: (without = []) => {
      const key = without.toSorted().join(' ');
      read ??= clustersReader(mintCase);
      const clusters = known.get(key) ?? read(without);
      known.set(key, clusters);
      return clusters;
    },
  };
}

function bySeverity(one: Finding, other: Finding): number {
  const difference = other.confidence - one.confidence;
  if (difference !== 0) return difference;
  const order = FRAUD_TYPES.indexOf(one.fraudType) - FRAUD_TYPES.indexOf(other.fraudType);
  if (order !== 0) return order;
  return one.clusterRoot < other.clusterRoot ? -1 : 1;
}
