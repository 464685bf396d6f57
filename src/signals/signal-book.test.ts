import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { named } from '../../tests/support/made-up-units.ts';
import {
  nano,
  SCENE_MINT,
  SCENE_POOL,
  SCENE_START_MS,
  sceneFacts,
  sceneTrade,
  tokensRaw,
} from '../../tests/support/signal-scene.ts';
import { sumsOf } from '../../tests/support/stored-book.ts';
import { UndoLog } from '../lib/undo-log.ts';
import { type Address, asSlot } from '../model/units.ts';
import { FeatureWindows, HIGHS_MS } from './features/feature-windows.ts';
import { BUYERS_MAX, SMART_MAX } from './features/minute-bar.ts';
import type { MinuteFacts, SignalModel } from './features/signal-model.ts';
import { WindowReading } from './features/window-reading.ts';
import { MODELS } from './registry.ts';
import { SignalBook } from './signal-book.ts';
import { vetoOf } from './vetoes.ts';

const MINUTE_MS = 60_000;

/** Signals every pool that was traded. */
const always: SignalModel = {
  name: 'organic_momentum',
  card: { pattern: 'Any.', rationale: 'None.', lookAlikes: ['All.'] },
  parameters: {
    version: 7,
    coolDownMinutes: 360,
    conditions: { buyers: { least: 1, most: null, reason: 'Somebody.' } },
    hash: 'h',
  },
  measure: ({ window }) => ({ buyers: window.organicBuyers(1) }),
};

function endMinute(book: SignalBook, minute: number, facts: MinuteFacts = sceneFacts(minute)) {
  book.note(sceneTrade(minute));
  const timeMs = SCENE_START_MS + (minute + 1) * MINUTE_MS;
  const end = { slot: asSlot(200 + minute), timeMs };
  return book.endMinute(SCENE_START_MS + minute * MINUTE_MS, end, [SCENE_POOL], () => facts);
}

describe('a signal', () => {
  test('contains the facts, the earliest time they were known, and the reasons', () => {
    const [signal] = endMinute(new SignalBook(new UndoLog(), [always]), 3);
    expect(signal).toEqual({
      rowId: 1,
      model: 'organic_momentum',
      version: 7,
      parametersHash: 'h',
      mint: SCENE_MINT,
      pool: SCENE_POOL,
      name: null,
      symbol: null,
      slot: 203,
      createdAtMs: SCENE_START_MS + 4 * MINUTE_MS,
      asOfSlot: 103,
      priceUsd: 10n ** 18n,
      supplyRaw: tokensRaw(1_000_000),
      decimals: 6,
      // A million tokens at a dollar.
      marketCapUsd: nano(1_000_000),
      liquidityUsd: nano(50_000),
      ageMs: 4 * MINUTE_MS - 1,
      features: { buyers: 1 },
      passed: [{ feature: 'buyers', value: 1, least: 1, most: null }],
    });
  });

  test('is not repeated within six hours, and is afterwards', () => {
    const book = new SignalBook(new UndoLog(), [always]);
    const given = [0, 1, 359, 360, 361].map((minute) => endMinute(book, minute).length);
    expect(given).toEqual([1, 0, 0, 1, 0]);
    expect(book.count).toBe(2);
  });

  test('is given for the primary pool only', () => {
    const other = sceneFacts(1, { token: { primaryPool: named('other') } });
    expect(endMinute(new SignalBook(new UndoLog(), [always]), 1, other)).toEqual([]);
  });

  test('is not given if price, supply or liquidity is unknown', () => {
    for (const facts of [
      sceneFacts(1, { pool: { priceUsd: null } }),
      sceneFacts(1, { token: { supplyRaw: null } }),
      sceneFacts(1, { pool: { liquidityUsd: null } }),
    ]) {
      expect(endMinute(new SignalBook(new UndoLog(), [always]), 1, facts)).toEqual([]);
    }
  });

  test('evaluates clusters only when a model would signal', () => {
    let looks = 0;
    const topClusterShare = () => {
      looks++;
      return 0;
    };
    const book = new SignalBook(new UndoLog(), [always, ...MODELS.slice(0, 3)]);
    endMinute(book, 0, sceneFacts(0, { topClusterShare }));
    endMinute(book, 1, sceneFacts(1, { topClusterShare }));
    expect(looks).toBe(1);
  });
});

