import { expect, test } from 'vitest';
import { NameNumbers } from './name-numbers.ts';
import { UndoLog } from './undo-log.ts';

test('names have the numbers in which they were first seen, until that is undone', () => {
  const undo = new UndoLog(1);
  const numbers = new NameNumbers<'one' | 'two' | 'three'>(undo);
  expect(numbers.numberOf('two')).toBe(0);
  undo.open();
  expect([numbers.numberOf('one'), numbers.numberOf('two')]).toEqual([1, 0]);
  undo.close();
  expect(numbers.nameOf(1)).toBe('one');
  undo.undo();
  expect(() => numbers.nameOf(1)).toThrow(RangeError);
  expect([numbers.numberOf('three'), numbers.nameOf(1)]).toEqual([1, 'three']);
});
