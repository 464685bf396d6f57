import { expect, test, vi } from 'vitest';
import { StoreError } from '../../model/errors.ts';
import type { SlotMark } from '../../model/slot-range.ts';
import { asSlot } from '../../model/units.ts';
import { openControlPlane } from './control-plane.ts';
import { type Cursor, CursorTable } from './cursor.ts';
import { GapLedger } from './gap-ledger.ts';
import { WriterFence } from './writer-fence.ts';

const AT_7: Cursor = { epoch: 1, slot: asSlot(7), isDirty: false };
const MARKS: readonly SlotMark[] = [
  { state: 'skipped', from: asSlot(100), to: asSlot(110) },
  { state: 'held', from: asSlot(500), to: asSlot(500) },
];

/** A ledger whose second range cannot be written, and whose next read fails. */
function failingOnce(readFailure: Error) {
  const database = openControlPlane(':memory:');
  const gaps = new GapLedger(database);
  const cursor = new CursorTable(database, { fence: WriterFence.take(database), gaps });
  database.exec(
    'CREATE TEMP TRIGGER full BEFORE INSERT ON slot_ranges WHEN NEW.from_slot = 500 ' +
      "BEGIN SELECT RAISE(ABORT, 'the disk is full'); END",
  );
  vi.spyOn(gaps, 'reload').mockImplementationOnce(() => {
    throw readFailure;
  });
  return { database, gaps, cursor, mend: () => database.exec('DROP TRIGGER full') };
}

test('a ledger that could not be reloaded after a failure is reloaded before the next write', () => {
  const failure = new StoreError('The disk gives no answer.', { isTransient: true });
  const { database, gaps, cursor, mend } = failingOnce(failure);
  expect(() => cursor.write(AT_7, MARKS)).toThrow('the disk is full');
  mend();
  cursor.write(AT_7);
  expect(gaps.counts).toEqual({ held: 0, skipped: 0, missing: 0 });
  cursor.write(AT_7, MARKS);
  expect([gaps.counts, gaps.isIntact]).toEqual([{ held: 1, skipped: 11, missing: 0 }, true]);
  database.close();
});

test('a ledger that cannot be reloaded is not written to', () => {
  const { database, cursor } = failingOnce(new StoreError('The ledger is damaged.'));
  expect(() => cursor.write(AT_7, MARKS)).toThrow('The ledger is damaged.');
  expect(cursor.slot).toBeNull();
  database.close();
});

test.each([
  'UPDATE cursor SET slot = -7',
  'UPDATE cursor SET is_dirty = 2',
  'UPDATE slot_ranges SET to_slot = -7',
  "PRAGMA ignore_check_constraints = 1; UPDATE slot_ranges SET state = 'helt'",
])('rows that cannot be what was written are found by their sums: %s', (damage) => {
  const database = openControlPlane(':memory:');
  const gaps = new GapLedger(database);
  new CursorTable(database, { fence: WriterFence.take(database), gaps }).write(AT_7, MARKS);
  const areIntact = () => [new CursorTable(database).isIntact, new GapLedger(database).isIntact];
  expect(areIntact()).toEqual([true, true]);
  database.exec(damage);
  expect(areIntact()).toContain(false);
  database.close();
});
