import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { expectStored } from '../../../tests/support/book-trial.ts';
import { address } from '../../../tests/support/build-transaction.ts';
import { named } from '../../../tests/support/made-up-units.ts';
import { sumsOf } from '../../../tests/support/page-sums.ts';
import { UndoLog } from '../../lib/undo-log.ts';
import { asRawAmount } from '../../model/units.ts';
import type { CaseUpdate } from '../cases/case-update.ts';
import { AWAITED_MAX, EvaluationSchedule } from './evaluation-schedule.ts';

const START_MS = 1_760_000_000_000;
const SLOT_MS = 400;
const timeOf = (slot: number) => START_MS + slot * SLOT_MS;

function someEvents(mint: string, draft: Partial<CaseUpdate> = {}): CaseUpdate {
  return {
    mint: named(mint),
    trades: 1,
    buyers: 1,
    soldRaw: asRawAmount(0n),
    groupedBuyers: 0,
    isLiquidityOut: false,
    ...draft,
  };
}

/** Cases with this many entries each, of mints with a supply of 1,000. */
function sizes(entries = 10) {
  return { entriesOf: () => entries, supplyOf: () => asRawAmount(1_000n) };
}

function createSchedule() {
  const schedule = new EvaluationSchedule(new UndoLog());
  const settle = (slot: number, updates: readonly CaseUpdate[], entries = 10) => {
    for (const one of updates) schedule.note(one, timeOf(slot), sizes());
    return schedule.take(slot, timeOf(slot), sizes(entries));
  };
  return { schedule, settle };
}

describe('a mint is evaluated in the slot', () => {
  test.each<[string, Partial<CaseUpdate>]>([
    ['in which trades were placed together', { groupedBuyers: 3 }],
    ['in which three bought', { buyers: 3 }],
    ['in which a hundredth of the supply was sold', { soldRaw: asRawAmount(10n) }],
    ['in which liquidity was taken out', { trades: 0, isLiquidityOut: true }],
  ])('%s', (_, draft) => {
    expect(createSchedule().settle(5, [someEvents('m', draft)])).toEqual(['m']);
  });

  test('in which sales since the last evaluation reach a hundredth of the supply', () => {
    const { settle } = createSchedule();
    const sale = someEvents('m', { soldRaw: asRawAmount(4n) });
    expect([settle(1, [sale]), settle(2, [sale]), settle(3, [sale])]).toEqual([[], [], ['m']]);
    expect([settle(4, [sale]), settle(5, [sale]), settle(6, [sale])]).toEqual([[], [], ['m']]);
  });
});

describe('a mint that only trades', () => {
  test('is evaluated after half a minute, and again while it trades', () => {
    const { schedule, settle } = createSchedule();
    const evaluations: number[] = [];
    for (let slot = 0; slot < 400; slot++) {
      const updates = slot < 200 ? [someEvents('m')] : [];
      if (settle(slot, updates).length > 0) evaluations.push(slot);
    }
    // 75 slots of 400 ms are half a minute.
    expect(evaluations).toEqual([75, 150, 225]);
    expect(schedule.size).toBe(0);
  });

  test('is not evaluated without a trade', () => {
    const { schedule, settle } = createSchedule();
    settle(0, [someEvents('m', { trades: 0 })]);
    expect(schedule.size).toBe(0);
  });
});

test('a long case with few updates is evaluated after ten minutes', () => {
  const { settle } = createSchedule();
  const evaluations: number[] = [];
  for (let slot = 0; slot < 1_800; slot++) {
    // One slot with a trade in 30 seconds, of 1,000 entries.
    const updates = slot % 75 === 0 ? [someEvents('m')] : [];
    if (settle(slot, updates, 1_000).length > 0) evaluations.push(slot);
  }
  // The first evaluation comes early; then 1,500 slots of 400 ms are ten minutes.
  expect(evaluations).toEqual([75, 1_575]);
});

