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
import type { Address } from '../../src/model/units.ts';
import { TriggerService } from '../../src/service/alerts/trigger-service.ts';
import { openControlPlane } from '../../src/store/control/control-plane.ts';
import { FiringLog } from '../../src/store/control/firings.ts';
import { StoredTriggers } from '../../src/store/control/triggers.ts';
import { inTransaction } from '../../src/store/sqlite/sqlite-transaction.ts';
import { ruleContent } from '../support/build-rule.ts';
import { ofToken } from '../support/build-trigger.ts';
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
  return { engine, feed, received, triggers: triggersOf(engine) };
}

/** A trigger of the account `one` on the hits of its rule for each token, over an engine. */
function triggersOf(engine: Engine) {
  const database = openControlPlane(':memory:');
  const firings = new FiringLog(database, () => 0);
  const service = new TriggerService(
    { engine, finalSlot: -1 },
    {
      ...{ triggers: new StoredTriggers(database, () => 0), firings },
      together: <Result>(work: () => Result) => inTransaction(database, work),
    },
    () => undefined,
  );
  return {
    service,
    watch: (mint: Address) =>
      service.add({
        ...{
          accountId: 'one',
          triggerId: `hits of ${mint}`,
          target: ofToken(mint),
          conditions: [],
        },
        hits: [
          {
            ...{ field: 'rule_hit_confidence', operator: 'gt', value: '0' },
            ...{ rule: 'any-trade', author: 'account' },
          },
        ],
      }),
    /** Slots of the firings that were not taken back. */
    standing: () => [...firings.standing()].map(({ slot }) => slot),
    close: () => database.close(),
  };
}

test('through any forks, the messages of rule_hits add up to the hits of the account and the operator', async () => {
  const slots = slotsWithRules();
  let taken = 0;
  const steps = fc.array(fc.nat(3), { minLength: 8, maxLength: 30 });
  await fc.assert(
    fc.asyncProperty(steps, async (undone) => {
      const { engine, feed, received, triggers } = await following();
      triggers.close();
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

test('through any forks, the firings on hits that stand are of the slots with a hit that stand', async () => {
  const slots = slotsWithRules();
  const whole = new Engine({ fallbackSolUsd });
  const hits = slots.flatMap((facts) => whole.apply(facts, { isFinal: false }).ruleHits);
  const own = hits.filter(({ author }) => author === 'one');
  const [first] = own;
  if (first === undefined) throw new Error('the rule of the account has no hit');
  expect(new Set(own.map(({ mint }) => mint))).toEqual(new Set([first.mint]));
  const steps = fc.array(fc.nat(3), { minLength: 8, maxLength: 20 });
  await fc.assert(
    fc.asyncProperty(steps, async (undone) => {
      const { engine, triggers } = await following();
      triggers.watch(first.mint);
      const applied: SlotChanges[] = [];
      const apply = () => {
        const next = slots[applied.length];
        if (next === undefined) return;
        const changes = engine.apply(next, { isFinal: false });
        applied.push(changes);
        triggers.service.onApplied(changes);
      };
      for (const count of undone) {
        for (let at = 0; at < count; at++) {
          const changes = applied.pop();
          if (changes === undefined) break;
          engine.undo();
          triggers.service.onReverted(changes);
        }
        apply();
      }
      // What is unconfirmed is decided once the chain has passed it.
      while (applied.length < slots.length) apply();
      expect(triggers.standing().sort((one, other) => one - other)).toEqual(
        own.map(({ slot }) => slot),
      );
      triggers.close();
    }),
    { numRuns: 20 },
  );
});
