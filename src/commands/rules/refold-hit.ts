import type { SourceItem } from '../../chain/source.ts';
import type { Engine } from '../../engine/engine.ts';
import type { SourceProblem } from '../../model/errors.ts';
import type { RuleChange } from '../../model/rule-change.ts';
import type { RuleHit } from '../../model/rule-hit.ts';
import type { SlotFacts } from '../../model/slot-facts.ts';
import type { Slot } from '../../model/units.ts';
import type { CompiledRule } from '../../rules/compile-rule.ts';
import { canonicalRule } from '../../rules/rule-id.ts';
import { factsOfItem } from '../facts-of-item.ts';

/** The hit recomputed from blocks. */
export interface RefoldedHit {
  /** Null if the rule does not pass there. */
  readonly hit: RuleHit | null;
  /** The last folded slot; null if there was none. */
  readonly lastSlot: Slot | null;
}

/** Where a hit should be. */
export interface WantedHit {
  readonly mint: string;
  readonly pool: string;
  readonly slot: number;
}

export interface HitRefold {
  readonly source: AsyncIterable<SourceItem>;
  readonly rule: CompiledRule;
  readonly wanted: WantedHit;
  readonly engine: Pick<Engine, 'apply'>;
  readonly onProblem: (problem: SourceProblem) => void;
}

/** The rule is judged alone, for nobody in particular. */
const AUTHOR = 'verify';

/**
 * Folds the blocks of a source up to the slot of a hit and judges the rule there. It is published in
 * the slot before, without a cool-down, so that no earlier hit stands in its way; a rule with a
 * sequence is published in the first slot, as its steps may be that early.
 */
export async function refoldHit(refold: HitRefold): Promise<RefoldedHit> {
  const { source, rule, wanted, engine, onProblem } = refold;
  const change = withoutCoolDown(rule);
  const hits: RuleHit[] = [];
  let lastSlot: Slot | null = null;
  let waiting: SlotFacts | null = null;
  let isPublished = false;
  const apply = (facts: SlotFacts, isNow: boolean) => {
    const ruleChanges = isNow ? [...(facts.ruleChanges ?? []), change] : facts.ruleChanges;
    isPublished ||= isNow;
    lastSlot = facts.slot;
    const changed = ruleChanges === undefined ? facts : { ...facts, ruleChanges };
    hits.push(...engine.apply(changed).ruleHits.filter((hit) => isWanted(hit, wanted)));
  };
  for await (const item of source) {
    if (item.kind === 'problem') onProblem(item.problem);
    const facts = factsOfItem(item);
    if (facts === null) continue;
    if (facts.slot > wanted.slot) break;
    const isNow = facts.slot === wanted.slot || rule.sequence.length > 0;
    if (waiting !== null) apply(waiting, isNow && !isPublished);
    waiting = facts;
  }
  if (waiting !== null) apply(waiting, false);
  return { hit: hits[0] ?? null, lastSlot };
}

function isWanted({ author, mint, pool, slot }: RuleHit, wanted: WantedHit): boolean {
  return author === AUTHOR && mint === wanted.mint && pool === wanted.pool && slot === wanted.slot;
}

function withoutCoolDown({ file }: CompiledRule): RuleChange {
  const content = canonicalRule({ ...file, cool_down_minutes: 0 });
  return { author: AUTHOR, name: file.name, content };
}
