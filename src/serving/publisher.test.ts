import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { fakePool, POOL } from '../../tests/support/fake-api-deps.ts';
import { FakeLiveEngine } from '../../tests/support/fake-live-engine.ts';
import type { Standstill } from '../api/chain-status.ts';
import type { SlotGap } from '../model/slot-range.ts';
import type { Slot } from '../model/units.ts';
import type { Publication } from './messages.ts';
import { Publisher } from './publisher.ts';
import { WatchedRows } from './watched-rows.ts';

const POOL_ROW = { kind: 'pool', address: POOL } as const;
const OF_POOL = { tokens: [], pools: [fakePool()], balances: [] };

/** A publisher that has told where it starts. */
function publishing() {
  const engine = new FakeLiveEngine();
  const source = {
    engine,
    gaps: [] as SlotGap[],
    standstill: null as Standstill | null,
  };
  const told: Publication[] = [];
  const publisher = new Publisher(source, new WatchedRows(100), (message) => told.push(message));
  publisher.publish();
  publisher.seen();
  const apply = (slot: number) => {
    engine.lastSlot = slot as Slot;
    publisher.onApplied(OF_POOL);
  };
  return { engine, source, told, publisher, apply };
}

describe('what is published', () => {
  test('is at first where the engine stands', () => {
    expect(publishing().told).toEqual([
      {
        slot: 1,
        timeMs: 1_000,
        solUsd: null,
        standstill: null,
        gaps: null,
        isReplaced: false,
        rows: [],
      },
    ]);
  });

  test('tells of a time in which nothing is stored, and of its end, though no slot comes', () => {
    const { source, told, publisher } = publishing();
    const standstills = () => told.slice(1).map(({ standstill }) => standstill);
    source.standstill = { isLasting: false };
    publisher.publish();
    publisher.publish();
    source.standstill = { isLasting: true };
    publisher.publish();
    source.standstill = null;
    publisher.publish();
    expect(standstills()).toEqual([{ isLasting: false }, { isLasting: true }, null]);
  });

  test('is told again when another block came to the same slot at the same time', () => {
    const { engine, told, publisher } = publishing();
    publisher.publish();
    expect(told).toHaveLength(1);
    engine.lastBlockhash = 'another';
    publisher.publish();
    expect(told).toHaveLength(2);
  });

  test('is one message for each slot, with the rows it changed as they are then', async () => {
    const { told, publisher, apply } = publishing();
    publisher.rows([POOL_ROW]);
    for (const slot of [2, 3]) {
      apply(slot);
      await nextTurn();
      publisher.seen();
    }
    expect(told.slice(1)).toMatchObject([
      { slot: 2, rows: [{ ...POOL_ROW, value: { slot: 2 } }] },
      { slot: 3, rows: [{ ...POOL_ROW, value: { slot: 3 } }] },
    ]);
  });

  test('is one message for all that one step does', async () => {
    const { told, publisher, apply } = publishing();
    publisher.rows([POOL_ROW]);
    for (const slot of [5, 4, 6]) apply(slot);
    await nextTurn();
    expect(told.slice(1)).toMatchObject([{ slot: 6, rows: [{ value: { slot: 6 } }] }]);
  });

  test('waits and is put together until the last message was taken in', async () => {
    const { told, publisher, apply } = publishing();
    for (const slot of [2, 3, 4]) {
      apply(slot);
      await nextTurn();
    }
    expect(told.map(({ slot }) => slot)).toEqual([1, 2]);
    publisher.seen();
    expect(told.map(({ slot }) => slot)).toEqual([1, 2, 4]);
  });

  test('comes before rows that somebody asked for, so that these are never ahead of it', () => {
    const { told, publisher, apply } = publishing();
    apply(2);
    expect(publisher.rows([POOL_ROW])).toMatchObject({ rows: [{ value: { slot: 2 } }] });
    expect(told.map(({ slot }) => slot)).toEqual([1, 2]);
  });

  test('is nothing where a step changed nothing', async () => {
    const { told, publisher } = publishing();
    publisher.onStep();
    await nextTurn();
    expect(told).toHaveLength(1);
  });

  test('is a gap that was found without a slot', async () => {
    const { told, source, publisher } = publishing();
    const gap = { from: 8, to: 9, reason: 'lost' } as SlotGap;
    source.gaps = [gap];
    publisher.onStep();
    await nextTurn();
    expect(told.at(-1)).toMatchObject({ slot: 1, gaps: { kept: 0, added: [gap] } });
  });

  test('says when another fold answers, and tells of no row before somebody asks again', async () => {
    const { told, publisher, apply } = publishing();
    publisher.rows([POOL_ROW]);
    publisher.onReplaced();
    await nextTurn();
    publisher.seen();
    apply(2);
    await nextTurn();
    expect(told.slice(1)).toMatchObject([
      { isReplaced: true, rows: [] },
      { isReplaced: false, slot: 2, rows: [] },
    ]);
  });
});