test.each([
  ['placed together', { groupedBuyers: 3 }, [0, 10, 20]],
  ['buyers alone', { buyers: 3 }, [0]],
])('a long case is evaluated less often, one slot per 64 or 8 entries: %s', (_, draft, slots) => {
  const { settle } = createSchedule();
  const evaluations = Array.from({ length: 30 }, (_, slot) =>
    settle(slot, [someEvents('m', draft)], 640),
  );
  expect(evaluations.flatMap((taken, slot) => (taken.length > 0 ? [slot] : []))).toEqual(slots);
});

test('mints beyond the budget wait, in order of urgency', () => {
  const { settle } = createSchedule();
  const names = ['z', 'y', 'x', 'w', 'v'];
  const updates = names.map((name) => someEvents(name, { buyers: 3 }));
  const evaluations = [settle(1, updates, 4_000)];
  for (let slot = 2; slot < 60; slot++) evaluations.push(settle(slot, [], 4_000));
  expect(evaluations.flat()).toEqual(names);
  // 8,000 minus two evaluations of 4,060 is -120, and each slot adds 250: 130 in slot 2; minus
  // 4,060 it is 70 sixteen slots later, and minus another 4,060 it is 10 after sixteen more.
  expect(evaluations.flatMap((taken, index) => (taken.length > 0 ? [index + 1] : []))).toEqual([
    1, 2, 18, 34,
  ]);
});

test('a well-founded mint may overdraw the budget, within a bound', () => {
  const { settle } = createSchedule();
  const plain = ['a', 'b'].map((name) => someEvents(name, { buyers: 3 }));
  expect(settle(1, plain, 4_500)).toEqual(['a', 'b']);
  // 8,000 minus twice 4,560 plus the slot's 250 is -870: one more evaluation of 9,000 entries is
  // -9,930, and the next one -18,990. Then no mint is evaluated until the debt is below 10,000
  // again.
  const better = ['c', 'd', 'e'].map((name) => someEvents(name, { groupedBuyers: 3 }));
  expect(settle(2, [...better, someEvents('f', { buyers: 3 })], 9_000)).toEqual(['c', 'd']);
  // At 250 a slot it is -9,990 in slot 38, and -19,050 after that; 77 slots later it is 200.
  const later = Array.from({ length: 200 }, (_, index) => settle(index + 3, [], 9_000));
  const at = later.flatMap((taken, index) => taken.map((mint) => [mint, index + 3]));
  expect(at).toEqual([
    ['e', 38],
    ['f', 115],
  ]);
});

test('the budget is 250 entries a slot, or as many as a busy slot has trades', () => {
  const looksOf = (mints: number) => {
    const { settle } = createSchedule();
    const names = Array.from({ length: mints }, (_, index) => `mint ${index}`);
    let evaluations = 0;
    for (let slot = 0; slot < 1_000; slot++) {
      const updates = names.map((name) => someEvents(name, { groupedBuyers: 3, trades: 1 }));
      evaluations += settle(slot, updates, 440).length;
    }
    return evaluations;
  };
  // An evaluation takes 500; the reserve allows 16 more, the debt 20, and one may exceed it.
  expect(looksOf(200)).toBeGreaterThanOrEqual(500 + 35);
  expect(looksOf(200)).toBeLessThanOrEqual(500 + 37);
  expect(looksOf(600)).toBeGreaterThanOrEqual(1_200 + 35);
  expect(looksOf(600)).toBeLessThanOrEqual(1_200 + 37);
  expect(looksOf(1_500)).toBeLessThanOrEqual(2_000 + 37);
});

test('an urgent mint is not evaluated again by routine without updates', () => {
  const { schedule, settle } = createSchedule();
  settle(0, [someEvents('m', { groupedBuyers: 3 })]);
  const later = Array.from({ length: 300 }, (_, index) => settle(index + 1, []));
  expect(later.flat()).toEqual([]);
  expect(schedule.size).toBe(0);
});

