import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { named } from '../../../tests/support/made-up-units.ts';
import { sumsOf } from '../../../tests/support/page-sums.ts';
import { AddressIds } from '../../lib/address-ids.ts';
import { UndoLog } from '../../lib/undo-log.ts';
import type { Venue } from '../../model/program.ts';
import type { Address } from '../../model/units.ts';
import { FeeAccountWatch } from './fee-account-watch.ts';

const HOUR_MS = 3_600_000;
const venue: Venue = 'pump';
const account = (name: string | number) => named(`account-${name}`);

function createWatch(undo = new UndoLog()): FeeAccountWatch {
  return new FeeAccountWatch(new AddressIds(undo), undo);
}

/** `count` swaps that each pay a random account; the first `paying` of ten pay the fee account. */
function swaps(watch: FeeAccountWatch, count: number, paying: number, timeMs = 0): void {
  for (let index = 0; index < count; index++) {
    const paid = [account(index)];
    if (index % 10 < paying) paid.push(account('fee'));
    watch.note(venue, paid, timeMs);
  }
}

describe('accounts that are paid in swaps of a venue', () => {
  test('are detected when four of ten swaps pay them', () => {
    const watch = createWatch();
    swaps(watch, 400, 4, 1_000);
    expect(watch.all()).toEqual([{ address: account('fee'), venue, sinceMs: 1_000 }]);
  });

  test('are not detected when three of ten do, or with fewer than a hundred swaps', () => {
    const watch = createWatch();
    swaps(watch, 1_000, 3);
    expect(watch.all()).toEqual([]);
    const small = createWatch();
    swaps(small, 99, 10);
    expect(small.all()).toEqual([]);
  });

  test('are counted separately for each hour', () => {
    const watch = createWatch();
    swaps(watch, 60, 10, 0);
    swaps(watch, 60, 10, HOUR_MS);
    expect(watch.all()).toEqual([]);
  });

  test('are counted once for a transaction that pays them twice', () => {
    const watch = createWatch();
    for (let index = 0; index < 200; index++) {
      watch.note(venue, index % 5 === 0 ? [account('fee'), account('fee')] : [], 0);
    }
    expect(watch.all()).toEqual([]);
  });

  test('are never detected when an exact count of the hour has too few payments', () => {
    const paid = fc.array(
      fc.integer({ min: 0, max: 90 }).map((ticket) => (ticket < 30 ? 0 : ticket)),
      {
        maxLength: 4,
      },
    );
    fc.assert(
      fc.property(fc.array(paid, { minLength: 100, maxLength: 300 }), (list) => {
        const watch = createWatch();
        for (const members of list) watch.note(venue, members.map(account), 0);
        const most = mostPaidOf(list);
        for (const { address } of watch.all()) expect(most).toContain(address);
        expect(watch.all().length).toBeLessThanOrEqual(most.size);
      }),
      { numRuns: 50 },
    );
  });

  test('leave no trace after undo', () => {
    const undo = new UndoLog(1);
    const watch = createWatch(undo);
    swaps(watch, 120, 2);
    const before = sumsOf(undo.pages);
    undo.open();
    swaps(watch, 300, 9);
    swaps(watch, 10, 9, 5 * HOUR_MS);
    undo.close();
    undo.undo();
    expect(sumsOf(undo.pages)).toEqual(before);
  });
});

/** Accounts that at some time from the 100th swap on were paid in over 3 of 10 swaps so far. */
function mostPaidOf(list: readonly (readonly number[])[]): Set<Address> {
  const most = new Set<Address>();
  for (let swaps = 100; swaps <= list.length; swaps++) {
    const seen = list.slice(0, swaps);
    for (const member of new Set(seen.at(-1))) {
      const paying = seen.filter((members) => members.includes(member)).length;
      if (paying * 10 > swaps * 3) most.add(account(member));
    }
  }
  return most;
}
