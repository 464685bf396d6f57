import { describe, expect, test } from 'vitest';
import { UndoLog } from '../../lib/undo-log.ts';
import { DistinctRegisters } from './distinct-registers.ts';

function countOf(members: Iterable<number>): number {
  const registers = new DistinctRegisters(new UndoLog(), 'estimates');
  const estimate = registers.open();
  for (const member of members) registers.add(estimate, member);
  return registers.countOf(estimate);
}

function* range(count: number, from = 0): Iterable<number> {
  for (let member = from; member < from + count; member++) yield member;
}

describe('an estimate of distinct members', () => {
  test.each([257, 1_000, 5_000, 20_000, 100_000, 1_000_000])(
    'is within three standard errors of %i',
    (count) => {
      const estimated = countOf(range(count, 1_000_003));
      expect(Math.abs(estimated - count) / count).toBeLessThan(3 * 0.016_25);
    },
  );

  test('does not depend on the order of its members, nor on repetitions', () => {
    const members = [...range(3_000)];
    expect(countOf([...members.toReversed(), ...members])).toBe(countOf(members));
  });

  test('changes only by members that it does not count yet', () => {
    const registers = new DistinctRegisters(new UndoLog(), 'estimates');
    const estimate = registers.open();
    expect([registers.add(estimate, 7), registers.add(estimate, 7)]).toEqual([true, false]);
  });

  test('is not affected by other estimates, and leaves nothing to the next one', () => {
    const registers = new DistinctRegisters(new UndoLog(), 'estimates');
    const [one, other] = [registers.open(), registers.open()];
    for (const member of range(500)) registers.add(one, member);
    expect(registers.countOf(other)).toBe(0);
    const { allocatedBytes } = registers;
    registers.close(one);
    expect(registers.countOf(registers.open())).toBe(0);
    expect(registers.allocatedBytes).toBe(allocatedBytes);
  });

  test('is restored by undo', () => {
    const undo = new UndoLog(1);
    const registers = new DistinctRegisters(undo, 'estimates');
    const estimate = registers.open();
    for (const member of range(2_000)) registers.add(estimate, member);
    const before = registers.countOf(estimate);
    undo.open();
    for (const member of range(9_000)) registers.add(estimate, member);
    registers.close(estimate);
    undo.close();
    undo.undo();
    expect(registers.countOf(estimate)).toBe(before);
  });
});