describe('a veto', () => {
  test.each<[string, Parameters<typeof sceneFacts>[1], string | null]>([
    ['nothing is wrong', {}, null],
    ['fraud is likely', { fraudConfidence: 0.7 }, 'fraud'],
    ['fraud is possible', { fraudConfidence: 0.69 }, null],
    ['accounts can be frozen', { isFreezable: true }, 'freeze_authority'],
    ['it is unknown whether they can', { isFreezable: null }, 'freeze_authority'],
    ['transfers cost 1 %', { transferFeeBps: 100 }, null],
    ['transfers cost more', { transferFeeBps: 101 }, 'transfer_fee'],
    ['the transfer fee is unknown', { transferFeeBps: null }, 'transfer_fee'],
    ['half of the liquidity is locked', { pool: locked(50) }, null],
    ['less is locked', { pool: locked(49) }, 'unlocked_liquidity'],
    ['the locked share is unknown', { pool: { lockedLiquidity: null } }, 'unlocked_liquidity'],
    ['it is a curve', { pool: { lockedLiquidity: null }, isCurve: true }, null],
    ['the launchpad locked it', { pool: locked(0), isLaunchpadLocked: true }, null],
    ['there are $10,000', { pool: { liquidityUsd: nano(10_000) } }, null],
    ['there is less', { pool: { liquidityUsd: nano(9_999.99) } }, 'thin_liquidity'],
    ['liquidity is unknown', { pool: { liquidityUsd: null } }, 'thin_liquidity'],
    ['the price is not confirmed', { isPriceFinal: false }, 'unsettled_price'],
    ['a group holds a quarter', { topClusterShare: () => 0.25 }, null],
    ['a group holds more', { topClusterShare: () => 0.26 }, 'concentrated_supply'],
    ['groups are unknown', { topClusterShare: () => null }, 'concentrated_supply'],
  ])('when %s: %o gives %s', (_, given, veto) => {
    expect(vetoOf(sceneFacts(1, given))).toBe(veto);
    const signals = endMinute(new SignalBook(new UndoLog(), [always]), 1, sceneFacts(1, given));
    expect(signals.length).toBe(veto === null ? 1 : 0);
  });
});

function locked(part: number) {
  return { lockedLiquidity: { issuedRaw: tokensRaw(100), lockedRaw: tokensRaw(part) } };
}

