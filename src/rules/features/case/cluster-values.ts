import type { FeatureValue } from '../feature.ts';
import { type FeatureValues, LazyFeatures } from '../read-features.ts';
import { FEATURES } from '../registry.ts';
import type { JudgedCluster } from './judged-cluster.ts';

/** Values of a cluster. Those of its case are read once for all clusters, and for rules of the case. */
export class ClusterValues implements FeatureValues {
  private readonly ofCase: FeatureValues;
  private readonly own: FeatureValues;

  /** `ofCase` are the values of the case that the cluster is of. */
  constructor(judged: JudgedCluster, ofCase: FeatureValues) {
    this.ofCase = ofCase;
    this.own = new LazyFeatures('cluster', judged);
  }

  at(index: number): FeatureValue | null {
    // The features of a cluster begin with those of its case.
    return (index < FEATURES.case.length ? this.ofCase : this.own).at(index);
  }
}
