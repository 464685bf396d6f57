import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rowLayout } from '../../lib/row-layout.ts';
import { RowTable } from '../../lib/row-table.ts';
import { UndoLog } from '../../lib/undo-log.ts';
import { AgeQueue } from './age-queue.ts';

const LAYOUT = rowLayout({ older: 'u32', newer: 'u32' });
const ROWS = 5;

/** Rows 0 to 4 in a queue, the first one the oldest. */
function aQueue(undo: UndoLog): AgeQueue {
  const rows = new RowTable(LAYOUT, undo);
  const queue = new AgeQueue(rows, LAYOUT.fields, undo, 'by age');
  for (let row = 0; row < ROWS; row++) queue.push(rows.add());
  return queue;
}

const renewals = fc.array(fc.nat(ROWS - 1), { maxLength: 12 });

describe('rows in a queue', () => {
  it('move to the end when renewed, as in a list with removal and append', () => {
    fc.assert(
      fc.property(renewals, (renewed) => {
        const queue = aQueue(new UndoLog());
        const list = [0, 1, 2, 3, 4];
        for (const row of renewed) {
          queue.renew(row);
          list.push(...list.splice(list.indexOf(row), 1));
        }
        expect([...queue.all()]).toEqual(list);
        expect([queue.oldest, queue.size]).toEqual([list[0], ROWS]);
        // Backward links must hold as well: rows are removed from any position.
        for (const row of [2, 0, 4]) queue.remove(row);
        expect([...queue.all()]).toEqual(list.filter((row) => row === 1 || row === 3));
      }),
    );
  });

  it('return to their position when renewals are undone', () => {
    fc.assert(
      fc.property(renewals, (renewed) => {
        const undo = new UndoLog(1);
        const queue = aQueue(undo);
        undo.open();
        for (const row of renewed) queue.renew(row);
        undo.close();
        undo.undo();
        expect([...queue.all()]).toEqual([0, 1, 2, 3, 4]);
        expect([queue.oldest, queue.size]).toEqual([0, ROWS]);
      }),
    );
  });
});
