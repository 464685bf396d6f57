import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { address } from '../../../tests/support/build-transaction.ts';
import { BUSY, buildTrigger, ofPool, ofToken } from '../../../tests/support/build-trigger.ts';
import { fakePool, MINT, OTHER_POOL, POOL } from '../../../tests/support/fake-api-deps.ts';
import { NO_WIDER_FIGURES } from '../../model/pool-figures.ts';
import type { PoolRecord } from '../../model/pool-record.ts';
import { WRAPPED_SOL } from '../../model/program.ts';
import { type StoredTrigger, TRIGGER_OPERATORS, type TriggerTarget } from '../../model/trigger.ts';
import { type Address, asRawAmount } from '../../model/units.ts';
import { type Fired, type TargetState, TriggerBook } from './trigger-book.ts';

const withBuys = (buyCount: number, pool = POOL) => fakePool({ pool, buyCount });
/** Pools as a slot left them. */
const statesOf = (...pools: readonly PoolRecord[]): TargetState[] =>
  pools.map((pool) => ({ target: ofPool(pool.pool), pool }));
const RESERVES = { quote: asRawAmount(0n), virtualBase: null, virtualQuote: null };
const keysOf = (fired: readonly Fired[]) => fired.map(({ trigger }) => trigger.key);

describe('a trigger', () => {
  test('fires once when it becomes true, and again after it was false', () => {
    const book = new TriggerBook();
    expect(book.put(buildTrigger(), withBuys(3))).toBeNull();
    const fired = [10, 11, 12, 9, 11].map((buys) => keysOf(book.changed(statesOf(withBuys(buys)))));
    expect(fired).toEqual([[], [1], [], [], [1]]);
  });

  test('fires immediately if it is already true, with the current figures', () => {
    const book = new TriggerBook();
    const fired = book.put(buildTrigger(), withBuys(11));
    expect(fired).toMatchObject({ trigger: { key: 1 }, figures: { buyCount: 11 } });
    expect(book.changed(statesOf(withBuys(12)))).toEqual([]);
  });

  test('can be added before its pool is seen', () => {
    const book = new TriggerBook();
    expect(book.put(buildTrigger(), null)).toBeNull();
    expect(keysOf(book.changed(statesOf(withBuys(11))))).toEqual([1]);
  });

  test('starts over with new conditions', () => {
    const book = new TriggerBook();
    book.put(buildTrigger(), withBuys(11));
    const lower = { ...BUSY, value: '5' };
    const updated = buildTrigger({ revision: 2, conditions: [lower] });
    expect(book.put(updated, withBuys(11))).not.toBeNull();
    expect(book.size).toBe(1);
    expect([book.isTrue(1, 1), book.isTrue(1, 2)]).toEqual([false, true]);
  });

  test('does not fire when a rollback restores a state in which it was true', () => {
    const book = new TriggerBook();
    book.put(buildTrigger(), withBuys(11));
    book.changed(statesOf(withBuys(3)));
    book.wentBack(statesOf(withBuys(11)));
    expect(book.changed(statesOf(withBuys(12)))).toEqual([]);
    book.wentBack([{ target: ofPool(POOL), pool: null }]);
    expect(keysOf(book.changed(statesOf(withBuys(12))))).toEqual([1]);
  });

  test('compares figures beside those of the record, read only for pools where a condition uses them', () => {
    let rawHolders = 3;
    const asked: Address[] = [];
    const book = new TriggerBook({
      isMarketComplete: () => true,
      widerOf: ({ pool }) => {
        asked.push(pool);
        return { ...NO_WIDER_FIGURES, rawHolders };
      },
    });
    const holders = { field: 'raw_holders', operator: 'gt', value: '3' } as const;
    book.put(buildTrigger({ conditions: [holders, BUSY] }), withBuys(11));
    book.put(buildTrigger({ key: 2, target: ofPool(OTHER_POOL) }), withBuys(3, OTHER_POOL));
    expect(book.changed(statesOf(withBuys(12), withBuys(4, OTHER_POOL)))).toEqual([]);
    rawHolders = 4;
    const [fired] = book.changed(statesOf(withBuys(12), withBuys(5, OTHER_POOL)));
    expect(fired).toMatchObject({ trigger: { key: 1 }, figures: { rawHolders: 4, buyCount: 12 } });
    expect(asked).toEqual([POOL, POOL, POOL]);
    rawHolders = 3;
    book.wentBack(statesOf(withBuys(12)));
    expect(book.isTrue(1)).toBe(false);
    book.remove(1);
    book.put(buildTrigger(), withBuys(11));
    expect(asked).toHaveLength(4);
  });

  test('names the pools with triggers on findings, as long as there are any', () => {
    const book = new TriggerBook();
    const risky = { field: 'fraud_confidence', operator: 'gt', value: '0.8' } as const;
    book.put(buildTrigger(), null);
    book.put(buildTrigger({ key: 2, conditions: [BUSY, risky] }), null);
    book.put(buildTrigger({ key: 3, conditions: [risky] }), null);
    book.put(buildTrigger({ key: 4, target: ofPool(OTHER_POOL) }), null);
    expect(book.findingTargets()).toEqual([ofPool(POOL)]);
    book.remove(2);
    expect(book.findingTargets()).toEqual([ofPool(POOL)]);
    book.put(buildTrigger({ key: 3 }), null);
    expect(book.findingTargets()).toEqual([]);
  });

  test('of a token is compared in whole tokens of the pool that is primary', () => {
    const book = new TriggerBook();
    const more = { field: 'token_amount', operator: 'gt', value: '5' } as const;
    book.put(buildTrigger({ target: ofToken(MINT), conditions: [more] }), null);
    const holding = (baseDecimals: number, amount: bigint) => ({
      target: ofToken(MINT),
      pool: fakePool({
        ...{ baseMint: MINT, baseDecimals, quoteMint: WRAPPED_SOL },
        reserves: { ...RESERVES, base: asRawAmount(amount) },
      }),
    });
    const fired = [
      // 5 and 6 tokens of six decimals; as many units of nine decimals are less than one token.
      holding(6, 5_000_000n),
      holding(6, 6_000_000n),
      holding(9, 6_000_000n),
      holding(9, 5_000_000_001n),
    ].map((state) => keysOf(book.changed([state])));
    expect(fired).toEqual([[], [1], [], [1]]);
    // Back to the pool of before.
    book.wentBack([holding(6, 5_000_001n)]);
    expect(book.isTrue(1)).toBe(true);
    expect(book.changed([holding(6, 5_000_000n)])).toEqual([]);
    expect(book.isTrue(1)).toBe(false);
  });

  test('of a pool and of a token of the same address are two', () => {
    const book = new TriggerBook();
    book.put(buildTrigger(), null);
    book.put(buildTrigger({ key: 2, target: ofToken(POOL) }), null);
    expect(keysOf(book.changed(statesOf(withBuys(11))))).toEqual([1]);
    book.remove(1);
    expect(book.targets()).toEqual([ofToken(POOL)]);
  });

  test('no longer fires after it is removed', () => {
    const book = new TriggerBook();
    book.put(buildTrigger(), null);
    expect([book.remove(1), book.remove(1)]).toEqual([true, false]);
    expect(book.changed(statesOf(withBuys(11)))).toEqual([]);
    expect([book.size, book.targets()]).toEqual([0, []]);
  });

  test('of one pool is independent of other pools', () => {
    const book = new TriggerBook();
    book.put(buildTrigger(), null);
    expect(book.changed(statesOf(withBuys(11, OTHER_POOL)))).toEqual([]);
  });

  test('fires in the order of pools and, within a pool, of trigger keys', () => {
    const book = new TriggerBook();
    for (const key of [3, 1, 2]) book.put(buildTrigger({ key }), null);
    book.put(buildTrigger({ key: 4, target: ofPool(OTHER_POOL) }), null);
    book.put(buildTrigger({ key: 1, revision: 2 }), null);
    const fired = book.changed(statesOf(withBuys(11, OTHER_POOL), withBuys(11)));
    expect(keysOf(fired)).toEqual([4, 1, 2, 3]);
  });
});

