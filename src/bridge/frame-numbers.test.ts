import fc from 'fast-check';
import { expect, test } from 'vitest';
import { buildChanges } from '../../tests/support/build-records.ts';
import { pricedTrade } from '../../tests/support/build-trades.ts';
import { address } from '../../tests/support/build-transaction.ts';
import { fakePool, fakeWallet, MINT, POOL } from '../../tests/support/fake-api-deps.ts';
import { FakeLiveEngine } from '../../tests/support/fake-live-engine.ts';
import { endOfStep, NUMBERS_PER_STEP } from '../model/shared-numbers.ts';
import { identityOf, type SlotFrame, type SlotItem } from '../model/slot-frame.ts';
import { type Address, asSlot } from '../model/units.ts';
import { FrameNumbers } from './frame-numbers.ts';
import { SlotFeed } from './slot-feed.ts';

const placed = (...places: readonly (number | null)[]) =>
  places.map((place, index) => ({ item: `item ${index}`, place }));

test('numbers follow the places of items, and those without a place come last', () => {
  const numbers = new FrameNumbers();
  const options = { places: 10, isUndone: false };
  const taken = numbers.take(7, placed(4, null, 2, null), options);
  expect(taken?.items).toEqual(['item 2', 'item 0', 'item 1', 'item 3']);
  const [first = 0] = taken?.seqs ?? [];
  expect(taken?.seqs).toEqual([first, first + 2, first + 8, first + 9]);
  expect(first).toBeGreaterThan(endOfStep(6));
});

test('frames of one step follow each other, whatever is wanted of them', () => {
  const [all, none] = [new FrameNumbers(), new FrameNumbers()];
  const options = { places: 3, isUndone: true };
  const one = all.take(7, placed(0, 1, 2), options);
  none.take(7, [], options);
  const other = all.take(7, placed(1), options);
  expect(other?.seqs).toEqual(none.take(7, placed(1), options)?.seqs);
  expect(Math.max(...(one?.seqs ?? []))).toBeLessThan(Math.min(...(other?.seqs ?? [])));
  // What was applied last is sent, and numbered, first.
  expect(one?.seqs).toEqual([...(one?.seqs ?? [])].sort((a, b) => a - b));
});

test('a step with more items than numbers has none', () => {
  const numbers = new FrameNumbers();
  expect(numbers.take(7, [], { places: NUMBERS_PER_STEP, isUndone: false })).toBeNull();
  expect(numbers.take(8, placed(0), { places: 1, isUndone: false })?.seqs).toHaveLength(1);
});

const WALLETS = Array.from({ length: 6 }, (_, index) => address(`wallet ${index}`));
const POOLS = Array.from({ length: 4 }, (_, index) => address(`pool ${index}`));
const SUBJECTS = [
  ...['chain', 'pool', 'trades', 'new_tokens', 'token', 'signals'],
  ...WALLETS.map((wallet) => `wallet wallet ${wallet}`),
  ...WALLETS.map((wallet) => `trades wallet ${wallet}`),
  ...POOLS.map((pool) => `pool pool ${pool}`),
];

/** Publishes steps for what is wanted, and returns the number of each item, by slot and identity. */
function numbersOf(
  wanted: readonly string[],
  steps: readonly { readonly traders: readonly number[]; readonly pools: readonly number[] }[],
): ReadonlyMap<string, number> {
  const numbers = new Map<string, number>();
  const engine = Object.assign(new FakeLiveEngine(), {
    wallet: (wallet: Address) => fakeWallet({ address: wallet }),
  });
  let step = 0;
  const source = {
    ...{ engine, finalSlot: asSlot(0), statusOf: () => 'active' as const, appliedStep: null },
    get step() {
      return step;
    },
  };
  const take = (frame: SlotFrame | null) => {
    const items = (frame?.isUndone === true ? [...frame.items].reverse() : frame?.items) ?? [];
    for (const [index, item] of items.entries()) {
      const name = `${frame?.slot} ${frame?.isUndone} ${identityOf(item as SlotItem)}`;
      numbers.set(name, frame?.seqs?.[index] ?? 0);
    }
    feed.seen();
  };
  const feed = new SlotFeed(source, take);
  feed.want(wanted, []);
  const changes = steps.map(({ traders, pools }, index) =>
    buildChanges(index + 1, {
      swaps: traders.map((trader, txIndex) =>
        pricedTrade({
          ...{ slot: index + 1, timeMs: 1, trader: WALLETS[trader] ?? '', side: 'buy', txIndex },
          ...{ baseRaw: 1n, quoteRaw: 1n, rest: { pool: POOL, baseMint: MINT } },
        }),
      ),
      pools: pools.map((pool) => fakePool({ pool: POOLS[pool] ?? POOL })),
    }),
  );
  for (const [index, change] of changes.entries()) {
    step = index + 1;
    engine.lastSlot = asSlot(index + 1);
    feed.onApplied(change);
  }
  step++;
  for (const change of changes.toReversed()) feed.onReverted(change);
  return numbers;
}

const index = (max: number) => fc.integer({ min: 0, max });
const steps = fc.array(
  fc.record({
    traders: fc.array(index(WALLETS.length - 1), { maxLength: 8 }),
    pools: fc.uniqueArray(index(POOLS.length - 1)),
  }),
  { minLength: 1, maxLength: 5 },
);

test('an item has the same number on every replica, whatever is wanted there', () => {
  fc.assert(
    fc.property(steps, fc.subarray(SUBJECTS), fc.subarray(SUBJECTS), (given, some, others) => {
      const all = numbersOf(SUBJECTS, given);
      for (const wanted of [some, others]) {
        for (const [name, number] of numbersOf(wanted, given)) {
          expect([name, number]).toEqual([name, all.get(name)]);
        }
      }
      const ordered = [...all.values()];
      expect(ordered).toEqual([...ordered].sort((one, other) => one - other));
      expect(new Set(ordered).size).toBe(ordered.length);
    }),
  );
});
