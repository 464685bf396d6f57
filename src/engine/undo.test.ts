import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { slotFacts as hostileSlot } from '../../tests/support/arbitrary-facts.ts';
import { arbitrarySlots } from '../../tests/support/arbitrary-slots.ts';
import { poolCreated, transactionFacts } from '../../tests/support/build-facts.ts';
import { address } from '../../tests/support/build-transaction.ts';
import {
  createTrader,
  fallbackSolUsd,
  fold,
  launch,
  mint,
  pool,
  SOL,
  second,
  TOKEN,
} from '../../tests/support/master-fixture.ts';
import { firstDifference, type StateImage, stateImage } from '../../tests/support/state-image.ts';
import type { PricedSwap } from '../model/derived.ts';
import type { SlotFacts } from '../model/slot-facts.ts';
import { type Address, asSlot } from '../model/units.ts';
import { Engine } from './engine.ts';

const NOT_FINAL = { isFinal: false };
const newEngine = () => new Engine({ fallbackSolUsd });
const differenceOf = (one: Engine, other: Engine) =>
  firstDifference(stateImage(one), stateImage(other));

/** Applies the slots, undoes them one by one, and compares with the state before each. */
function expectTakenBack(engine: Engine, slots: readonly SlotFacts[]): void {
  const images: StateImage[] = [];
  for (const facts of slots) {
    images.push(stateImage(engine));
    engine.apply(facts, NOT_FINAL);
  }
  for (const facts of [...slots].reverse()) {
    expect(engine.lastSlot).toBe(facts.slot);
    engine.undo();
    expect(firstDifference(images.pop() as StateImage, stateImage(engine))).toBeNull();
  }
}

/** Slots in an order that the engine accepts, with valid times. */
function inOrder(slots: readonly SlotFacts[]): SlotFacts[] {
  return slots.map((facts, index) => ({
    ...facts,
    slot: asSlot(1_000 + index),
    transactions: facts.transactions.map((transaction, txIndex) => ({
      ...transaction,
      txIndex,
      events: transaction.events.map((event, outerIx) => ({ ...event, outerIx, innerIx: -1 })),
    })),
    observations: (facts.observations ?? []).map((observation) => ({
      ...observation,
      contextSlot: asSlot(990 + (observation.contextSlot % 10) + index),
    })),
  }));
}