const POOLS = [0, 1, 2].map((index) => address(`watched pool ${index}`));
const TOKENS = [0, 1].map((index) => address(`watched token ${index}`));
const someKey = fc.integer({ min: 1, max: 6 });
const somePool = fc.constantFrom(...POOLS);
const someToken = fc.constantFrom(...TOKENS);
const someBuys = fc.integer({ min: 0, max: 6 });
const someStep = fc.oneof(
  fc.record({
    kind: fc.constant('put' as const),
    key: someKey,
    target: fc.oneof(somePool.map(ofPool), someToken.map(ofToken)),
    bounds: fc.array(
      fc.record({ operator: fc.constantFrom(...TRIGGER_OPERATORS), value: someBuys }),
      { minLength: 1, maxLength: 2 },
    ),
  }),
  fc.record({ kind: fc.constant('remove' as const), key: someKey }),
  fc.record({
    kind: fc.constant('slot' as const),
    pools: fc.uniqueArray(fc.tuple(somePool, someBuys), { selector: ([pool]) => pool }),
    /** Pools become the primary ones of tokens, whether they were seen or not. */
    primaries: fc.uniqueArray(fc.tuple(someToken, somePool), { selector: ([token]) => token }),
  }),
  fc.record({ kind: fc.constant('undo' as const) }),
);
type Step = typeof someStep extends fc.Arbitrary<infer Value> ? Value : never;

