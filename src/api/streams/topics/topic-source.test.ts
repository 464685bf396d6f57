import { describe, expect, test } from 'vitest';
import { buildRuleHit } from '../../../../tests/support/build-rule-hit.ts';
import { ApiError } from '../../../model/errors.ts';
import { OPERATOR } from '../../../model/rule-change.ts';
import type { RuleHitListing } from '../../../model/rule-listing.ts';
import { asSlot } from '../../../model/units.ts';
import { StreamClient } from '../stream-client.ts';
import { TopicHub } from './topic-hub.ts';
import { toTopicRequest } from './topic-parameters.ts';
import { TopicSource } from './topic-source.ts';

/** A hub whose subjects are confirmed in the next turn. */
function openHub(isReady = true) {
  const hub: TopicHub = new TopicHub({
    nowMs: () => 1,
    currentSlot: () => null,
    onWanted: (id) => queueMicrotask(() => hub.confirm(id, isReady)),
  });
  const send = (hits: readonly RuleHitListing[], isUndone = false) =>
    hub.take({
      ...{ slot: asSlot(20), timeMs: null, solUsd: null, finalSlot: null, isUndone },
      items: hits.map((hit) => ({ topic: 'rule_hits', hit })),
    });
  return { hub, send };
}

const hit = (rowId: number, given: Partial<RuleHitListing> = {}) =>
  buildRuleHit({ rowId, author: 'one', ...given });
const sourceOf = (hub: TopicHub, values = {}) =>
  new TopicSource(hub, toTopicRequest('rule_hits', values, 'one'));

async function rowsAfter(source: TopicSource, seq: number) {
  const { gap, entries, next } = await source.after(seq);
  const rows = entries.map(({ item }) =>
    item.data.item.topic === 'rule_hits'
      ? `${item.isUndo ? '-' : ''}${item.data.item.hit.rowId}`
      : item.data.item.topic,
  );
  return { gap, rows, next };
}

describe('a subscription that is read by position', () => {
  test('has each message of its subjects once, in order, whatever is selected', async () => {
    const { hub, send } = openHub();
    const source = sourceOf(hub, { rule_id: 'dip' });
    const first = await source.newest();
    send([hit(1), hit(2, { name: 'rise' }), hit(3, { author: 'two' })]);
    send([hit(4, { author: OPERATOR })]);
    send([hit(4, { author: OPERATOR })], true);
    const read = await rowsAfter(source, first);
    expect(read).toMatchObject({ gap: null, rows: ['1', '4', '-4'] });
    const end = await rowsAfter(source, read.next);
    expect(end).toMatchObject({ gap: null, rows: [] });
    // What is not selected is not looked at again.
    send([hit(5, { name: 'rise' })]);
    const { next } = await rowsAfter(source, end.next);
    expect(next).toBe(hub.newest);
    send([hit(6)]);
    expect((await rowsAfter(source, next)).rows).toEqual(['6']);
    // Each read has ended its subscription.
    expect(hub.subscriptions).toBe(0);
  });

  test('says what is no longer retained, or was never asked for', async () => {
    const { hub, send } = openHub();
    const source = sourceOf(hub);
    const position = await source.newest();
    hub.take(null);
    send([hit(1)]);
    expect((await rowsAfter(source, position)).gap).not.toBeNull();
    const other = sourceOf(openHub().hub);
    expect((await rowsAfter(other, 0)).gap).toMatchObject({ from: 1 });
  });

  test('fails while the state is computed again', async () => {
    const source = sourceOf(openHub(false).hub);
    await expect(source.newest()).rejects.toThrow(ApiError);
    await expect(source.after(0)).rejects.toThrow(ApiError);
  });

  test('is read by a client until it is stopped, which leaves no subscription', async () => {
    const { hub, send } = openHub();
    const source = sourceOf(hub);
    const since = await source.newest();
    const rows: string[] = [];
    const received = Promise.withResolvers<void>();
    const client = new StreamClient({
      source,
      since,
      encode: ({ item }) => [{ message: item, sizeBytes: 1 }],
      encodeGap: () => expect.fail('nothing was missed'),
      sink: {
        send: ({ data: { item }, isUndo }, onSent) => {
          if (item.topic === 'rule_hits') rows.push(`${isUndo ? '-' : ''}${item.hit.rowId}`);
          if (rows.length === 3) received.resolve();
          onSent();
        },
      },
    });
    const ended = client.run();
    send([hit(1)]);
    // Of later turns, too: the client waits for messages then.
    setImmediate(() => {
      send([hit(2)]);
      setImmediate(() => send([hit(2)], true));
    });
    await received.promise;
    client.stop();
    expect([await ended, rows]).toEqual(['ended', ['1', '2', '-2']]);
    expect(hub.subscriptions).toBe(0);
  });
});