describe('undoing slots', () => {
  test('restores every field of every book', () => {
    fc.assert(
      fc.property(
        arbitrarySlots({ minLength: 0, maxLength: 12 }),
        fc.integer({ min: 0, max: 12 }),
        (slots, finals) => {
          const { engine } = fold(slots.slice(0, finals), newEngine());
          expectTakenBack(engine, slots.slice(finals));
        },
      ),
      { numRuns: 300 },
    );
  });

  test('removes the first liquidity that a later pool gave a token', () => {
    const created = (t: number, name: string, quoteRaw: bigint) => {
      const events = [poolCreated(TOKEN, quoteRaw, { pool: address(name) })];
      return second(t, transactionFacts({ txIndex: 0, events }));
    };
    const { engine } = fold([created(0, 'empty', 0n)], newEngine());
    const later = created(1, 'filled', 7n * SOL);
    expectTakenBack(engine, [later]);
    expect(engine.token(mint)?.liquidityEvent).toBeNull();
    engine.apply(later);
    expect(engine.token(mint)?.liquidityEvent?.lamports).toBe(7n * SOL);
  });

  test('restores every field for random decoded slots', () => {
    fc.assert(
      fc.property(fc.array(hostileSlot, { minLength: 1, maxLength: 5 }), (slots) => {
        expectTakenBack(newEngine(), inOrder(slots));
      }),
      { numRuns: 300 },
    );
  });

  test('and applying others gives the state of an engine that never saw them', () => {
    const branch = (name: string, maxLength: number) =>
      arbitrarySlots({ minLength: 1, maxLength }, name);
    fc.assert(
      fc.property(
        branch('main', 20),
        branch('dropped', 64),
        branch('kept', 8),
        (main, dropped, kept) => {
          const from = main.at(-1)?.slot ?? 0;
          const behind = (slots: SlotFacts[]) =>
            slots.map((facts) => ({ ...facts, slot: asSlot(facts.slot + from) }));
          const { engine } = fold(main, newEngine());
          for (const facts of behind(dropped)) engine.apply(facts, NOT_FINAL);
          for (const _ of dropped) engine.undo();
          for (const facts of behind(kept)) engine.apply(facts);
          const { engine: calm } = fold([...main, ...behind(kept)], newEngine());
          expect(differenceOf(engine, calm)).toBeNull();
          expect(engine.digest()).toBe(calm.digest());
        },
      ),
      { numRuns: 100 },
    );
  });

  test('works for forks of 1 to 64 slots in succession on a growing chain', () => {
    const slots = fc.sample(arbitrarySlots({ minLength: 200, maxLength: 200 }), {
      numRuns: 1,
      seed: 64,
    })[0] as SlotFacts[];
    const forking = newEngine();
    const calm = newEngine();
    for (let depth = 1; depth <= 64; depth++) {
      const canonical = slots[depth] as SlotFacts;
      for (const facts of slots.slice(depth, depth + depth)) forking.apply(facts, NOT_FINAL);
      for (let taken = 0; taken < depth; taken++) forking.undo();
      forking.apply(canonical, NOT_FINAL);
      forking.forget(canonical.slot);
      calm.apply(canonical);
      expect(forking.digest()).toBe(calm.digest());
    }
    expect(differenceOf(forking, calm)).toBeNull();
  });

  test('and applying them again returns the same changes', () => {
    fc.assert(
      fc.property(arbitrarySlots({ minLength: 1, maxLength: 12 }), (slots) => {
        const engine = newEngine();
        const first = slots.map((facts) => engine.apply(facts, NOT_FINAL));
        for (const _ of slots) engine.undo();
        expect(slots.map((facts) => engine.apply(facts, NOT_FINAL))).toEqual(first);
      }),
      { numRuns: 100 },
    );
  });

  test('does not affect later changes and the final state', () => {
    fc.assert(
      fc.property(arbitrarySlots({ minLength: 1, maxLength: 12 }), (slots) => {
        const [final, watched] = [newEngine(), newEngine()];
        for (const facts of slots) {
          expect(watched.apply(facts, NOT_FINAL)).toEqual(final.apply(facts));
        }
        watched.forget(slots.at(-1)?.slot ?? asSlot(0));
        expect(differenceOf(watched, final)).toBeNull();
      }),
      { numRuns: 100 },
    );
  });
});

describe('the reverted records', () => {
  const trade = createTrader();
  const slots = [
    second(0, launch()),
    second(1, trade('x', 'buy', 10n * SOL, 1_000_000n)),
    second(2, trade('v', 'buy', 2n * SOL, 100_000n)),
    second(3, trade('x', 'sell', 11n * SOL, 1_000_000n)),
  ];

  test('are those the slot changed, with the swaps of earlier slots that it relabelled', () => {
    const engine = newEngine();
    const [changes] = slots.map((facts) => engine.apply(facts, NOT_FINAL)).slice(-1);
    const keyOf = ({ slot, txIndex, swap: { outerIx, innerIx } }: PricedSwap) => {
      return { slot, txIndex, outerIx, innerIx };
    };
    expect(changes?.slot).toBe(1_003);
    expect(changes?.tokens.map((token) => token.mint)).toEqual([mint]);
    expect(changes?.pools.map((record) => record.pool)).toEqual([pool]);
    expect(changes?.swaps.filter(({ slot }) => slot < 1_003).map(keyOf)).toEqual([
      { slot: 1_001, txIndex: 0, outerIx: 0, innerIx: -1 },
    ]);
    expect(changes?.balances.map(({ owner }) => owner)).toContain(pool);
    expect(changes?.candles.map(({ scope }) => scope).sort()).toEqual([mint, pool].sort());
    expect(changes?.solPrices).toEqual([]);
  });

  test('include every token, pool and balance whose value differs', () => {
    fc.assert(
      fc.property(arbitrarySlots({ minLength: 1, maxLength: 10 }), (all) => {
        const engine = newEngine();
        const changes = all.map((facts) => engine.apply(facts, NOT_FINAL));
        for (const { tokens, pools, balances } of changes.reverse()) {
          const before = answersOf(engine, all);
          engine.undo();
          const named = new Set<string>([
            ...tokens.map((token) => token.mint),
            ...pools.map((record) => record.pool),
            ...balances.map(({ mint: of, owner }) => `${of} ${owner}`),
          ]);
          const unnamed = [...answersOf(engine, all)].filter(([key]) => !named.has(key));
          expect(unnamed.map(([key, text]) => [key, before.get(key) ?? text])).toEqual(unnamed);
        }
      }),
      { numRuns: 100 },
    );
  });
});

