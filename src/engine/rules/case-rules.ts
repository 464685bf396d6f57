import type { Moment } from '../../fold/market/logical-time.ts';
import type { Finding } from '../../model/fraud.ts';
import { HIT_SIGNATURES_MAX, HIT_WALLETS_MAX, type RuleHit } from '../../model/rule-hit.ts';
import type { Address, PriceE18, Signature } from '../../model/units.ts';
import type { CompiledRule } from '../../rules/compile-rule.ts';
import type { JudgedCase } from '../../rules/features/case/judged-case.ts';
import { patternOfFeature } from '../../rules/features/case/pattern-features.ts';
import { LazyFeatures } from '../../rules/features/read-features.ts';
import { featuresIn } from '../../rules/features/registry.ts';
import { passedWith } from '../../rules/judge.ts';
import type { ActiveRule } from './active-rule.ts';
import { hitDraft } from './hit-draft.ts';
import type { HitTimes } from './hit-times.ts';
import type { RuleSet } from './rule-set.ts';

/**
 * Hits of one rule of kind fraud in an hour, which bounds a rule that flags everything. What passes
 * beyond them is no hit and begins no cool-down: it is one in the next hour if it still passes.
 */
export const CASE_HITS_PER_HOUR_MAX = 500;

/** Price of a pool in USD; null while it is unknown. */
export type PriceOf = (pool: Address) => PriceE18 | null;

/** Judges the rules of the scope `case` where the detectors judge the same case. */
export class CaseRules {
  private readonly set: RuleSet;
  private readonly times: HitTimes;

  constructor(set: RuleSet, times: HitTimes) {
    this.set = set;
    this.times = times;
  }

  /** True if no rule needs to be judged. */
  get isEmpty(): boolean {
    return this.set.caseGates().rules.length === 0;
  }

  /** Hits of one case, in order of rule; none while the time is not known. */
  judge(judged: JudgedCase, at: Moment, priceOf: PriceOf): RuleHit[] {
    if (!at.isTimeKnown) return [];
    const { mint } = judged.mintCase;
    const values = new LazyFeatures('case', judged);
    const gates = this.set.caseGates();
    const hits: RuleHit[] = [];
    gates.begin();
    for (const [place, active] of gates.rules.entries()) {
      if (!gates.mayPass(place, values)) continue;
      if (active.rule.when.evaluate(values) !== true) continue;
      if (this.times.isCooling(active, mint, at.timeMs)) continue;
      if (this.times.isFull(active, CASE_HITS_PER_HOUR_MAX, at.timeMs)) continue;
      this.times.countInHour(active, at.timeMs);
      hits.push(this.hitOf(active, { judged, values, at, priceOf }));
    }
    return hits;
  }

  private hitOf(active: ActiveRule, { judged, values, at, priceOf }: Passing): RuleHit {
    const { mint, market, trades } = judged.mintCase;
    const pool = market?.pool ?? trades.at(-1)?.pool;
    if (pool === undefined) throw new Error('a case without a trade was judged');
    const groups = groupsRead(active.rule, judged);
    return {
      rowId: this.times.add(active, mint, at.timeMs),
      ...hitDraft(active, passedWith(active.rule, values)),
      ...{ mint, pool },
      ...{ slot: at.slot, createdAtMs: at.timeMs, asOfSlot: at.slot },
      priceUsd: priceOf(pool),
      signalRowId: null,
      wallets: walletsOf(groups),
      signatures: signaturesOf(groups),
    };
  }
}

interface Passing {
  readonly judged: JudgedCase;
  readonly values: LazyFeatures<'case'>;
  readonly at: Moment;
  readonly priceOf: PriceOf;
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
