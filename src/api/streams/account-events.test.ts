import { describe, expect, test } from 'vitest';
import { buildFiring } from '../../../tests/support/build-trigger.ts';
import type { TriggerEvent, TriggerEventsQuery } from '../../model/trigger.ts';
import { AccountEvents } from './account-events.ts';

const fired = (number: number, accountId = 'one'): TriggerEvent => ({
  kind: 'fired',
  firing: buildFiring({ number, accountId }),
});

/** Events of account one, of which the first three are no longer stored, and the queries made. */
function storing(last: number) {
  const asked: number[] = [];
  const kept = { last };
  const events = new AccountEvents({
    events: async ({ since, limit }: TriggerEventsQuery) => {
      asked.push(since);
      const from = Math.max(since, 3) + 1;
      const count = Math.max(0, Math.min(limit, kept.last - from + 1));
      return {
        events: Array.from({ length: count }, (_, index) => fired(from + index)),
        lost: since < 3 ? { from: since + 1, to: 3 } : null,
        lastNumber: kept.last,
      };
    },
  });
  return { asked, kept, events };
}

describe('the events of an account', () => {
  test('are read from the store, including those from before a restart', async () => {
    const { events } = storing(6);
    const source = events.of('one');
    expect(await source.newest()).toBe(6);
    const batch = await source.after(4);
    expect(batch).toMatchObject({ gap: null, entries: [{ seq: 5 }, { seq: 6 }], next: 6 });
    expect(await source.after(1)).toMatchObject({ gap: { from: 2, to: 3 }, next: 6 });
  });

  test('are delivered from memory while there is a reader', async () => {
    const { asked, kept, events } = storing(6);
    let newEvents = 0;
    const source = events.of('one');
    const leave = source.watch(() => {
      newEvents++;
    });
    await source.after(6);
    kept.last = 8;
    events.push([fired(7), fired(8), fired(1, 'two')]);
    expect(await source.after(6)).toMatchObject({ entries: [{ seq: 7 }, { seq: 8 }], next: 8 });
    expect(await source.after(8)).toEqual({ gap: null, entries: [], next: 8 });
    expect([asked, newEvents, events.readers]).toEqual([[6], 1, 1]);
    leave();
    expect(events.readers).toBe(0);
  });

  test('that arrived without a reader are read from the store', async () => {
    const { asked, kept, events } = storing(6);
    events.push([fired(7)]);
    kept.last = 7;
    const source = events.of('one');
    source.watch(() => undefined);
    expect(await source.after(6)).toMatchObject({ entries: [{ seq: 7 }] });
    expect(asked).toEqual([6]);
  });

  test('have a gap for a position beyond the newest', async () => {
    const { events } = storing(6);
    expect(await events.of('one').after(9)).toEqual({
      gap: { from: 7, to: 9 },
      entries: [],
      next: 6,
    });
  });
});