/** Buys of pools and primary pools of tokens, as a slot left them. */
interface PlainState {
  readonly buys: ReadonlyMap<Address, number>;
  readonly primaries: ReadonlyMap<Address, Address>;
}

/** The reference: keeps the whole history and re-evaluates all triggers after every step. */
class PlainTriggers {
  readonly triggers = new Map<number, StoredTrigger>();
  readonly history: PlainState[] = [{ buys: new Map(), primaries: new Map() }];
  true = new Set<number>();
  /** Triggers whose crossings were on their sides before. */
  there = new Set<number>();

  private get now(): PlainState {
    return this.history.at(-1) ?? { buys: new Map(), primaries: new Map() };
  }

  apply({ pools, primaries }: Extract<Step, { kind: 'slot' }>): void {
    this.history.push({
      buys: new Map([...this.now.buys, ...pools]),
      primaries: new Map([...this.now.primaries, ...primaries]),
    });
  }

  undo(): void {
    if (this.history.length > 1) this.history.pop();
  }

  poolOf({ kind, address: target }: TriggerTarget): PoolRecord | null {
    const pool = kind === 'pool' ? target : this.now.primaries.get(target);
    const buyCount = pool === undefined ? undefined : this.now.buys.get(pool);
    return pool === undefined || buyCount === undefined ? null : fakePool({ pool, buyCount });
  }

  /** All targets as they are: those that a slot did not change are judged as before. */
  states(): TargetState[] {
    const targets = [...POOLS.map(ofPool), ...TOKENS.map(ofToken)];
    return targets.map((target) => ({ target, pool: this.poolOf(target) }));
  }

  /** Keys of the triggers that became true, those with crossings by a crossing. */
  settle(): number[] {
    const all = [...this.triggers.values()];
    const now = all.filter(({ target, conditions }) => this.areTrue(target, conditions));
    const fired = now
      .map(({ key }) => key)
      .filter((key) => !this.true.has(key) && !this.there.has(key));
    this.true = new Set(now.map(({ key }) => key));
    const there = all.filter(({ target, conditions }) => {
      const crossings = conditions.filter(({ operator }) => operator.startsWith('crosses'));
      return crossings.length > 0 && this.areTrue(target, crossings);
    });
    this.there = new Set(there.map(({ key }) => key));
    return fired.sort((one, other) => one - other);
  }

  private areTrue(target: TriggerTarget, conditions: StoredTrigger['conditions']): boolean {
    const buys = this.poolOf(target)?.buyCount;
    if (buys === undefined) return false;
    return conditions.every(({ operator, value }) =>
      operator === 'gt' || operator === 'crosses_above'
        ? buys > Number(value)
        : buys < Number(value),
    );
  }
}

describe('any sequence of slots, forks, migrations and trigger changes', () => {
  test('fires what the reference implementation fires', () => {
    fc.assert(
      fc.property(fc.array(someStep, { maxLength: 40 }), (steps) => {
        const book = new TriggerBook();
        const plain = new PlainTriggers();
        let revision = 0;
        for (const step of steps) {
          const fired = take(step, { book, plain, revision: ++revision });
          const expected = plain.settle();
          expect([step, fired]).toEqual([step, step.kind === 'undo' ? [] : expected]);
          expect(book.size).toBe(plain.triggers.size);
        }
      }),
      { numRuns: 3_000 },
    );
  });
});

function take(
  step: Step,
  { book, plain, revision }: { book: TriggerBook; plain: PlainTriggers; revision: number },
): number[] {
  switch (step.kind) {
    case 'put': {
      const { key, target, bounds } = step;
      const conditions = bounds.map(
        ({ operator, value }) =>
          ({ field: 'number_of_buys', operator, value: String(value) }) as const,
      );
      const trigger = buildTrigger({ key, target, conditions, revision });
      plain.triggers.set(key, trigger);
      plain.true.delete(key);
      plain.there.delete(key);
      const fired = book.put(trigger, plain.poolOf(target));
      return fired === null ? [] : [fired.trigger.key];
    }
    case 'remove':
      plain.triggers.delete(step.key);
      book.remove(step.key);
      return [];
    case 'slot':
      plain.apply(step);
      return keysOf(book.changed(plain.states())).sort((one, other) => one - other);
    case 'undo':
      plain.undo();
      book.wentBack(plain.states());
      return [];
  }
}