describe('windows', () => {
  test('return what a pool held ten minutes ago, even without a trade at that time', () => {
    const windows = new FeatureWindows(new UndoLog());
    for (const [minute, quote] of [
      [0, 100],
      [3, 90],
      [15, 80],
    ] as const) {
      windows.note(sceneTrade(minute));
      windows.closeMinute(SCENE_POOL, SCENE_START_MS + minute * MINUTE_MS, {
        quoteRaw: quote,
        priceUsd: null,
      });
    }
    const window = windows.window(SCENE_POOL);
    if (window === null) throw new Error('no window');
    const reading = new WindowReading(window, SCENE_START_MS + 15 * MINUTE_MS, (wallet) => wallet);
    expect([reading.quoteAgo(0), reading.quoteAgo(10), reading.quoteAgo(14)]).toEqual([
      80, 90, 100,
    ]);
  });

  test('use the closing price of the minute if it differs from that of the last trade', () => {
    const windows = new FeatureWindows(new UndoLog());
    const close = (minute: number, priceUsd: number) =>
      windows.closeMinute(SCENE_POOL, SCENE_START_MS + minute * MINUTE_MS, {
        quoteRaw: null,
        priceUsd,
      });
    windows.note(sceneTrade(0, { price: 2 }));
    close(0, 3);
    windows.note(sceneTrade(1, { price: null }));
    close(1, 9);
    // Nothing in the second minute sets a price, so the first minute's price remains.
    const bars = windows.window(SCENE_POOL)?.bars;
    expect(bars).toMatchObject([
      { high: 3, low: 2, close: 3 },
      { high: null, low: null, close: null },
    ]);
    expect(windows.window(SCENE_POOL)?.highs.map(({ high }) => high)).toEqual([3]);
  });

  test('are bounded, however many wallets trade for however long', () => {
    const windows = new FeatureWindows(new UndoLog());
    for (let minute = 0; minute < 1_000; minute++) {
      const wallets = minute === 999 ? 200 : 1;
      for (let at = 0; at < wallets; at++) {
        windows.note(sceneTrade(minute, { wallet: `w${at}`, smartWeight: 1 }));
      }
    }
    const window = windows.window(SCENE_POOL);
    expect(window?.bars.length).toBe(66);
    expect(window?.highs.length).toBe(73);
    expect(window?.bars.at(-1)?.buyers.length).toBe(BUYERS_MAX);
    expect(window?.bars.at(-1)?.smart.length).toBe(SMART_MAX);
    // All 200 count in dollars.
    expect(window?.bars.at(-1)?.organicBuyUsd).toBe(200);
  });

  test('drop a pool after six hours without a trade, and not before', () => {
    const windows = new FeatureWindows(new UndoLog());
    windows.note(sceneTrade(0));
    windows.note({ ...sceneTrade(0), pool: named('busy') });
    windows.note({ ...sceneTrade(30), pool: named('busy') });
    windows.dropExpired(SCENE_START_MS + HIGHS_MS);
    expect(windows.poolCount).toBe(2);
    windows.dropExpired(SCENE_START_MS + HIGHS_MS + 5 * MINUTE_MS);
    expect([windows.window(SCENE_POOL), windows.poolCount]).toEqual([null, 1]);
    windows.dropExpired(SCENE_START_MS + HIGHS_MS + 35 * MINUTE_MS);
    expect(windows.poolCount).toBe(0);
  });
});

const anyTrade = fc.record({
  minutes: fc.constantFrom(0, 0, 0, 1, 2, 40, 400),
  pool: fc.constantFrom('one', 'two'),
  wallet: fc.constantFrom('a', 'b', 'c'),
  usd: fc.constantFrom(null, 1, 20_000),
  price: fc.constantFrom(null, 1, 2, 0.5),
  side: fc.constantFrom('buy' as const, 'sell' as const),
  smartWeight: fc.constantFrom(0, 0.7),
});

test('every slot can be undone exactly, and gives the same when applied again', () => {
  fc.assert(
    fc.property(fc.array(anyTrade, { maxLength: 40 }), (steps) => {
      const undo = new UndoLog(100);
      const book = new SignalBook(undo, [always, ...MODELS]);
      const digest = () => sumsOf(undo.pages);
      let minute = 0;
      for (const { minutes, pool, ...trade } of steps) {
        const ended = minute;
        minute += minutes;
        const apply = () => {
          undo.open();
          const timeMs = SCENE_START_MS + minute * MINUTE_MS;
          const minuteMs = SCENE_START_MS + ended * MINUTE_MS;
          const facts = (address: Address) =>
            sceneFacts(ended, {
              pool: { pool: address },
              token: { mint: address, primaryPool: address },
            });
          const end = { slot: asSlot(200 + minute), timeMs };
          const pools = ['one', 'two'].map(named);
          const signals = minutes === 0 ? [] : book.endMinute(minuteMs, end, pools, facts);
          book.note({ ...sceneTrade(minute, trade), pool: named(pool) });
          undo.close();
          return signals;
        };
        const before = digest();
        const signals = apply();
        const after = digest();
        undo.undo();
        expect(digest()).toBe(before);
        expect(apply()).toEqual(signals);
        expect(digest()).toBe(after);
      }
    }),
  );
});
