import type { Moment } from '../../fold/market/logical-time.ts';
import type { Finding } from '../../model/fraud.ts';
import {
  HIT_LINKS_MAX,
  HIT_SIGNATURES_MAX,
  HIT_WALLETS_MAX,
  type RuleHit,
} from '../../model/rule-hit.ts';
import type { Address, PriceE18, Signature } from '../../model/units.ts';
import type { CompiledRule } from '../../rules/compile-rule.ts';
import type { JudgedCase } from '../../rules/features/case/judged-case.ts';
import { type JudgedCluster, tradesOf } from '../../rules/features/case/judged-cluster.ts';
import { patternOfFeature } from '../../rules/features/case/pattern-features.ts';
import { LazyFeatures } from '../../rules/features/read-features.ts';
import { featuresIn } from '../../rules/features/registry.ts';
import { type Judgement, passedWith } from '../../rules/judge.ts';
import type { ActiveRule } from './active-rule.ts';
import { hitDraft } from './hit-draft.ts';
import type { HitTimes } from './hit-times.ts';
import type { RuleSet } from './rule-set.ts';
import { strongestClusters } from './strongest-clusters.ts';

/**
 * Hits of one rule of kind fraud in an hour, which bounds a rule that flags everything. What passes
 * beyond them is no hit and begins no cool-down: it is one in the next hour if it still passes.
 */
export const CASE_HITS_PER_HOUR_MAX = 500;

/** Price of a pool in USD; null while it is unknown. */
export type PriceOf = (pool: Address) => PriceE18 | null;

/** What a passed rule of a case says, and what is evidence for it. */
interface Passing {
  readonly active: ActiveRule;
  readonly judge: () => Judgement;
  readonly evidence: () => Pick<RuleHit, 'wallets' | 'signatures' | 'links'>;
}

/** Judges the rules of the scopes `case` and `cluster` where the detectors judge the same case. */
export class CaseRules {
  private readonly set: RuleSet;
  private readonly times: HitTimes;

  constructor(set: RuleSet, times: HitTimes) {
    this.set = set;
    this.times = times;
  }

  /** True if no rule needs to be judged. */
  get isEmpty(): boolean {
    return this.set.caseGates().rules.length + this.set.clusterGates().rules.length === 0;
  }

  /** Hits of one case, in order of rule; none while the time is not known. */
  judge(judged: JudgedCase, at: Moment, priceOf: PriceOf): RuleHit[] {
    if (!at.isTimeKnown) return [];
    const { mint } = judged.mintCase;
    const hits: RuleHit[] = [];
    for (const passing of this.passing(judged)) {
      const { active } = passing;
      if (this.times.isCooling(active, mint, at.timeMs)) continue;
      if (this.times.isFull(active, CASE_HITS_PER_HOUR_MAX, at.timeMs)) continue;
      this.times.countInHour(active, at.timeMs);
      const rowId = this.times.add(active, mint, at.timeMs);
      hits.push({ rowId, ...hitOf(passing, { judged, at, priceOf }) });
    }
    return hits;
  }

  /** Rules whose condition is true, in order of their numbers. */
  private passing(judged: JudgedCase): readonly Passing[] {
    const values = new LazyFeatures('case', judged);
    const gates = this.set.caseGates();
    const ofCase = gates.candidates(values).flatMap((place): Passing[] => {
      const active = gates.rules[place];
      if (active?.rule.when.evaluate(values) !== true) return [];
      const judge = () => passedWith(active.rule, values);
      return [{ active, judge, evidence: () => groupEvidence(active.rule, judged) }];
    });
    const clusterGates = this.set.clusterGates();
    // Without a rule of this scope, no cluster needs to be searched.
    if (clusterGates.rules.length === 0) return ofCase;
    const ofClusters = strongestClusters(clusterGates, judged, values).map(
      ({ active, judged: cluster, judgement }): Passing => ({
        active,
        judge: () => judgement,
        evidence: () => clusterEvidence(cluster),
      }),
    );
    return [...ofCase, ...ofClusters].sort((one, other) => one.active.number - other.active.number);
  }
}

interface JudgedAt {
  readonly judged: JudgedCase;
  readonly at: Moment;
  readonly priceOf: PriceOf;
}

function hitOf({ active, judge, evidence }: Passing, { judged, at, priceOf }: JudgedAt) {
  const { mint, market, trades } = judged.mintCase;
  const pool = market?.pool ?? trades.at(-1)?.pool;
  if (pool === undefined) throw new Error('a case without a trade was judged');
  return {
    ...hitDraft(active, judge()),
    ...{ mint, pool },
    ...{ slot: at.slot, createdAtMs: at.timeMs, asOfSlot: at.slot },
    priceUsd: priceOf(pool),
    signalRowId: null,
    ...evidence(),
  } satisfies Omit<RuleHit, 'rowId'>;
}

/** Members of a cluster, their first transactions, and what joins them. */
function clusterEvidence(judged: JudgedCluster): ReturnType<Passing['evidence']> {
  const { members, edges } = judged.cluster;
  const signatures = tradesOf(judged).map(({ signature }) => signature);
  const links = edges
    .toSorted((one, other) => other.strength - one.strength)
    .slice(0, HIT_LINKS_MAX)
    .map(({ one, other, relationship, strength, via }) => ({
      ...{ one, other, relationship, strength, via },
    }));
  return {
    wallets: members.slice(0, HIT_WALLETS_MAX),
    signatures: [...new Set(signatures)].slice(0, HIT_SIGNATURES_MAX),
    links,
  };
}

/** Wallets and transactions of the groups whose figures a rule reads. */
function groupEvidence(rule: CompiledRule, judged: JudgedCase): ReturnType<Passing['evidence']> {
  const groups = groupsRead(rule, judged);
  return { wallets: walletsOf(groups), signatures: signaturesOf(groups), links: [] };
}

/** The strongest groups of the patterns whose features a rule reads, in order of the registry. */
function groupsRead({ features }: CompiledRule, { groupsOf }: JudgedCase): readonly Finding[] {
  const cards = featuresIn('case');
  const patterns = new Set(
    features.flatMap((index) => patternOfFeature(cards[index]?.name ?? '') ?? []),
  );
  return [...patterns].flatMap((type) => groupsOf(type).slice(0, 1));
}

function walletsOf(groups: readonly Finding[]): readonly Address[] {
  const wallets = groups.flatMap((group) => group.wallets.map(({ address }) => address));
  return [...new Set(wallets)].slice(0, HIT_WALLETS_MAX);
}

function signaturesOf(groups: readonly Finding[]): readonly Signature[] {
  const signatures = groups.flatMap(({ evidence }) =>
    evidence.flatMap(({ payload }) => (payload.kind === 'transaction' ? payload.signatures : [])),
  );
  return [...new Set(signatures)].slice(0, HIT_SIGNATURES_MAX);
}
