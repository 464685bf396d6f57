import { type ObjectFormat, ObjectMap } from '../../lib/object-map.ts';
import { StateValue } from '../../lib/state-value.ts';
import type { UndoLog } from '../../lib/undo-log.ts';
import type { UndoStep } from '../../lib/undo-steps.ts';
import {
  type PublishedRule,
  RULES_MAX,
  type RuleChange,
  ruleKey,
} from '../../model/rule-change.ts';
import { type CompiledRule, compileRuleText } from '../../rules/compile-rule.ts';
import type { RuleScope } from '../../rules/features/feature.ts';
import type { ActiveRule } from './active-rule.ts';
import { RuleGates } from './rule-gates.ts';

const FORMAT: ObjectFormat<PublishedRule> = {
  name: 'published-rule/1',
  encode: ({ author, name, content }) => JSON.stringify([author, name, content]),
  decode(text) {
    const [author, name, content] = JSON.parse(text) as [string, string, string];
    return { author, name, content };
  },
};

/** The rules that are judged: the last state of all changes in the log. */
export class RuleSet {
  private readonly undo: UndoLog;
  private readonly rules: ObjectMap<PublishedRule>;
  /** Numbers in use, ascending: those of rules have no gaps in memory and may have some here. */
  private readonly used: StateValue<{ numbers: number[] }>;
  // Private names: these are derived, and no part of the state.
  /** Compiled rules by content, which is all that they depend on. */
  readonly #compiled = new Map<string, CompiledRule | null>();
  #active: readonly ActiveRule[] | null = null;
  #gates: RuleGates | null = null;
  #caseGates: RuleGates | null = null;
  #clusterGates: RuleGates | null = null;

  constructor(undo: UndoLog) {
    this.undo = undo;
    this.rules = new ObjectMap(FORMAT, undo, 'rules');
    this.used = new StateValue({ numbers: [] }, undo, 'rule numbers');
  }

  /**
   * Applies a change; the number of the rule that it concerns, null if nothing changes. A rule that
   * does not compile, or one too many, is left out: whoever attached it had to refuse it.
   */
  apply(change: RuleChange): number | null {
    const known = this.numberOf(change);
    if (change.content === null) return known === null ? null : this.remove(known);
    if (this.compile(change.content) === null) return null;
    if (known !== null && this.rules.get(known)?.content === change.content) return null;
    const number = known ?? this.freeNumber();
    if (number === null) return null;
    this.changed();
    const { author, name, content } = change;
    this.rules.set(number, { author, name, content });
    if (known === null) this.setNumbers([...this.used.now.numbers, number]);
    return number;
  }

  /** In order of number. */
  list(): readonly ActiveRule[] {
    this.#active ??= this.used.now.numbers.flatMap((number) => {
      const published = this.rules.get(number);
      const rule = published === undefined ? null : this.compile(published.content);
      return published === undefined || rule === null
        ? []
        : [{ number, author: published.author, rule }];
    });
    return this.#active;
  }

  /** Those of the scope pool_minute, with what rules them out. */
  gates(): RuleGates {
    this.#gates ??= this.gatesOf('pool_minute');
    return this.#gates;
  }

  /** Those of the scope case. */
  caseGates(): RuleGates {
    this.#caseGates ??= this.gatesOf('case');
    return this.#caseGates;
  }

  /** Those of the scope cluster. */
  clusterGates(): RuleGates {
    this.#clusterGates ??= this.gatesOf('cluster');
    return this.#clusterGates;
  }

  /** As they were published. */
  published(): readonly PublishedRule[] {
    return this.used.now.numbers.flatMap((number) => this.rules.get(number) ?? []);
  }

  get size(): number {
    return this.rules.size;
  }

  private gatesOf(scope: RuleScope): RuleGates {
    const rules = this.list().filter(({ rule }) => rule.file.scope === scope);
    return new RuleGates(rules, scope);
  }

  private remove(number: number): number {
    this.changed();
    this.rules.delete(number);
    this.setNumbers(this.used.now.numbers.filter((other) => other !== number));
    return number;
  }

  private numberOf(change: RuleChange): number | null {
    const key = ruleKey(change);
    const found = this.used.now.numbers.find((number) => {
      const rule = this.rules.get(number);
      return rule !== undefined && ruleKey(rule) === key;
    });
    return found ?? null;
  }

  private freeNumber(): number | null {
    const used = new Set(this.used.now.numbers);
    for (let number = 1; number <= RULES_MAX; number++) if (!used.has(number)) return number;
    return null;
  }

  private setNumbers(numbers: number[]): void {
    this.undo.keep(this.used.now);
    this.used.now.numbers = numbers.sort((one, other) => one - other);
  }

  /** The list of active rules is made again, also after an undo. */
  private changed(): void {
    this.forget();
    this.undo.step(FORGET_ACTIVE, this);
  }

  /** Forgets what was derived from the set. Called by an undo. */
  forget(): void {
    this.#active = null;
    this.#gates = null;
    this.#caseGates = null;
    this.#clusterGates = null;
  }

  private compile(content: string): CompiledRule | null {
    const known = this.#compiled.get(content);
    if (known !== undefined) return known;
    const compiled = compileRuleText(content).value;
    // Contents of earlier versions are not worth their memory.
    if (this.#compiled.size >= 2 * RULES_MAX) this.#compiled.clear();
    this.#compiled.set(content, compiled);
    return compiled;
  }
}

const FORGET_ACTIVE: UndoStep<[set: RuleSet]> = {
  revert: (set) => set.forget(),
  repeater: (set) => () => set.forget(),
};
