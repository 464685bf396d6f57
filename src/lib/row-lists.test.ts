import fc from 'fast-check';
import { expect, test } from 'vitest';
import { rowLayout } from './row-layout.ts';
import { RowLists } from './row-lists.ts';
import { RowTable } from './row-table.ts';
import { UndoLog } from './undo-log.ts';

const LAYOUT = rowLayout({ next: 'u32' });
const LISTS = 3;
const change = fc.record({ list: fc.nat(LISTS - 1), isRemoved: fc.boolean(), at: fc.nat(9) });

function newLists(undo = new UndoLog(1)) {
  const rows = new RowTable(LAYOUT, undo);
  return { undo, rows, lists: new RowLists(rows, LAYOUT.fields.next, undo, 'lists') };
}

test('have the rows of plain arrays after any changes, also of undone ones', () => {
  const changes = fc.array(change, { maxLength: 30 });
  fc.assert(
    fc.property(changes, changes, (kept, undone) => {
      const { undo, rows, lists } = newLists();
      const apply = (plain: number[][], drawn: typeof kept) => {
        for (const { list, isRemoved, at } of drawn) {
          const known = plain[list] as number[];
          const row = known[at];
          if (!isRemoved) {
            const added = rows.add();
            lists.append(list, added);
            known.push(added);
          } else if (row !== undefined) {
            lists.remove(list, row);
            rows.remove(row);
            known.splice(at, 1);
          }
        }
      };
      const plain: number[][] = Array.from({ length: LISTS }, () => []);
      apply(plain, kept);
      undo.open();
      apply(structuredClone(plain), undone);
      undo.close();
      undo.undo();
      expect(plain.map((_, list) => lists.of(list))).toEqual(plain);
      expect(plain.map((_, list) => lists.has(list))).toEqual(
        plain.map(({ length }) => length > 0),
      );
      expect(lists.all().toSorted()).toEqual(plain.flat().toSorted());
    }),
  );
});

test('have no list -1, and refuse to remove a row of another list', () => {
  const { rows, lists } = newLists();
  const row = rows.add();
  lists.append(1, row);
  expect(lists.of(-1)).toEqual([]);
  expect(lists.has(-1)).toBe(false);
  expect(() => lists.remove(2, row)).toThrow(RangeError);
});
