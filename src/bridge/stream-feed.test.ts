import { describe, expect, test } from 'vitest';
import { buildChanges, buildToken } from '../../tests/support/build-records.ts';
import { buildListing, buildOutcome, buildSignal } from '../../tests/support/build-signal.ts';
import {
  fakeIndicators,
  fakePool,
  MINT,
  OTHER_MINT,
  OTHER_POOL,
  POOL,
} from '../../tests/support/fake-api-deps.ts';
import { FakeLiveEngine } from '../../tests/support/fake-live-engine.ts';
import type { PoolRecord } from '../model/pool-record.ts';
import { NO_STREAMS_WANTED } from '../model/streamed.ts';
import type { TokenRecord } from '../model/token-record.ts';
import { asRawAmount, asSlot } from '../model/units.ts';
import { type StreamEvent, StreamFeed, UNSEEN_ITEMS_MAX } from './stream-feed.ts';
import { SupplyWatch } from './supply-watch.ts';

const BOTH = { ...NO_STREAMS_WANTED, marketData: true, indicators: true };

function feeding() {
  const engine = new FakeLiveEngine();
  const published: StreamEvent[] = [];
  const feed = new StreamFeed({ engine }, (event) => published.push(event));
  const apply = (slot: number, pools: readonly PoolRecord[] = [fakePool()]) => {
    engine.lastSlot = asSlot(slot);
    feed.onApplied(buildChanges(slot, { pools, timeMs: 7_000 }));
  };
  const undo = (slot: number, pools: readonly PoolRecord[] = [fakePool()]) => {
    engine.lastSlot = asSlot(slot - 1);
    feed.onReverted(buildChanges(slot, { pools }));
  };
  return { engine, published, feed, apply, undo };
}

describe('the stream feed', () => {
  test('is empty while there are no readers', () => {
    const { published, feed, apply } = feeding();
    apply(2);
    feed.want(BOTH);
    feed.want(NO_STREAMS_WANTED);
    apply(3);
    feed.onReplaced();
    expect(published).toEqual([]);
  });

  test('contains the pools of each slot that changed any', () => {
    const { published, feed, apply } = feeding();
    feed.want(BOTH);
    apply(2);
    apply(3, []);
    expect(published).toMatchObject([
      { stream: 'marketData', item: { slot: 2, timeMs: 7_000, pools: [{ pool: POOL }] } },
    ]);
    expect(published).toHaveLength(1);
  });

  test('contains the pools of reverted slots after a fork, each once in its current state', () => {
    const { published, feed, apply, undo } = feeding();
    feed.want(BOTH);
    undo(9, [fakePool(), fakePool({ pool: OTHER_POOL })]);
    undo(8);
    apply(8, [fakePool({ slot: asSlot(8) })]);
    apply(9, []);
    expect(published).toMatchObject([
      {
        item: {
          slot: 8,
          pools: [
            { pool: POOL, slot: 8 },
            { pool: OTHER_POOL, slot: 8 },
          ],
        },
      },
    ]);
    expect(published).toHaveLength(1);
  });

  test('contains the figures of a minute, a hundred pools at a time', () => {
    const { published, feed, engine } = feeding();
    feed.want({ ...NO_STREAMS_WANTED, indicators: true });
    engine.lastSlot = asSlot(5);
    const minute = { minuteMs: 60_000, record: fakeIndicators() };
    feed.onApplied(buildChanges(5, { indicators: Array(101).fill(minute) }));
    const sizes = published.map((event) =>
      event.stream === 'indicators' ? event.item?.records.length : null,
    );
    expect(sizes).toEqual([100, 1]);
  });

  test('is not queued for a slow reader, which is notified of missed items', () => {
    const { published, feed, apply } = feeding();
    feed.want(BOTH);
    for (let slot = 2; slot < UNSEEN_ITEMS_MAX + 10; slot++) apply(slot);
    expect(published).toHaveLength(UNSEEN_ITEMS_MAX);
    for (let item = 0; item < UNSEEN_ITEMS_MAX; item++) feed.seen();
    apply(1_000);
    expect(published.slice(UNSEEN_ITEMS_MAX)).toMatchObject([
      { stream: 'marketData', item: null },
      { stream: 'marketData', item: { slot: 1_000 } },
    ]);
  });

  test('has a gap where the engine was replaced', () => {
    const { published, feed } = feeding();
    feed.want({ ...NO_STREAMS_WANTED, marketData: true });
    feed.onReplaced();
    expect(published).toEqual([{ stream: 'marketData', item: null }]);
  });
});

