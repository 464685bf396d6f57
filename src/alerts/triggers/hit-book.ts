import { formatTrimmed } from '../../lib/decimal.ts';
import { confidenceE4 } from '../../model/finding-page.ts';
import { NO_WIDER_FIGURES, type PoolFigures, poolFiguresOf } from '../../model/pool-figures.ts';
import type { PoolRecord } from '../../model/pool-record.ts';
import { authorFor, ruleKey } from '../../model/rule-change.ts';
import { parseRuleId, type RuleHit, ruleIdOf } from '../../model/rule-hit.ts';
import {
  type HitComparison,
  type HitCondition,
  isAboveOperator,
  type StoredTrigger,
  type TriggerTarget,
  useWiderFigures,
} from '../../model/trigger.ts';
import { boundFor, isMetExactly, RATIO_SCALE } from './condition.ts';
import { bindConditions } from './condition-table.ts';
import type { Fired, WiderFiguresOf } from './trigger-book.ts';

/** A trigger that fires for hits of a slot, with those that were compared. */
export interface FiredForHits extends Fired {
  readonly hits: readonly HitComparison[];
}

/** The pool of a target, the primary one of a token; null while it is unknown. */
export type PoolOfTarget = (target: TriggerTarget) => PoolRecord | null;

/**
 * The active triggers on hits of rules. A hit is an event of its slot: such a trigger is true in
 * that slot alone, and fires in every slot in which each of its rules passes for the target and all
 * of its other conditions are true. It has no state that a fork would have to restore. The cost of a
 * slot is proportional to its hits of rules that triggers name.
 */
export class HitBook {
  private readonly byKey = new Map<number, StoredTrigger>();
  /** Keys of triggers by `author/name` of their rules. */
  private readonly byRule = new Map<string, Set<number>>();
  private readonly widerOf: WiderFiguresOf;

  constructor(widerOf: WiderFiguresOf) {
    this.widerOf = widerOf;
  }

  get size(): number {
    return this.byKey.size;
  }

  /** Adds a trigger, replacing one with the same key. */
  put(trigger: StoredTrigger): void {
    this.remove(trigger.key);
    this.byKey.set(trigger.key, trigger);
    for (const rule of rulesOf(trigger)) {
      const keys = this.byRule.get(rule) ?? new Set();
      this.byRule.set(rule, keys.add(trigger.key));
    }
  }

  remove(key: number): void {
    const trigger = this.byKey.get(key);
    if (trigger === undefined) return;
    this.byKey.delete(key);
    for (const rule of rulesOf(trigger)) {
      const keys = this.byRule.get(rule);
      keys?.delete(key);
      if (keys?.size === 0) this.byRule.delete(rule);
    }
  }

  /** The triggers that fire for the hits of a slot, by key, with the figures after that slot. */
  judge(hits: readonly RuleHit[], poolOf: PoolOfTarget): FiredForHits[] {
    if (this.byKey.size === 0) return [];
    const named = hits.filter((hit) => this.byRule.has(ruleKey(hit)));
    const keys = new Set(named.flatMap((hit) => [...(this.byRule.get(ruleKey(hit)) ?? [])]));
    return [...keys]
      .sort((one, other) => one - other)
      .flatMap((key) => {
        const trigger = this.byKey.get(key);
        return (trigger && this.judgeOne(trigger, named, poolOf)) ?? [];
      });
  }

  private judgeOne(
    trigger: StoredTrigger,
    hits: readonly RuleHit[],
    poolOf: PoolOfTarget,
  ): FiredForHits | null {
    const pool = poolOf(trigger.target);
    if (pool === null) return null;
    const ofTarget = hits.filter((hit) => isOfTarget(hit, trigger.target, pool));
    const compared: HitComparison[] = [];
    for (const condition of trigger.hits ?? []) {
      const met = strongestMeeting(condition, trigger.accountId, ofTarget);
      if (met === null) return null;
      compared.push(met);
    }
    const figures = this.figuresOf(trigger, pool);
    const bound = bindConditions(trigger.conditions, figures.tokenDecimals);
    const areMet = bound.every((condition) => isMetExactly(condition, figures));
    return areMet ? { trigger, figures, hits: compared } : null;
  }

  private figuresOf({ conditions }: StoredTrigger, pool: PoolRecord): PoolFigures {
    const wider = useWiderFigures(conditions) ? this.widerOf(pool) : NO_WIDER_FIGURES;
    return poolFiguresOf(pool, wider);
  }
}

function rulesOf({ accountId, hits = [] }: StoredTrigger): ReadonlySet<string> {
  return new Set(
    hits.flatMap(({ rule, author }) => {
      const name = parseRuleId(rule)?.name;
      return name === undefined ? [] : ruleKey({ author: authorFor(author, accountId), name });
    }),
  );
}

/** A hit of kind fraud is of the token, and so of each of its pools. */
function isOfTarget(hit: RuleHit, { kind, address }: TriggerTarget, pool: PoolRecord): boolean {
  if (kind === 'token') return hit.mint === address;
  return hit.pool === address || (hit.kind === 'fraud' && hit.mint === pool.baseMint);
}

/** Of the hits that meet a condition the most confident one, of equals the first; null for none. */
function strongestMeeting(
  condition: HitCondition,
  accountId: string,
  hits: readonly RuleHit[],
): HitComparison | null {
  let best: RuleHit | null = null;
  for (const hit of hits.filter((one) => isOfRule(one, condition, accountId))) {
    if (!isMeeting(hit, condition)) continue;
    if (best === null || hit.confidence > best.confidence) best = hit;
  }
  if (best === null) return null;
  const compared = formatTrimmed(BigInt(confidenceE4(best.confidence)), RATIO_SCALE);
  return { ...condition, compared, ruleId: ruleIdOf(best) };
}

function isOfRule(hit: RuleHit, { rule, author }: HitCondition, accountId: string): boolean {
  const id = parseRuleId(rule);
  if (hit.author !== authorFor(author, accountId) || hit.name !== id?.name) return false;
  return hit.hash.startsWith(id.hash ?? '');
}

function isMeeting({ confidence }: RuleHit, { operator, value }: HitCondition): boolean {
  const isAbove = isAboveOperator(operator);
  const bound = boundFor(value, isAbove, RATIO_SCALE);
  const figure = BigInt(confidenceE4(confidence));
  return isAbove ? figure > bound : figure < bound;
}
