import { describe, expect, test } from 'vitest';
import { buildFacts } from '../../tests/support/build-records.ts';
import { ruleContent } from '../../tests/support/build-rule.ts';
import { fallbackSolUsd } from '../../tests/support/master-fixture.ts';
import { Engine } from '../engine/engine.ts';
import type { PublishedRule } from '../model/rule-change.ts';
import type { SlotFacts } from '../model/slot-facts.ts';
import { RuleChanges } from './rule-changes.ts';

const rule = (name: string, version = 1): PublishedRule => ({
  author: 'a',
  name,
  content: ruleContent({ name, version }),
});

/** A chain whose slots get what should be published, and may be reverted until they are final. */
class Chain {
  readonly engine = new Engine({ fallbackSolUsd });
  finalSlot = -1;
  private readonly changes: RuleChanges;

  constructor(changes: RuleChanges) {
    this.changes = changes;
  }

  /** The slot as it is in the log. */
  add(slot: number): SlotFacts {
    const facts = this.changes.attach(buildFacts(slot), this);
    this.engine.apply(facts, { isFinal: false });
    return facts;
  }

  undo(): void {
    this.engine.undo();
  }

  get names(): string[] {
    return this.engine.publishedRules().map(({ name }) => name);
  }
}

describe('changes of rules', () => {
  test('are attached to one slot, and to no other', () => {
    const chain = new Chain(new RuleChanges([rule('one'), rule('two')]));
    expect(chain.add(10).ruleChanges).toEqual([rule('one'), rule('two')]);
    expect(chain.add(11).ruleChanges).toBeUndefined();
    expect(chain.names).toEqual(['one', 'two']);
  });

  test('are attached again after a fork has reverted their slot', () => {
    const changes = new RuleChanges([rule('one')]);
    const chain = new Chain(changes);
    chain.add(10);
    chain.add(11);
    chain.undo();
    chain.undo();
    expect(chain.names).toEqual([]);
    expect(chain.add(10).ruleChanges).toEqual([rule('one')]);
    chain.finalSlot = 10;
    chain.add(11);
    changes.withdraw(rule('one'));
    expect(chain.add(12).ruleChanges).toEqual([{ author: 'a', name: 'one', content: null }]);
    chain.undo();
    expect(chain.names).toEqual(['one']);
    chain.add(12);
    expect(chain.names).toEqual([]);
  });

  test('after a restart are only what the state does not have', () => {
    const before = new Chain(new RuleChanges([rule('kept'), rule('raised'), rule('removed')]));
    const [first, second] = [before.add(10), before.add(11)];
    // The folder was changed while the service was stopped.
    const after = new Chain(new RuleChanges([rule('kept'), rule('raised', 2), rule('new')]));
    for (const facts of [first, second]) after.engine.apply(facts);
    after.finalSlot = 11;
    expect(after.add(12).ruleChanges).toEqual([
      { author: 'a', name: 'removed', content: null },
      rule('raised', 2),
      rule('new'),
    ]);
    expect(after.names.sort()).toEqual(['kept', 'new', 'raised']);
  });

  test('of many rules are spread over slots', () => {
    const many = Array.from({ length: 250 }, (_, index) => rule(`rule-${index}`));
    const chain = new Chain(new RuleChanges(many));
    const counts = [10, 11, 12, 13].map((slot) => chain.add(slot).ruleChanges?.length ?? 0);
    expect(counts).toEqual([100, 100, 50, 0]);
    expect(chain.names).toHaveLength(250);
  });

  test('in the log give a refold the same state', () => {
    const chain = new Chain(new RuleChanges([rule('one')]));
    const log = [10, 11, 12].map((slot) => chain.add(slot));
    const refolded = new Engine({ fallbackSolUsd });
    for (const facts of log) refolded.apply(facts);
    expect(refolded.digest()).toBe(chain.engine.digest());
    const ruleless = new Engine({ fallbackSolUsd });
    for (const slot of [10, 11, 12]) ruleless.apply(buildFacts(slot));
    expect(ruleless.digest()).not.toBe(chain.engine.digest());
  });
});
