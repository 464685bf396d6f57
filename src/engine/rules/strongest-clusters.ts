import { ClusterValues } from '../../rules/features/case/cluster-values.ts';
import type { JudgedCase } from '../../rules/features/case/judged-case.ts';
import { type JudgedCluster, judgedClusters } from '../../rules/features/case/judged-cluster.ts';
import type { FeatureValues } from '../../rules/features/read-features.ts';
import { type Judgement, passedWith } from '../../rules/judge.ts';
import type { ActiveRule } from './active-rule.ts';
import type { RuleGates } from './rule-gates.ts';

/** The cluster that a rule is most confident in. */
export interface StrongestCluster {
  readonly active: ActiveRule;
  readonly judged: JudgedCluster;
  readonly judgement: Judgement;
}

/**
 * For each rule of the scope `cluster` that passes for some cluster of a case, the one it is most
 * confident in; of equals the first in the order of judgedClusters. In order of rule.
 */
export function strongestClusters(
  gates: RuleGates,
  judged: JudgedCase,
  ofCase: FeatureValues,
): readonly StrongestCluster[] {
  const strongest = new Map<number, StrongestCluster>();
  for (const cluster of judgedClusters(judged)) {
    const values = new ClusterValues(cluster, ofCase);
    for (const place of gates.candidates(values)) {
      const active = gates.rules[place];
      if (active?.rule.when.evaluate(values) !== true) continue;
      const judgement = passedWith(active.rule, values);
      const before = strongest.get(place)?.judgement.confidence ?? -1;
      if (judgement.confidence > before) {
        strongest.set(place, { active, judged: cluster, judgement });
      }
    }
  }
  return [...strongest].sort(([one], [other]) => one - other).map(([, found]) => found);
}