describe('a final slot', () => {
  test('cannot be undone, nor one that became final later', () => {
    const engine = newEngine();
    engine.apply(second(0));
    expect(() => engine.undo()).toThrow(RangeError);
    engine.apply(second(1), NOT_FINAL);
    engine.apply(second(2), NOT_FINAL);
    engine.forget(asSlot(1_001));
    expect(engine.undoableSlots).toBe(1);
    expect(engine.lastSlot).toBe(1_002);
    engine.undo();
    expect(() => engine.undo()).toThrow('there is no slot that is not final');
    expect(engine.lastSlot).toBe(1_001);
  });

  test('cannot follow one that is not final', () => {
    const engine = newEngine();
    engine.apply(second(0), NOT_FINAL);
    expect(() => engine.apply(second(1))).toThrow('slot 1001 is final, but slot 1000 before it is');
    expect(engine.lastSlot).toBe(1_000);
  });

  test('is required once the limit of slots that are not final is reached', () => {
    const engine = new Engine({ fallbackSolUsd, undoSlotsMax: 2 });
    engine.apply(second(0), NOT_FINAL);
    engine.apply(second(1), NOT_FINAL);
    const image = stateImage(engine);
    expect(() => engine.apply(second(2), NOT_FINAL)).toThrow(
      'slot 1002 exceeds the limit of 2 slots that are not final; the oldest is 1000',
    );
    expect(firstDifference(image, stateImage(engine))).toBeNull();
    engine.forget(asSlot(1_000));
    engine.apply(second(2), NOT_FINAL);
    expect(engine.undoableSlots).toBe(2);
  });

  test('keeps no undo data', () => {
    const engine = newEngine();
    for (let t = 0; t < 600; t++) engine.apply(second(t));
    expect(engine.undoableSlots).toBe(0);
  });
});

/**
 * Records of an engine, by key. Left out are values that change without being returned: USD values
 * that follow SOL, liquidity that unlocks, and the flag of an owner that became a pool.
 */
function answersOf(engine: Engine, slots: readonly SlotFacts[]): Map<string, string> {
  const answers = new Map<string, string>();
  const events = slots.flatMap(({ transactions }) => transactions.flatMap((each) => each.events));
  for (const event of events) {
    if ('baseMint' in event) readToken(answers, engine, event.baseMint);
    if ('mint' in event) readToken(answers, engine, event.mint);
    if (!('pool' in event) || event.pool === null) continue;
    const record = engine.pool(event.pool);
    const own = record && { ...record, liquidityUsd: null, lockedLiquidity: null };
    answers.set(event.pool, toText(own));
  }
  return answers;
}

function readToken(answers: Map<string, string>, engine: Engine, of: Address): void {
  answers.set(of, toText(engine.token(of)));
  for (const balance of engine.topHolders(of, 100)) {
    answers.set(`${of} ${balance.owner}`, toText({ ...balance, isPool: null }));
  }
}

function toText(value: unknown): string {
  return JSON.stringify(value, (_, member) => (typeof member === 'bigint' ? `${member}n` : member));
}
