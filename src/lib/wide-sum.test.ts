import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { rowLayout } from './row-layout.ts';
import { RowTable } from './row-table.ts';
import { UndoLog } from './undo-log.ts';
import { addToWide, wideSum } from './wide-sum.ts';

const LAYOUT = rowLayout({ before: 'u64', sum: ['u64', 2], after: 'u64' });
const { before, sum, after } = LAYOUT.fields;
const addend = fc.bigInt(-(2n ** 95n), 2n ** 95n);

function newRows(undo?: UndoLog) {
  const rows = new RowTable(LAYOUT, undo);
  return { rows, row: rows.add() };
}

describe('a sum of 128 bits', () => {
  test('equals that of bigints after each addition, and changes no other field', () => {
    const either = fc.oneof(addend, fc.bigInt(-9n, 9n), fc.constantFrom(2n ** 64n, -(2n ** 64n)));
    fc.assert(
      fc.property(fc.array(either), (amounts) => {
        const { rows, row } = newRows();
        let expected = 0n;
        for (const amount of amounts) {
          addToWide(rows, row, sum, amount);
          expected += amount;
          expect(wideSum(rows, row, sum)).toBe(expected);
        }
        expect([rows.bigint(row, before), rows.bigint(row, after)]).toEqual([0n, 0n]);
      }),
    );
  });

  test('has the range of a signed number', () => {
    const { rows, row } = newRows();
    addToWide(rows, row, sum, 2n ** 127n - 1n);
    expect(() => addToWide(rows, row, sum, 1n)).toThrow(RangeError);
    expect(wideSum(rows, row, sum)).toBe(2n ** 127n - 1n);
    addToWide(rows, row, sum, -(2n ** 127n));
    expect(wideSum(rows, row, sum)).toBe(-1n);
  });

  test('is restored by an undo', () => {
    const undo = new UndoLog(1);
    const { rows, row } = newRows(undo);
    addToWide(rows, row, sum, 5n);
    undo.open();
    addToWide(rows, row, sum, -(2n ** 80n));
    undo.close();
    undo.undo();
    expect(wideSum(rows, row, sum)).toBe(5n);
  });
});
