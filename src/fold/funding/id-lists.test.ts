import fc from 'fast-check';
import { expect, test } from 'vitest';
import { UndoLog } from '../../lib/undo-log.ts';
import { IdLists } from './id-lists.ts';

test('lists contain what was added to them, and a removed list leaves its rows to others', () => {
  const id = fc.nat(99);
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(3), id)), id, (additions, other) => {
      const lists = new IdLists(new UndoLog(), 'lists');
      const owners = Array.from({ length: 4 }, () => ({ newest: 0, ids: [] as number[] }));
      for (const [owner, added] of additions) {
        const own = owners[owner];
        if (own === undefined) continue;
        own.newest = lists.add(own.newest, own.ids.length, added);
        own.ids.push(added);
        if (own.ids.length < 20) continue;
        lists.remove(own.newest);
        Object.assign(own, { newest: 0, ids: [] });
      }
      for (const { newest, ids } of owners) {
        for (const each of [...ids, other]) {
          expect(lists.has(newest, ids.length, each)).toBe(ids.includes(each));
        }
      }
    }),
  );
});
