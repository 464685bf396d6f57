import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ruleContent } from '../../../tests/support/build-rule.ts';
import { fallbackSolUsd } from '../../../tests/support/master-fixture.ts';
import { playSlots, signalSlots } from '../../../tests/support/signal-stage.ts';
import { firstDifference, stateImage } from '../../../tests/support/state-image.ts';
import { storedEngine } from '../../../tests/support/stored-engine.ts';
import type { RuleChange } from '../../model/rule-change.ts';
import type { RuleHit } from '../../model/rule-hit.ts';
import type { SlotFacts } from '../../model/slot-facts.ts';
import { Engine } from '../engine.ts';

const NOT_FINAL = { isFinal: false };
const options = { fallbackSolUsd };
const newEngine = () => new Engine(options);

const alert = {
  author: 'a',
  name: 'busy',
  content: ruleContent({ name: 'busy', cool_down_minutes: 2 }),
};
const sequence: RuleChange = {
  author: 'a',
  name: 'rise',
  content: ruleContent({
    name: 'rise',
    when: 'window.return_1m > 0',
    sequence: [{ when: 'window.return_1m < 0', within_minutes: 200 }],
    cool_down_minutes: 0,
  }),
};
const signal: RuleChange = {
  author: 'operator',
  name: 'signal',
  content: ruleContent({ name: 'signal', kind: 'signal', cool_down_minutes: 3 }),
};
const label: RuleChange = {
  author: 'operator',
  name: 'busy',
  content: ruleContent({ name: 'busy', kind: 'label', label: 'busy', when: 'pool.swaps > 2' }),
};
const ALL = [alert, sequence, signal, label];

/** The slots with changes attached to some of them, by position. */
function withChanges(
  slots: readonly SlotFacts[],
  changes: ReadonlyMap<number, readonly RuleChange[]>,
): SlotFacts[] {
  return slots.map((facts, at) => {
    const attached = changes.get(at);
    return attached === undefined ? facts : { ...facts, ruleChanges: attached };
  });
}

function hitsOf(slots: readonly SlotFacts[], engine = newEngine()): RuleHit[] {
  return slots.flatMap((facts) => engine.apply(facts).ruleHits);
}

const changing = fc
  .array(
    fc.tuple(
      fc.nat(20),
      fc.constantFrom(
        ...ALL,
        { ...alert, content: null },
        { ...sequence, content: null },
        {
          ...signal,
          content: ruleContent({
            name: 'signal',
            kind: 'signal',
            version: 2,
            cool_down_minutes: 0,
          }),
        },
      ),
    ),
    { maxLength: 8 },
  )
  .map((attached) => {
    const changes = new Map<number, RuleChange[]>([[0, ALL]]);
    for (const [at, change] of attached) changes.set(at, [...(changes.get(at) ?? []), change]);
    return changes;
  });

const trade = { curve: 0, wallet: 1, isSale: false, share: 5 } as const;
const minute = (): Parameters<typeof playSlots>[0][number] => ({
  slots: 1,
  elapsedMs: 60_000,
  trades: [trade],
});

