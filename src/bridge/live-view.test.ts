import { describe, expect, test } from 'vitest';
import {
  fakeIndicators,
  fakePool,
  fakeToken,
  MINT,
  OTHER_MINT,
  OTHER_POOL,
  POOL,
} from '../../tests/support/fake-api-deps.ts';
import { named } from '../../tests/support/made-up-units.ts';
import { USDC } from '../model/program.ts';
import type { SlotGap } from '../model/slot-range.ts';
import { type Address, asPriceE18, asRawAmount, asSlot } from '../model/units.ts';
import type { DroppedRow, LiveRow } from './live-rows.ts';
import { type LiveLimits, LiveView, UNREAD_CHANGES_MAX } from './live-view.ts';
import type { Publication } from './messages.ts';

const LIMITS: LiveLimits = { token: 2, pool: 2, holders: 2, indicators: 2 };
const dollars = (usd: bigint) => asPriceE18(usd * 10n ** 18n);

function viewOf() {
  const letGo: DroppedRow[] = [];
  const view = new LiveView(LIMITS, (rows) => letGo.push(...rows));
  return { view, letGo };
}

function publication(changes: Partial<Publication>): Publication {
  return {
    slot: asSlot(7),
    timeMs: 7_000,
    solUsd: null,
    gaps: null,
    standstill: null,
    storedAhead: null,
    isReplaced: false,
    rows: [],
    ...changes,
  };
}

/** A token after a change. */
const token = (address: Address, change: number): LiveRow => ({
  kind: 'token',
  address,
  value: fakeToken({ mint: address, slot: asSlot(change) }),
});
const changeOf = (view: LiveView, mint: Address) => view.get('token', mint)?.slot;

