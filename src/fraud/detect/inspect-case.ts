import { type Finding, FRAUD_TYPES } from '../../model/fraud.ts';
import type { MintCase } from '../../model/mint-case.ts';
import type { Clusters } from '../links/clusters.ts';
import { clustersReader } from '../links/find-clusters.ts';
import type { CaseReading, Detector } from '../scoring/detector.ts';
import { applyPrecedence } from './precedence.ts';
import { DETECTORS } from './registry.ts';
import { withoutRepeats } from './repeats.ts';

/**
 * Everything that is found in one mint, each crew once for a type: the most confident finding first,
 * among equals the one of the type that is named first, then by cluster.
 */
export function inspectCase(
  mintCase: MintCase,
  detectors: readonly Detector[] = DETECTORS,
): readonly Finding[] {
  return inspectReading(createReading(mintCase), detectors);
}

/** The same of a case of which other things are read as well. */
export function inspectReading(
  reading: CaseReading,
  detectors: readonly Detector[] = DETECTORS,
): readonly Finding[] {
  const findings = applyPrecedence(detectors.flatMap(({ inspect }) => inspect(reading)));
  return withoutRepeats(findings.toSorted(bySeverity));
}

/** A case whose clusters are found once for each set of families left out. */
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