describe('rules in the fold', () => {
  test('judge minutes that end after the slot of their publication, and none before', () => {
    // Each slot is in a minute of its own, so that each ends the minute of the one before. The rule
    // comes with the third: the minute that this slot began is the first that it judges.
    const slots = playSlots([minute(), minute(), minute(), minute()]);
    const content = ruleContent({ cool_down_minutes: 0 });
    const change = { author: 'a', name: 'any-trade', content };
    const hits = hitsOf(withChanges(slots, new Map([[2, [change]]])));
    expect(hits.map(({ slot, rowId }) => [slot, rowId])).toEqual([
      [slots[3]?.slot, 1],
      [slots[4]?.slot, 2],
    ]);
    // Two trades were made in the minutes that ended by then, and one more by the next slot.
    expect(hits.map(({ evidence }) => evidence[0]?.value)).toEqual([2, 3]);
    expect(hits.map(({ asOfSlot }) => asOfSlot)).toEqual([slots[2]?.slot, slots[3]?.slot]);
  });

  test('wait for their cool-down, by token', () => {
    const slots = playSlots(Array.from({ length: 7 }, () => minute()));
    const content = ruleContent({ cool_down_minutes: 3 });
    const changes = new Map([[0, [{ author: 'a', name: 'any-trade', content }]]]);
    // Minutes end with the slots 2 to 7; hits are at least three minutes apart.
    const hits = hitsOf(withChanges(slots, changes));
    expect(hits.map(({ slot }) => slot)).toEqual([slots[2]?.slot, slots[5]?.slot]);
  });

  test('stop with their withdrawal, and a higher version takes the place of a lower', () => {
    const slots = playSlots(Array.from({ length: 6 }, () => minute()));
    const name = 'any-trade';
    const versions = [1, 2].map((version) => ({
      author: 'a',
      name,
      content: ruleContent({ version, cool_down_minutes: 0 }),
    }));
    const changes = new Map<number, RuleChange[]>([
      [1, versions.slice(0, 1)],
      [3, versions.slice(1)],
      [5, [{ author: 'a', name, content: null }]],
    ]);
    const hits = hitsOf(withChanges(slots, changes));
    expect(
      hits.map(({ slot, version }) => [slots.findIndex((facts) => facts.slot === slot), version]),
    ).toEqual([
      [2, 1],
      [3, 1],
      [4, 2],
      [5, 2],
    ]);
  });

  test('of one name belong to their authors, and content that does not compile is left out', () => {
    const engine = newEngine();
    const [first] = playSlots([]);
    if (first === undefined) throw new Error('no slot');
    const broken = { author: 'a', name: 'broken', content: '{"name":"broken"}' };
    const other = { ...label, author: 'b' };
    engine.apply({ ...first, ruleChanges: [alert, other, label, broken, alert] });
    expect(engine.publishedRules().map(({ author, name }) => `${author}/${name}`)).toEqual([
      'a/busy',
      'b/busy',
      'operator/busy',
    ]);
  });

  test('never are more than a thousand, and numbers of withdrawn ones are used again', () => {
    const engine = newEngine();
    const [first, second, third] = playSlots([minute(), minute()]);
    if (first === undefined || second === undefined || third === undefined)
      throw new Error('short');
    const many = Array.from({ length: 1_002 }, (_, index) => ({
      ...alert,
      author: `account ${index}`,
    }));
    engine.apply({ ...first, ruleChanges: many });
    expect(engine.publishedRules()).toHaveLength(1_000);
    const freed = [{ author: 'account 7', name: 'busy', content: null }, many[1_001] ?? alert];
    engine.apply({ ...second, ruleChanges: freed });
    expect(engine.publishedRules()[7]?.author).toBe('account 1001');
  });

  test('are undone with their slots, and are the same when applied again', () => {
    let hits = 0;
    fc.assert(
      fc.property(
        signalSlots({ minLength: 8, maxLength: 24 }),
        changing,
        fc.integer({ min: 1, max: 24 }),
        (plain, changes, taken) => {
          const slots = withChanges(plain, changes);
          const [forking, straight] = [newEngine(), newEngine()];
          const applied = slots.map((facts) => straight.apply(facts));
          const from = Math.max(0, slots.length - taken);
          for (const facts of slots.slice(0, from)) forking.apply(facts);
          const before = stateImage(forking);
          const fork = slots.slice(from);
          for (const facts of fork) forking.apply(facts, NOT_FINAL);
          for (const _ of fork) forking.undo();
          expect(firstDifference(before, stateImage(forking))).toBeNull();
          expect(fork.map((facts) => forking.apply(facts))).toEqual(applied.slice(from));
          expect(firstDifference(stateImage(forking), stateImage(straight))).toBeNull();
          expect(forking.digest()).toBe(straight.digest());
          hits += applied.reduce((sum, { ruleHits }) => sum + ruleHits.length, 0);
        },
      ),
      { numRuns: 15 },
    );
    expect(hits).toBeGreaterThan(100);
  });

  test('continue unchanged after a restart, with their sequences and cool-downs', () => {
    const names = new Set<string>();
    fc.assert(
      fc.property(
        signalSlots({ minLength: 10, maxLength: 30 }),
        changing,
        fc.integer({ min: 2, max: 20 }),
        (plain, changes, until) => {
          const slots = withChanges(plain, changes);
          const { engine: calm, restored: restore } = storedEngine(options);
          for (const facts of slots.slice(0, until)) calm.apply(facts);
          const restored = restore();
          expect(restored.publishedRules()).toEqual(calm.publishedRules());
          expect(restored.digest()).toBe(calm.digest());
          const rest = slots.slice(until);
          const continued = rest.map((facts) => calm.apply(facts));
          expect(rest.map((facts) => restored.apply(facts))).toEqual(continued);
          expect(restored.digest()).toBe(calm.digest());
          for (const { ruleHits } of continued) for (const { name } of ruleHits) names.add(name);
        },
      ),
      { numRuns: 15 },
    );
    expect([...names].sort()).toEqual(['busy', 'rise', 'signal']);
  });

  test('change nothing else, and the state without rules has the digest of one that never had any', () => {
    fc.assert(
      fc.property(signalSlots({ minLength: 5, maxLength: 20 }), (plain) => {
        const strip = ({ ruleHits, signals, outcomes, ...rest }: ReturnType<Engine['apply']>) =>
          rest;
        const [ruled, calm] = [newEngine(), newEngine()];
        const slots = withChanges(plain, new Map([[0, ALL]]));
        expect(slots.map((facts) => strip(ruled.apply(facts)))).toEqual(
          plain.map((facts) => strip(calm.apply(facts))),
        );
      }),
      { numRuns: 8 },
    );
  });

  test('of kind signal give signals with the outcomes of any signal, under the vetoes', () => {
    let given = 0;
    fc.assert(
      fc.property(signalSlots({ minLength: 10, maxLength: 30 }), (plain) => {
        const engine = newEngine();
        const changes = withChanges(plain, new Map([[0, [signal]]])).map((facts) =>
          engine.apply(facts),
        );
        const hits = changes.flatMap(({ ruleHits }) => ruleHits);
        const signals = changes
          .flatMap((change) => change.signals)
          .filter(({ model }) => model === 'rule:operator/signal');
        const outcomes = new Set(
          changes.flatMap((change) => change.outcomes).map(({ rowId }) => rowId),
        );
        expect(hits.map(({ signalRowId }) => signalRowId)).toEqual(
          signals.map(({ rowId }) => rowId),
        );
        expect(signals.map(({ parametersHash }) => parametersHash)).toEqual(
          hits.map(({ hash }) => hash),
        );
        for (const { rowId, liquidityUsd } of signals) {
          expect(outcomes.has(rowId)).toBe(true);
          // The veto on thin liquidity.
          expect(liquidityUsd).toBeGreaterThanOrEqual(10_000n * 10n ** 9n);
        }
        given += signals.length;
      }),
      { numRuns: 10 },
    );
    expect(given).toBeGreaterThan(10);
  });
});
