import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { expectAsInMemory } from '../../tests/support/book-outside-memory.ts';
import { AddressIds } from './address-ids.ts';
import { UndoLog } from './undo-log.ts';

const address = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'constructor', '');

describe('address ids', () => {
  test('are assigned in order of appearance and map back to the address', () => {
    fc.assert(
      fc.property(fc.array(address), (met) => {
        const ids = new AddressIds();
        const order: string[] = [];
        for (const each of met) {
          if (!order.includes(each)) order.push(each);
          expect(ids.idOf(each)).toBe(order.indexOf(each));
        }
        expect(ids.size).toBe(order.length);
        for (const [id, each] of order.entries()) {
          expect(ids.addressOf(id)).toBe(each);
          expect(ids.find(each)).toBe(id);
        }
        expect(ids.find('never met')).toBe(-1);
        expect(() => ids.addressOf(order.length)).toThrow(RangeError);
      }),
    );
  });

  test('are free for other addresses after an undo', () => {
    fc.assert(
      fc.property(fc.array(address), fc.array(address), fc.array(address), (kept, undone, next) => {
        const undo = new UndoLog(1);
        const [ids, calm] = [new AddressIds(undo), new AddressIds()];
        for (const each of kept) expect(ids.idOf(each)).toBe(calm.idOf(each));
        undo.open();
        for (const each of undone) ids.idOf(each);
        undo.close();
        undo.undo();
        expect(ids.size).toBe(calm.size);
        for (const each of undone) expect(ids.find(each)).toBe(calm.find(each));
        for (const each of next) expect(ids.idOf(each)).toBe(calm.idOf(each));
      }),
    );
  });

  test('are those before a record while that is read, and then those of now', () => {
    const met = fc.array(address);
    fc.assert(
      fc.property(met, met, met, met, (kept, added, early, later) => {
        const undo = new UndoLog(1);
        const [ids, before, now] = [new AddressIds(undo), new AddressIds(), new AddressIds()];
        for (const each of kept) for (const of of [ids, before, now]) of.idOf(each);
        const read = (expected: AddressIds) => {
          for (const each of early) expect(ids.find(each)).toBe(expected.find(each));
          const addresses = Array.from({ length: ids.size }, (_, id) => ids.addressOf(id));
          expect(addresses).toEqual(
            Array.from({ length: expected.size }, (_, id) => expected.addressOf(id)),
          );
        };
        undo.open();
        for (const each of added) expect(ids.idOf(each)).toBe(now.idOf(each));
        undo.asOfOpening(() => read(before));
        read(now);
        for (const each of later) expect(ids.idOf(each)).toBe(now.idOf(each));
        undo.asOfOpening(() => read(before));
        read(now);
        undo.close();
      }),
    );
  });

  test('are the same after a restart, also those of names that are no addresses', () => {
    const names = ['a', 'b', 'constructor', '', '11111111111111111111111111111111'];
    const slot = fc.array(fc.constantFrom(...names), { maxLength: 3 });
    const plans = fc.array(fc.record({ slot, reverted: fc.nat(2) }), { maxLength: 8 });
    fc.assert(
      fc.property(plans, fc.nat(6), (drawn, storedAt) => {
        expectAsInMemory<AddressIds<string>, readonly string[]>(
          {
            create: (ids) => ids,
            apply: (ids, met) => met.map((each) => ids.idOf(each)),
            answers: (ids) => [
              names.map((each) => ids.find(each)),
              Array.from({ length: ids.size }, (_, id) => ids.addressOf(id)),
            ],
          },
          drawn,
          storedAt,
        );
      }),
    );
  });
});
