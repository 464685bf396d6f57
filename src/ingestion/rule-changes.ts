import { type PublishedRule, type RuleChange, ruleKey } from '../model/rule-change.ts';
import type { SlotFacts } from '../model/slot-facts.ts';
import type { Slot } from '../model/units.ts';

/** The fold that rules are published to; another engine means that slots were folded again. */
export interface JudgingFold {
  readonly finalSlot: number;
  readonly engine: { publishedRules(): readonly PublishedRule[] };
}

/** Changes of one slot: more wait for the next. */
const PER_SLOT_MAX = 100;

/**
 * The rules that should be judged, until the fold judges exactly them for good. What differs goes
 * into the log with the newest slot, so that a refold judges them from the same slot on; a fork that
 * reverts the slot sends it again, and so does a refold without the slot, which was of a lost branch.
 */
export class RuleChanges {
  private readonly wanted: Map<string, PublishedRule>;
  /** The last slot that something was attached to; null once it is final and nothing differs. */
  private attached: Slot | 'unknown' | null = 'unknown';
  /** The engine that was compared last. */
  private compared: JudgingFold['engine'] | null = null;

  constructor(wanted: readonly PublishedRule[]) {
    this.wanted = new Map(wanted.map((rule) => [ruleKey(rule), rule]));
  }

  publish(rule: PublishedRule): void {
    this.wanted.set(ruleKey(rule), rule);
    this.attached ??= 'unknown';
  }

  withdraw(rule: Pick<PublishedRule, 'author' | 'name'>): void {
    this.wanted.delete(ruleKey(rule));
    this.attached ??= 'unknown';
  }

  /** The slot, which is about to be applied after all others, with the changes that it lacks. */
  attach(facts: SlotFacts, { finalSlot, engine }: JudgingFold): SlotFacts {
    if (engine !== this.compared) this.attached ??= 'unknown';
    this.compared = engine;
    if (this.attached === null) return facts;
    const changes = this.differences(engine.publishedRules());
    if (changes.length > 0) {
      this.attached = facts.slot;
      return withRuleChanges(facts, changes.slice(0, PER_SLOT_MAX));
    }
    if (this.attached === 'unknown' || this.attached <= finalSlot) this.attached = null;
    return facts;
  }

  /** Withdrawals first, since their numbers are used again. */
  private differences(judged: readonly PublishedRule[]): RuleChange[] {
    const known = new Map(judged.map((rule) => [ruleKey(rule), rule]));
    const withdrawn = judged.filter((rule) => !this.wanted.has(ruleKey(rule)));
    const changed = [...this.wanted.values()].filter(
      (rule) => known.get(ruleKey(rule))?.content !== rule.content,
    );
    return [
      ...withdrawn.map(({ author, name }) => ({ author, name, content: null })),
      ...changed.map(({ author, name, content }) => ({ author, name, content })),
    ];
  }
}

/** The slot with changes of rules, which follow those that it has. */
export function withRuleChanges(facts: SlotFacts, changes: readonly RuleChange[] = []): SlotFacts {
  if (changes.length === 0) return facts;
  return { ...facts, ruleChanges: [...(facts.ruleChanges ?? []), ...changes] };
}
