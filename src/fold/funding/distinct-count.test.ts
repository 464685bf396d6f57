import { describe, expect, test } from 'vitest';
import { UndoLog } from '../../lib/undo-log.ts';
import { DistinctCount } from './distinct-count.ts';

function countOf(members: Iterable<number>): DistinctCount {
  const distinct = new DistinctCount();
  for (const member of members) distinct.add(member);
  return distinct;
}

function* range(count: number, from = 0): Iterable<number> {
  for (let member = from; member < from + count; member++) yield member;
}

describe('a count of distinct members', () => {
  test('is exact up to 256, regardless of repetitions', () => {
    const distinct = countOf([...range(256), ...range(256), 7, 7]);
    expect(distinct.count).toBe(256);
    expect(distinct.isExact).toBe(true);
  });

  test.each([257, 1_000, 5_000, 20_000, 100_000, 1_000_000])(
    'is within three standard errors of %i',
    (count) => {
      const distinct = countOf(range(count, 1_000_003));
      expect(distinct.isExact).toBe(false);
      expect(Math.abs(distinct.count - count) / count).toBeLessThan(3 * 0.016_25);
    },
  );

  test('does not depend on the order of its members', () => {
    const members = [...range(3_000)];
    expect(countOf(members.toReversed()).count).toBe(countOf(members).count);
  });

  test('is restored by undo, also across the change to an estimate', () => {
    const undo = new UndoLog(2);
    const distinct = new DistinctCount(undo);
    for (const member of range(250)) distinct.add(member);
    undo.open();
    for (const member of range(2_000)) distinct.add(member);
    undo.close();
    const between = distinct.count;
    undo.open();
    for (const member of range(9_000)) distinct.add(member);
    undo.close();
    undo.undo();
    expect(distinct.count).toBe(between);
    undo.undo();
    expect(distinct.isExact).toBe(true);
    expect(distinct.count).toBe(250);
  });
});
