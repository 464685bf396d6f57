import fc from 'fast-check';
import { expect, test } from 'vitest';
import { IdRows } from './id-rows.ts';
import { UndoLog } from './undo-log.ts';

const IDS = 20_000;

test('rows of ids are those of a Map, and are restored by undo', () => {
  const change = fc.record({ id: fc.nat(IDS - 1), row: fc.option(fc.nat(2 ** 32 - 2)) });
  fc.assert(
    fc.property(fc.array(change), fc.array(change), (kept, undone) => {
      const undo = new UndoLog(1);
      const [rows, map] = [new IdRows(undo), new Map<number, number>()];
      const apply = ({ id, row }: (typeof kept)[number], on: Map<number, number>) => {
        if (row === null) rows.delete(id);
        else rows.set(id, row);
        if (row === null) on.delete(id);
        else on.set(id, row);
      };
      const inOrder = () => [...map].sort(([one], [other]) => one - other);
      for (const each of kept) apply(each, map);
      expect([...rows.entries(IDS)]).toEqual(inOrder());
      undo.open();
      for (const each of undone) apply(each, new Map());
      undo.close();
      undo.undo();
      expect([...rows.entries(IDS)]).toEqual(inOrder());
    }),
    { numRuns: 50 },
  );
});

test('an id without a row, and no id at all, have the row -1', () => {
  const rows = new IdRows();
  rows.set(7, 0);
  expect([rows.get(6), rows.get(7), rows.get(-1), rows.get(1e9)]).toEqual([-1, 0, -1, -1]);
});