describe('the stream of signals', () => {
  test('contains each signal as it is issued, and never a random minute', () => {
    const { engine, published, feed } = feeding();
    feed.want({ ...NO_STREAMS_WANTED, signals: true });
    const signals = [buildSignal({ rowId: 6, model: 'random_minute' }), buildSignal({ rowId: 7 })];
    const outcomes = [5, 6, 7].map((rowId) => buildOutcome({ rowId }));
    engine.lastSlot = asSlot(9);
    feed.onApplied(buildChanges(9, { signals, outcomes }));
    expect(published).toEqual([{ stream: 'signals', item: buildListing() }]);
    // A reverted slot publishes nothing.
    engine.lastSlot = asSlot(8);
    feed.onReverted(buildChanges(9, { signals, outcomes }));
    expect(published).toHaveLength(1);
  });
});

describe('the stream of new tokens', () => {
  const token = (supply: number, given: Partial<TokenRecord> = {}) =>
    buildToken(MINT, { supplyRaw: asRawAmount(BigInt(supply)), ...given });

  function feedingTokens() {
    const { engine, published, feed } = feeding();
    feed.want({ ...NO_STREAMS_WANTED, newTokens: true });
    const slot = (number: number, tokens: readonly TokenRecord[], isUndone = false) => {
      engine.lastSlot = asSlot(isUndone ? number - 1 : number);
      const changes = buildChanges(number, { tokens });
      if (isUndone) feed.onReverted(changes);
      else feed.onApplied(changes);
    };
    const items = () =>
      published.map(({ item }) =>
        item !== null && 'created' in item
          ? [item.slot, item.created.length, item.supplies.map(({ supplyRaw }) => supplyRaw)]
          : item,
      );
    return { feed, slot, items };
  }

  test('contains a token in the slot that creates its mint, and later its supply changes', () => {
    const { slot, items } = feedingTokens();
    const creationSlot = asSlot(5);
    slot(5, [token(100, { creationSlot })]);
    slot(6, [token(100, { creationSlot })]);
    slot(7, [token(90, { creationSlot })]);
    expect(items()).toEqual([
      [5, 1, []],
      [7, 0, [90n]],
    ]);
  });

  test('knows the supply of an older token from its first change on', () => {
    const { slot, items } = feedingTokens();
    slot(5, [token(100)]);
    slot(6, [token(101)]);
    expect(items()).toEqual([[6, 0, [101n]]]);
  });

  test('ignores reverted slots', () => {
    const { slot, items } = feedingTokens();
    slot(5, [token(100)]);
    slot(6, [token(50)]);
    slot(6, [token(50)], true);
    slot(6, [token(100)]);
    slot(7, [token(70), buildToken(OTHER_MINT)]);
    expect(items()).toEqual([
      [6, 0, [50n]],
      [7, 0, [70n]],
    ]);
  });

  test('tracks a bounded number of tokens, those that changed last', () => {
    const watch = new SupplyWatch(1);
    const other = (supply: bigint) => buildToken(OTHER_MINT, { supplyRaw: asRawAmount(supply) });
    watch.note([token(1)], asSlot(1));
    watch.note([other(1n)], asSlot(2));
    expect(watch.note([other(2n)], asSlot(3))).toEqual([other(2n)]);
    expect(watch.note([token(2)], asSlot(4))).toEqual([]);
  });
});
