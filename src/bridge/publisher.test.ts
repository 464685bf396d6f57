import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { fakePool, MINT, POOL } from '../../tests/support/fake-api-deps.ts';
import { FakeLiveEngine } from '../../tests/support/fake-live-engine.ts';
import type { Standstill } from '../api/chain-status.ts';
import { DamagedStateError } from '../lib/pages/page-pool.ts';
import type { SlotGap, StoredPoint } from '../model/slot-range.ts';
import { asSlot } from '../model/units.ts';
import type { Publication } from './messages.ts';
import { Publisher } from './publisher.ts';
import { WatchedRows } from './watched-rows.ts';

const POOL_ROW = { kind: 'pool', address: POOL } as const;
const TOKEN_ROW = { kind: 'token', address: MINT } as const;
const OF_POOL = { tokens: [], pools: [fakePool()], balances: [] };

/** A publisher that has published its initial state. */
function publishing() {
  const engine = new FakeLiveEngine();
  const source = {
    engine,
    gaps: [] as SlotGap[],
    storedAhead: null as StoredPoint | null,
    standstill: null as Standstill | null,
    isRebuilding: false,
  };
  const published: Publication[] = [];
  const publisher = new Publisher(source, new WatchedRows(100), (message) =>
    published.push(message),
  );
  publisher.publish();
  publisher.seen();
  const apply = (slot: number) => {
    engine.lastSlot = asSlot(slot);
    publisher.onApplied(OF_POOL);
  };
  return { engine, source, published, publisher, apply };
}

describe('the published state', () => {
  test('is initially that of the engine', () => {
    expect(publishing().published).toEqual([
      {
        slot: 1,
        timeMs: 1_000,
        solUsd: null,
        storedAhead: null,
        standstill: null,
        gaps: null,
        isReplaced: false,
        rows: [],
      },
    ]);
  });

  test('reports that stored rows are no longer ahead, even without a slot', () => {
    const { source, published, publisher } = publishing();
    source.storedAhead = { slot: asSlot(9), timeMs: null };
    publisher.publish();
    publisher.seen();
    source.storedAhead = null;
    publisher.publish();
    publisher.publish();
    expect(published.slice(1).map(({ storedAhead }) => storedAhead?.slot ?? null)).toEqual([
      9,
      null,
    ]);
  });

  test('is that before while the engine is being replaced, and nothing else is answered', () => {
    const { source, published, publisher, apply } = publishing();
    source.isRebuilding = true;
    apply(2);
    publisher.publish();
    expect(() => publisher.rows([POOL_ROW])).toThrow(expect.objectContaining({ status: 503 }));
    expect(published).toHaveLength(1);
    source.isRebuilding = false;
    publisher.onReplaced();
    publisher.publish();
    expect(published[1]).toMatchObject({ slot: 2, isReplaced: true });
  });

  test('reports the start and end of a standstill, even without a slot', () => {
    const { source, published, publisher } = publishing();
    const standstills = () => published.slice(1).map(({ standstill }) => standstill);
    source.standstill = { isLasting: false };
    publisher.publish();
    publisher.publish();
    source.standstill = { isLasting: true };
    publisher.publish();
    source.standstill = null;
    publisher.publish();
    expect(standstills()).toEqual([{ isLasting: false }, { isLasting: true }, null]);
  });

  test('is published again when another block has the same slot and time', () => {
    const { engine, published, publisher } = publishing();
    publisher.publish();
    expect(published).toHaveLength(1);
    engine.lastBlockhash = 'another';
    publisher.publish();
    expect(published).toHaveLength(2);
  });

  test('is one message per slot, with the current values of the changed rows', async () => {
    const { published, publisher, apply } = publishing();
    publisher.rows([POOL_ROW]);
    for (const slot of [2, 3]) {
      apply(slot);
      await nextTurn();
      publisher.seen();
    }
    expect(published.slice(1)).toMatchObject([
      { slot: 2, rows: [{ ...POOL_ROW, value: { slot: 2 } }] },
      { slot: 3, rows: [{ ...POOL_ROW, value: { slot: 3 } }] },
    ]);
  });

  test('is one message for all changes of one step', async () => {
    const { published, publisher, apply } = publishing();
    publisher.rows([POOL_ROW]);
    for (const slot of [5, 4, 6]) apply(slot);
    await nextTurn();
    expect(published.slice(1)).toMatchObject([{ slot: 6, rows: [{ value: { slot: 6 } }] }]);
  });

  test('is merged until the last message was processed', async () => {
    const { published, publisher, apply } = publishing();
    for (const slot of [2, 3, 4]) {
      apply(slot);
      await nextTurn();
    }
    expect(published.map(({ slot }) => slot)).toEqual([1, 2]);
    publisher.seen();
    expect(published.map(({ slot }) => slot)).toEqual([1, 2, 4]);
  });

  test('precedes requested rows, which are therefore never ahead of it', () => {
    const { published, publisher, apply } = publishing();
    apply(2);
    expect(publisher.rows([POOL_ROW])).toMatchObject({ rows: [{ value: { slot: 2 } }] });
    expect(published.map(({ slot }) => slot)).toEqual([1, 2]);
  });

  test('is omitted when a step changed nothing', async () => {
    const { published, publisher } = publishing();
    publisher.onStep();
    await nextTurn();
    expect(published).toHaveLength(1);
  });

  test('contains a gap that was found without a slot', async () => {
    const { published, source, publisher } = publishing();
    const gap = { from: 8, to: 9, reason: 'lost' } as SlotGap;
    source.gaps = [gap];
    publisher.onStep();
    await nextTurn();
    expect(published.at(-1)).toMatchObject({ slot: 1, gaps: { kept: 0, added: [gap] } });
  });

  test('drops all rows where the state cannot be read, and refuses only what cannot be', async () => {
    const { engine, published, publisher, apply } = publishing();
    publisher.rows([POOL_ROW, TOKEN_ROW]);
    engine.pool = () => {
      throw new DamagedStateError('page 7 of "pools" is damaged');
    };
    apply(2);
    await nextTurn();
    publisher.seen();
    expect(published.at(-1)).toMatchObject({ slot: 2, isReplaced: true, rows: [] });
    expect(() => publisher.rows([TOKEN_ROW, POOL_ROW])).toThrow(DamagedStateError);
    expect(publisher.rows([TOKEN_ROW]).rows).toHaveLength(1);
    apply(3);
    await nextTurn();
    // The refused row is not watched.
    expect(published.at(-1)).toMatchObject({ slot: 3, isReplaced: false });
  });

  test('reports a replaced engine, and contains no row until it is requested again', async () => {
    const { published, publisher, apply } = publishing();
    publisher.rows([POOL_ROW]);
    publisher.onReplaced();
    await nextTurn();
    publisher.seen();
    apply(2);
    await nextTurn();
    expect(published.slice(1)).toMatchObject([
      { isReplaced: true, rows: [] },
      { isReplaced: false, slot: 2, rows: [] },
    ]);
  });
});
