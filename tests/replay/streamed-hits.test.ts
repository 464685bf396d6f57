import fc from 'fast-check';
import { expect, test } from 'vitest';
import { TopicHub } from '../../src/api/streams/topics/topic-hub.ts';
import { toTopicRequest } from '../../src/api/streams/topics/topic-parameters.ts';
import { SlotFeed } from '../../src/bridge/slot-feed.ts';
import { Engine } from '../../src/engine/engine.ts';
import type { SlotChanges } from '../../src/model/derived.ts';
import { OPERATOR } from '../../src/model/rule-change.ts';
import type { RuleHit } from '../../src/model/rule-hit.ts';
import type { SlotFacts } from '../../src/model/slot-facts.ts';
import { ruleContent } from '../support/build-rule.ts';
import { fallbackSolUsd } from '../support/master-fixture.ts';
import { playSlots } from '../support/signal-stage.ts';

const trade = { curve: 0, wallet: 1, isSale: false, share: 5 } as const;

/** Minutes with one trade each, judged by a rule of each author without a cool-down. */
function slotsWithRules(): readonly SlotFacts[] {
  const slots = playSlots(
    Array.from({ length: 12 }, () => ({ slots: 1, elapsedMs: 60_000, trades: [trade] })),
  );
  const ruleChanges = ['one', 'two', OPERATOR].map((author) => ({
    author,
    name: 'any-trade',
    content: ruleContent({ cool_down_minutes: 0 }),
  }));
  return slots.map((facts, at) => (at === 0 ? { ...facts, ruleChanges } : facts));
}

/** An engine whose slots are published, and a subscription of the account `one`. */
async function following() {
  const engine = new Engine({ fallbackSolUsd });
  const received = new Map<number, RuleHit>();
  const hub: TopicHub = new TopicHub({
    nowMs: () => 1,
    currentSlot: () => engine.lastSlot,
    onWanted: (id, added, removed) => {
      feed.want(added, removed);
      hub.confirm(id, true);
    },
  });
  const source = {
    engine,
    finalSlot: null,
    step: null,
    appliedStep: null,
    statusOf: () => 'active' as const,
  };
  const feed = new SlotFeed(source, (frame) => {
    hub.take(structuredClone(frame));
    feed.seen();
  });
  const subscription = hub.subscribe(
    { ...toTopicRequest('rule_hits', {}, 'one'), since: null },
    {
      onReady: () => undefined,
      onRefused: ({ message }) => expect.fail(message),
      onLost: () => expect.fail('messages were lost'),
      onEntry: ({ data: { item }, isUndo }) => {
        if (item.topic !== 'rule_hits') expect.fail(item.topic);
        const { outcome: _, ...hit } = item.hit;
        if (isUndo) expect(received.delete(hit.rowId)).toBe(true);
        else received.set(hit.rowId, hit);
      },
    },
  );
  // Subjects are wanted at the end of the turn.
  await Promise.resolve();
  expect(subscription.replay()).toBeNull();
  return { engine, feed, received };
}

test('through any forks, the messages of rule_hits add up to the hits of the account and the operator', async () => {
  const slots = slotsWithRules();
  let taken = 0;
  const steps = fc.array(fc.nat(3), { minLength: 8, maxLength: 30 });
  await fc.assert(
    fc.asyncProperty(steps, async (undone) => {
      const { engine, feed, received } = await following();
      const applied: SlotChanges[] = [];
      for (const count of undone) {
        for (let at = 0; at < count; at++) {
          const changes = applied.pop();
          if (changes === undefined) break;
          engine.undo();
          feed.onReverted(changes);
          taken += changes.ruleHits.length;
        }
        const next = slots[applied.length];
        if (next === undefined) continue;
        const changes = engine.apply(next, { isFinal: false });
        applied.push(changes);
        feed.onApplied(changes);
      }
      const expected = applied
        .flatMap(({ ruleHits }) => ruleHits)
        .filter(({ author }) => author !== 'two');
      expect([...received.values()].sort((one, other) => one.rowId - other.rowId)).toEqual(
        expected,
      );
    }),
    { numRuns: 30 },
  );
  // The property would say nothing if no hit had ever been taken back.
  expect(taken).toBeGreaterThan(20);
});
