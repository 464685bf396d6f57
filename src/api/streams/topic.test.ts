import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Topic } from './topic.ts';

const HOUR_MS = 3_600_000;
/** A topic reserves a thousand numbers for each millisecond of its clock. */
const FIRST = 5_000_001;

let nowMs = 5_000;
let wanted: boolean[] = [];

beforeEach(() => {
  vi.useFakeTimers();
  nowMs = 5_000;
  wanted = [];
});

afterEach(() => {
  vi.useRealTimers();
});

const topic = (weightMax = 100) =>
  new Topic<string>({
    keptMs: HOUR_MS,
    weightMax,
    nowMs: () => nowMs,
    onWanted: (isWanted) => wanted.push(isWanted),
  });
const itemsAfter = (of: Topic<string>, seq: number) =>
  of.after(seq).entries.map(({ item }) => item);

describe('a topic', () => {
  test('returns entries after a position, and the position to continue from', () => {
    const items = topic();
    for (const item of ['a', 'b', 'c']) items.push(item, 1);
    expect(items.after(FIRST)).toMatchObject({
      gap: null,
      entries: [
        { seq: FIRST + 1, item: 'b' },
        { seq: FIRST + 2, item: 'c' },
      ],
      next: FIRST + 2,
    });
    expect(items.after(FIRST + 2)).toEqual({ gap: null, entries: [], next: FIRST + 2 });
    expect(items.newest()).toBe(FIRST + 2);
  });

  test('returns many entries in batches', () => {
    const items = topic();
    for (let index = 0; index < 50; index++) items.push(String(index), 1);
    const first = items.after(FIRST - 1);
    expect(first.entries).toHaveLength(32);
    expect(itemsAfter(items, first.next)).toHaveLength(18);
  });

  test('drops old and heavy entries, and reports the gap', () => {
    const items = topic(10);
    for (const item of ['a', 'b', 'c']) items.push(item, 5);
    expect(items.after(FIRST - 1)).toMatchObject({
      gap: { from: FIRST, to: FIRST },
      entries: [{ item: 'b' }, { item: 'c' }],
    });
    nowMs += HOUR_MS + 1;
    items.push('d', 5);
    expect(itemsAfter(items, FIRST + 2)).toEqual(['d']);
    expect(items.after(FIRST)).toMatchObject({ gap: { from: FIRST + 1, to: FIRST + 2 } });
  });

  test('has a gap for positions of an earlier process, and for positions ahead of it', () => {
    const items = topic();
    items.push('a', 1);
    expect(items.after(17)).toMatchObject({
      gap: { from: 18, to: FIRST - 1 },
      entries: [{ item: 'a' }],
    });
    expect(items.after(FIRST + 9)).toEqual({
      gap: { from: FIRST + 1, to: FIRST + 9 },
      entries: [],
      next: FIRST,
    });
  });

  test('has a gap where entries were missed', () => {
    const items = topic();
    items.push('a', 1);
    items.skip();
    items.push('b', 1);
    expect(items.after(FIRST)).toMatchObject({
      gap: { from: FIRST + 1, to: FIRST + 1 },
      entries: [{ seq: FIRST + 2, item: 'b' }],
    });
  });

  test('is wanted from its first reader until an hour after its last', () => {
    const items = topic();
    const leaveOne = items.watch(() => undefined);
    const leaveTwo = items.watch(() => undefined);
    expect([wanted, items.readers]).toEqual([[true], 2]);
    leaveOne();
    leaveTwo();
    leaveTwo();
    vi.advanceTimersByTime(HOUR_MS - 1);
    items.watch(() => undefined)();
    vi.advanceTimersByTime(HOUR_MS - 1);
    expect(wanted).toEqual([true]);
    vi.advanceTimersByTime(1);
    expect(wanted).toEqual([true, false]);
    items.watch(() => undefined);
    expect(items.after(FIRST - 1).gap).not.toBeNull();
    expect(wanted).toEqual([true, false, true]);
  });

  test('notifies its readers of new entries', () => {
    const items = topic();
    let notifications = 0;
    const leave = items.watch(() => {
      notifications++;
    });
    items.push('a', 1);
    items.skip();
    leave();
    items.push('b', 1);
    expect(notifications).toBe(2);
  });
});
