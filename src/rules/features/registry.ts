import type { ModelReading } from '../../signals/features/signal-model.ts';
import { CASE_FEATURES } from './case/case-features.ts';
import { CLUSTER_FEATURES } from './case/cluster-features.ts';
import type { JudgedCase } from './case/judged-case.ts';
import type { JudgedCluster } from './case/judged-cluster.ts';
import { PATTERN_FEATURES } from './case/pattern-features.ts';
import type { Feature, FeatureCard, RuleScope } from './feature.ts';
import { POOL_FEATURES } from './pool-features.ts';
import { TOKEN_FEATURES } from './token-features.ts';
import { WALLET_FEATURES } from './wallet-features.ts';
import { WINDOW_FEATURES } from './window-features.ts';

/** Of the record of features; raised when features are added. None is ever changed or removed. */
export const FEATURES_VERSION = 3;

/** What features are read from, by scope. */
export interface ScopeReadings {
  readonly pool_minute: ModelReading;
  readonly case: JudgedCase;
  readonly cluster: JudgedCluster;
}

/** All features by scope, in order of documentation. A feature's index is its place here. */
export const FEATURES: { readonly [Scope in RuleScope]: readonly Feature<ScopeReadings[Scope]>[] } =
  {
    pool_minute: [...TOKEN_FEATURES, ...POOL_FEATURES, ...WALLET_FEATURES, ...WINDOW_FEATURES],
    case: [...CASE_FEATURES, ...PATTERN_FEATURES],
    // Those of the case come first: ClusterValues relies on it.
    cluster: [...CASE_FEATURES, ...PATTERN_FEATURES, ...CLUSTER_FEATURES],
  };

const INDEXES = {
  pool_minute: indexesOf('pool_minute'),
  case: indexesOf('case'),
  cluster: indexesOf('cluster'),
};

/** The features of a scope without what they are read from. */
export function featuresIn(scope: RuleScope): readonly FeatureCard[] {
  return FEATURES[scope];
}

/** Place of a feature among those of the scope; null for an unknown name. */
export function featureIndex(scope: RuleScope, name: string): number | null {
  return INDEXES[scope].get(name) ?? null;
}

function indexesOf(scope: RuleScope): ReadonlyMap<string, number> {
  return new Map(featuresIn(scope).map(({ name }, index) => [name, index]));
}