describe('the live view', () => {
  test('is empty before the first publication, and contains only requested rows', () => {
    const { view } = viewOf();
    expect(view.freshness()).toEqual({ slot: null, timeMs: null, isComplete: true });
    view.publish(publication({ rows: [token(MINT, 4)] }));
    expect(view.get('token', MINT)).toBeUndefined();
  });

  test('caches requested rows, including absent ones, and applies each newer value', () => {
    const { view } = viewOf();
    view.keep({ watchId: 1, rows: [token(MINT, 4), { kind: 'pool', address: POOL, value: null }] });
    expect([changeOf(view, MINT), view.get('pool', POOL)]).toEqual([4, null]);
    const pool = fakePool();
    view.publish(
      publication({ rows: [token(MINT, 5), { kind: 'pool', address: POOL, value: pool }] }),
    );
    expect([changeOf(view, MINT), view.get('pool', POOL)]).toEqual([5, pool]);
    expect(view.freshness()).toEqual({ slot: 7, timeMs: 7_000, isComplete: true });
  });

  test('has another slot for answers of stored rows while these are ahead', () => {
    const { view } = viewOf();
    const storedAhead = { slot: asSlot(90), timeMs: 90_000 };
    view.publish(publication({ storedAhead }));
    expect(view.freshness({ isStored: true })).toEqual({ ...storedAhead, isComplete: true });
    expect(view.freshness()).toEqual({ slot: 7, timeMs: 7_000, isComplete: true });
    view.publish(publication({ slot: asSlot(90), timeMs: 90_000 }));
    expect(view.freshness({ isStored: true })).toEqual(view.freshness());
  });

  test('reports the time since the last slot, regardless of other publications', () => {
    let nowMs = 1_000;
    const view = new LiveView(
      LIMITS,
      () => undefined,
      () => nowMs,
    );
    expect(view.sinceSlotMs).toBeNull();
    view.publish(publication({}));
    nowMs += 400;
    view.publish(publication({ timeMs: 7_000, gaps: { kept: 0, added: [] } }));
    expect(view.sinceSlotMs).toBe(400);
    view.publish(publication({ slot: asSlot(8) }));
    expect(view.sinceSlotMs).toBe(0);
  });

  test('reports a dropped row with the newest watchId received for it', () => {
    const { view, letGo } = viewOf();
    view.keep({ watchId: 1, rows: [token(MINT, 1)] });
    view.keep({ watchId: 2, rows: [token(MINT, 2)] });
    view.publish(publication({ rows: [token(MINT, 3)] }));
    view.keep({ watchId: 3, rows: [token(OTHER_MINT, 3)] });
    view.keep({ watchId: 4, rows: [token(named('third'), 3)] });
    expect(letGo).toEqual([{ kind: 'token', address: MINT, watchId: 2 }]);
  });

  test('drops and reports the least recently read row', () => {
    const { view, letGo } = viewOf();
    const third = named('third');
    view.keep({ watchId: 1, rows: [token(MINT, 1), token(OTHER_MINT, 2)] });
    view.get('token', MINT);
    view.keep({ watchId: 2, rows: [token(third, 3)] });
    expect(letGo).toEqual([{ kind: 'token', address: OTHER_MINT, watchId: 1 }]);
    expect([MINT, OTHER_MINT, third].map((mint) => changeOf(view, mint))).toEqual([
      1,
      undefined,
      3,
    ]);
  });

  test('drops a row that keeps changing and is never read', () => {
    const { view, letGo } = viewOf();
    const changesMax = UNREAD_CHANGES_MAX.token;
    view.keep({ watchId: 1, rows: [token(MINT, 1), token(OTHER_MINT, 2)] });
    for (let change = 1; change <= changesMax; change++) {
      expect(letGo).toEqual([]);
      if (change === changesMax - 1) view.get('token', OTHER_MINT);
      view.publish(publication({ rows: [token(MINT, change), token(OTHER_MINT, change)] }));
    }
    expect(letGo).toEqual([{ kind: 'token', address: MINT, watchId: 1 }]);
    expect(changeOf(view, OTHER_MINT)).toBe(changesMax);
  });

  test('drops everything when the engine is replaced', () => {
    const { view, letGo } = viewOf();
    view.keep({ watchId: 1, rows: [token(MINT, 1)] });
    view.publish(publication({ isReplaced: true }));
    expect(view.get('token', MINT)).toBeUndefined();
    // The other side watches no rows any more, so nothing is reported.
    expect(letGo).toEqual([]);
  });

  test('revalues SOL pools, and no others, at the newest SOL price', () => {
    const { view } = viewOf();
    const reserves = {
      base: asRawAmount(0n),
      quote: asRawAmount(5_000_000_000n),
      virtualBase: null,
      virtualQuote: null,
    };
    const priced = { reserves, priceUsd: dollars(1n) };
    view.publish(publication({ solUsd: dollars(100n) }));
    const stable = { pool: OTHER_POOL, quoteMint: USDC, quoteDecimals: 6, liquidityUsd: null };
    view.keep({
      watchId: 1,
      rows: [
        { kind: 'pool', address: POOL, value: fakePool(priced) },
        { kind: 'pool', address: OTHER_POOL, value: fakePool({ ...priced, ...stable }) },
      ],
    });
    view.publish(publication({ solUsd: dollars(120n) }));
    // 5 SOL at 120 dollars, in billionths; the other side is empty.
    expect(view.get('pool', POOL)?.liquidityUsd).toBe(600_000_000_000n);
    expect(view.get('pool', OTHER_POOL)?.liquidityUsd).toBeNull();
    view.publish(publication({ solUsd: null }));
    expect(view.get('pool', POOL)?.liquidityUsd).toBeNull();
  });

  test('updates figures with each slot, and drops unread ones', () => {
    const { view, letGo } = viewOf();
    const figures = (address: Address, slot = 1): LiveRow => ({
      kind: 'indicators',
      address,
      value: fakeIndicators({ pool: address, slot: asSlot(slot) }),
    });
    view.keep({ watchId: 1, rows: [figures(POOL), figures(OTHER_POOL), figures(MINT)] });
    expect(letGo).toEqual([{ kind: 'indicators', address: POOL, watchId: 1 }]);
    expect(view.get('indicators', POOL)).toBeUndefined();
    view.publish(publication({ rows: [figures(OTHER_POOL, 2), figures(MINT, 2)] }));
    expect(view.get('indicators', OTHER_POOL)?.slot).toBe(2);
    for (let slot = 3; slot < 2 + UNREAD_CHANGES_MAX.indicators; slot++) {
      view.publish(publication({ rows: [figures(OTHER_POOL, slot), figures(MINT, slot)] }));
    }
    expect(view.size('indicators')).toBe(1);
    expect(view.get('indicators', OTHER_POOL)?.slot).toBe(1 + UNREAD_CHANGES_MAX.indicators);
    expect(letGo.slice(1)).toEqual([{ kind: 'indicators', address: MINT, watchId: 1 }]);
  });

  test('reports whether a gap overlaps the range of a response', () => {
    const { view } = viewOf();
    const gap = (from: number, to: number) =>
      ({ from, to, reason: '', sinceMs: 0, tries: 0, afterMs: null, beforeMs: null }) as SlotGap;
    view.publish(publication({ gaps: { kept: 0, added: [gap(3, 4), gap(9, 9)] } }));
    const isComplete = (fromSlot: number, toSlot: number) =>
      view.freshness({ fromSlot: asSlot(fromSlot), toSlot: asSlot(toSlot) }).isComplete;
    expect([isComplete(1, 2), isComplete(4, 8), isComplete(5, 8)]).toEqual([true, false, true]);
    view.publish(publication({ gaps: { kept: 1, added: [gap(6, 6)] } }));
    expect([isComplete(4, 4), isComplete(5, 8), isComplete(9, 9)]).toEqual([false, false, true]);
  });
});
