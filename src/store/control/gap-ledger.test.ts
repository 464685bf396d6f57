import type { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { StoreError } from '../../model/errors.ts';
import type { MissingMark, SlotMark } from '../../model/slot-range.ts';
import { asSlot } from '../../model/units.ts';
import { openControlPlane } from './control-plane.ts';
import { CursorTable } from './cursor.ts';
import { GapLedger } from './gap-ledger.ts';
import { type SlotRange, withMark } from './slot-ranges.ts';
import { WriterFence } from './writer-fence.ts';

const held = (from: number, to: number): SlotMark => ({
  state: 'held',
  from: asSlot(from),
  to: asSlot(to),
});

function missing(from: number, to: number): MissingMark {
  const range = { from: asSlot(from), to: asSlot(to) };
  const rest = { reason: 'pruned', sinceMs: 5, tries: 1, afterMs: null, beforeMs: null };
  return { ...range, ...rest, state: 'missing', isSuspected: false };
}

const mark: fc.Arbitrary<SlotMark> = fc
  .record({ from: fc.nat(40), length: fc.nat(6), state: fc.constantFrom('held', 'skipped', 'gap') })
  .map(({ from, length, state }) => {
    if (state === 'gap') return missing(from, from + length);
    const range = { from: asSlot(from), to: asSlot(from + length) };
    return { ...range, state: state === 'held' ? 'held' : 'skipped' };
  });

describe('the gap ledger', () => {
  let database: DatabaseSync;

  beforeEach(() => {
    database = openControlPlane(':memory:');
  });

  afterEach(() => {
    database.close();
  });

  test('has the same ranges in SQL and in memory as a plain list of slots', () => {
    fc.assert(
      fc.property(fc.array(fc.array(mark, { maxLength: 5 }), { maxLength: 6 }), (batches) => {
        database.exec('DELETE FROM slot_ranges');
        const ledger = new GapLedger(database);
        let plain: SlotRange[] = [];
        for (const batch of batches) {
          ledger.mark(batch);
          plain = batch.reduce(withMark, plain);
        }
        const gaps = plain.filter(({ state }) => state === 'missing');
        const places = gaps.map(({ from, to, tries }) => ({ from, to, tries }));
        for (const found of [ledger, new GapLedger(database)]) {
          expect(found.ranges(asSlot(0), asSlot(99))).toEqual(plain);
          expect(found.gaps.map(({ from, to, tries }) => ({ from, to, tries }))).toEqual(places);
          expect(found.counts.missing).toBe(
            gaps.reduce((sum, { from, to }) => sum + to - from + 1, 0),
          );
        }
      }),
    );
  });

  test('is marked together with the cursor or not at all', () => {
    const gaps = new GapLedger(database);
    const cursor = new CursorTable(database, { fence: WriterFence.take(database), gaps });
    cursor.write({ epoch: 1, slot: asSlot(8), isDirty: false }, [held(1, 4), missing(5, 7)]);
    // The second mark cannot be stored: the whole step must not be.
    const impossible = { ...missing(10, 11), tries: Number.NaN };
    const step = () =>
      cursor.write({ epoch: 1, slot: asSlot(20), isDirty: false }, [held(5, 7), impossible]);
    expect(step).toThrow(StoreError);
    expect(cursor.read().slot).toBe(8);
    expect(gaps.gaps).toMatchObject([{ from: 5, to: 7, reason: 'pruned', tries: 1 }]);
    expect(gaps.counts).toEqual({ held: 4, skipped: 0, missing: 3 });
  });
});

describe('the writer', () => {
  test('that was replaced can neither move the cursor nor mark slots', () => {
    const database = openControlPlane(':memory:');
    const gaps = new GapLedger(database);
    const stale = new CursorTable(database, { fence: WriterFence.take(database), gaps });
    stale.write({ epoch: 1, slot: asSlot(3), isDirty: false }, [held(1, 3)]);
    const next = new CursorTable(database, { fence: WriterFence.take(database), gaps });
    next.write({ epoch: 1, slot: asSlot(5), isDirty: false }, [held(4, 5)]);
    const waking = () => stale.write({ epoch: 1, slot: asSlot(4), isDirty: false }, [held(4, 9)]);
    expect(waking).toThrow(StoreError);
    expect(waking).toThrow('Another process writes to this data folder');
    expect(new CursorTable(database).read().slot).toBe(5);
    expect(gaps.counts.held).toBe(5);
    database.close();
  });

  test('that only reads cannot move the cursor', () => {
    const database = openControlPlane(':memory:');
    const reader = new CursorTable(database);
    expect(() => reader.write({ epoch: 1, slot: null, isDirty: false })).toThrow('read-only');
    database.close();
  });
});
