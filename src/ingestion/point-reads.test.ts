import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { buildChanges } from '../../tests/support/build-records.ts';
import { asSlot } from '../model/units.ts';
import { PointReads, type PointSource } from './point-reads.ts';

/** A fold of numbered slots, of which some are stored. */
class NumberedSlots {
  readonly unwritten: { changes: ReturnType<typeof buildChanges> }[] = [];
  stored: number[] = [];
  taken: number[] = [];
  rowsVersion = 2;
  private last = 0;

  get source(): PointSource {
    const newest = this.last === 0 ? null : { slot: asSlot(this.last), timeMs: this.last * 400 };
    const through = [...this.stored, ...this.taken].at(-1);
    return {
      newest,
      storedAhead: null,
      storedThrough: through === undefined ? null : asSlot(through),
      rowsVersion: this.rowsVersion,
      unwritten: [...this.unwritten],
    };
  }

  fold(): void {
    this.unwritten.push({ changes: buildChanges(++this.last) });
  }

  /** Rows are visible some time before their slots count as written. */
  store(): void {
    this.taken = this.unwritten.map(({ changes }) => changes.slot);
    this.stored.push(...this.taken);
  }

  written(): void {
    this.unwritten.splice(0, this.taken.length);
    this.taken = [];
  }
}

type Event = 'fold' | 'store' | 'written';

function happen(slots: NumberedSlots, event: Event): void {
  if (event === 'fold') slots.fold();
  else if (event === 'store') slots.store();
  else slots.written();
}

describe('reads of stored and unwritten rows', () => {
  test('are of all slots up to the one they name, and of no later one', async () => {
    const event = fc.constantFrom<Event>('fold', 'fold', 'store', 'written');
    await fc.assert(
      fc.asyncProperty(
        fc.array(event, { maxLength: 12 }),
        fc.array(fc.array(event, { maxLength: 3 }), { maxLength: 3 }),
        async (before, during) => {
          const slots = new NumberedSlots();
          for (const one of before) happen(slots, one);
          const waits = [...during];
          const reads = new PointReads(() => slots.source);
          const { slot, timeMs, data } = await reads.read(async (unwritten) => {
            for (const one of waits.shift() ?? []) happen(slots, one);
            const rest = unwritten.firstSlot;
            const recent = rest === null ? [] : unwritten.slots().map((one) => one.changes.slot);
            return new Set([...slots.stored, ...recent]);
          });
          expect([...data].sort((one, other) => one - other)).toEqual(
            Array.from({ length: slot ?? 0 }, (_, at) => at + 1),
          );
          expect(timeMs).toBe(slot === null ? null : slot * 400);
        },
      ),
      { numRuns: 300 },
    );
  });

  test('are repeated when rows of another fold become visible meanwhile', async () => {
    const slots = new NumberedSlots();
    slots.fold();
    let attempts = 0;
    const reads = new PointReads(() => slots.source);
    await reads.read(async () => {
      attempts++;
      if (attempts === 1) slots.rowsVersion++;
    });
    expect(attempts).toBe(2);
  });

  test('end although rows are stored faster than they are read', async () => {
    const slots = new NumberedSlots();
    let attempts = 0;
    const reads = new PointReads(() => slots.source);
    const { slot } = await reads.read(async () => {
      attempts++;
      slots.fold();
      slots.store();
      slots.written();
    });
    expect([attempts, slot]).toEqual([4, 3]);
  });
});