const anyEvents = fc.record({
  mint: fc.constantFrom('a', 'b', 'c', 'd'),
  buyers: fc.integer({ min: 0, max: 3 }),
  soldRaw: fc.bigInt({ min: 0n, max: 12n }),
  groupedBuyers: fc.integer({ min: 0, max: 3 }),
});
const anySlots = fc.array(
  fc.record({
    skipped: fc.integer({ min: 1, max: 60 }),
    updates: fc.array(anyEvents, { maxLength: 4 }),
  }),
  { maxLength: 40 },
);

/** The slots of a story, with their numbers. */
function numbered(slots: readonly { skipped: number; updates: readonly SomeUpdate[] }[]) {
  let slot = 0;
  return slots.map(({ skipped, updates }) => {
    slot += skipped;
    const noted = updates.map(({ mint, soldRaw, ...draft }) => ({
      ...someEvents('', { ...draft, soldRaw: asRawAmount(soldRaw) }),
      mint: address(mint),
    }));
    return { slot, updates: noted };
  });
}

type SomeUpdate = typeof anyEvents extends fc.Arbitrary<infer Update> ? Update : never;

test('slots can be undone, stored and restored', () => {
  fc.assert(
    fc.property(anySlots, fc.nat(39), (slots, stored) => {
      expectStored<EvaluationSchedule, ReturnType<typeof numbered>[number]>(
        {
          create: (undo) => new EvaluationSchedule(undo),
          apply(schedule, { slot, updates }) {
            for (const one of updates) schedule.note(one, timeOf(slot), sizes());
            return schedule.take(slot, timeOf(slot), sizes(700));
          },
          answers: (schedule) => schedule.size,
        },
        numbered(slots),
        stored,
      );
    }),
    { numRuns: 50 },
  );
});

test('no update waits for long', () => {
  fc.assert(
    fc.property(anySlots, (slots) => {
      const { settle } = createSchedule();
      const unseen = new Set<string>();
      const played = numbered(slots);
      const take = (slot: number, updates: readonly CaseUpdate[]) => {
        const taken = settle(slot, updates, 700);
        expect(new Set(taken).size).toBe(taken.length);
        for (const { mint } of updates) unseen.add(mint);
        for (const mint of taken) unseen.delete(mint);
      };
      for (const { slot, updates } of played) take(slot, updates);
      const last = played.at(-1)?.slot ?? 0;
      for (let rest = 1; rest <= 1_700; rest++) take(last + rest, []);
      expect([...unseen]).toEqual([]);
    }),
  );
});

test('sales beyond 64 bits count as sales of everything', () => {
  const { settle } = createSchedule();
  const most = someEvents('m', { soldRaw: asRawAmount(2n ** 64n - 1n) });
  expect([settle(1, [most, most]), settle(2, [someEvents('m')])]).toEqual([['m'], []]);
});

test('beyond the limit, the longest waiting mint is dropped until it trades again', () => {
  const undo = new UndoLog(2);
  const schedule = new EvaluationSchedule(undo);
  const note = (slot: number, ...mints: readonly string[]) => {
    for (const mint of mints) {
      schedule.note(someEvents(mint, { groupedBuyers: 3 }), timeOf(slot), sizes());
    }
  };
  const names = Array.from({ length: AWAITED_MAX }, (_, at) => `m${at}`);
  note(1, ...names);
  const before = sumsOf(undo.pages);
  undo.open();
  note(1, 'one more');
  expect(schedule.size).toBe(AWAITED_MAX);
  undo.close();
  undo.undo();
  expect(sumsOf(undo.pages)).toBe(before);
  note(1, 'one more');
  expect(schedule.take(1, timeOf(1), sizes()).slice(0, 2)).toEqual(['m1', 'm2']);
  note(2, 'm0');
  expect(schedule.size).toBe(AWAITED_MAX);
});
