import { describe, expect, test } from 'vitest';
import { aDepth } from '../../../tests/support/signal-scene.ts';
import { UndoLog } from '../../lib/undo-log.ts';
import type { ExitRule } from '../../model/signal.ts';
import { buyTokens, type PoolDepth, sellTokens } from './fill.ts';
import {
  advancePosition,
  ENTRY_WAIT_MS,
  executionOf,
  isClosed,
  notePosition,
  openPosition,
} from './position.ts';

const START_MS = 1_760_000_000_000;
const MINUTE_MS = 60_000;
const DAY_MS = 1_440 * MINUTE_MS;

describe('the fill of a pool', () => {
  test('for $200 follows the constant product, after terminal and network costs', () => {
    // (200 - 0.1) * 0.99 = 197.901 goes in; 10,000 * 197.901 / 10,197.901.
    expect(buyTokens(aDepth(0), 200)).toBeCloseTo(194.060_523, 6);
  });

  test("is reduced by the pool's fee on the input", () => {
    // 197.901 * 0.9975 = 197.4062475; 10,000 * 197.4062475 / 10,197.4062475.
    expect(buyTokens(aDepth(0, { feeBps: 25 }), 200)).toBeCloseTo(193.584_763, 6);
  });

  test('for tokens is the reverse', () => {
    // 10,000 * 100 / 10,100 = 99.009901; * 0.99 - 0.1.
    expect(sellTokens(aDepth(0), 100)).toBeCloseTo(97.919_802, 6);
  });

  test('is nothing after the liquidity was pulled, and never negative', () => {
    const pulled = { base: 0, quoteUsd: 0, realBase: 0, realQuoteUsd: 0 };
    expect(sellTokens(aDepth(0, pulled), 100)).toBe(0);
    expect(buyTokens(aDepth(0, pulled), 200)).toBe(0);
    expect(sellTokens(aDepth(0), 0)).toBe(0);
  });

  test('of a curve never exceeds its real reserves', () => {
    expect(sellTokens(aDepth(0, { realQuoteUsd: 10 }), 100)).toBeCloseTo(9.8, 9);
    expect(buyTokens(aDepth(0, { realBase: 5 }), 200)).toBe(5);
  });
});

/** Plays prices, each at a time after the signal, with the pool moved to it at constant product. */
function play(steps: readonly (readonly [afterMs: number, price: number])[], endMs = 2 * DAY_MS) {
  const undo = new UndoLog();
  const position = openPosition(START_MS, aDepth(START_MS));
  for (const [afterMs, price] of steps) notePosition(position, depthAt(afterMs, price), undo);
  advancePosition(position, START_MS + endMs, undo);
  return position;
}

function depthAt(afterMs: number, price: number): PoolDepth {
  const root = Math.sqrt(price);
  const base = 10_000 / root;
  const quoteUsd = 10_000 * root;
  return aDepth(START_MS + afterMs, {
    priceUsd: price,
    base,
    quoteUsd,
    realBase: base,
    realQuoteUsd: quoteUsd,
  });
}

/** Percent return on $200 bought at one price and sold at the other. */
function returnOf(bought: number, sold: number): number {
  return (sellTokens(depthAt(0, sold), buyTokens(depthAt(0, bought), 200)) / 200 - 1) * 100;
}

function percent(position: ReturnType<typeof play>, rule: ExitRule): number {
  const small = executionOf(position).returns[rule]?.[0];
  return small === undefined ? Number.NaN : Number(small.returnE9) / 1e9;
}

describe('a position', () => {
  test('is entered at the first trade at least five seconds after the signal', () => {
    const position = play([
      [4_999, 0.5],
      [5_000, 1.1],
      [6_000, 2],
    ]);
    expect(position).toMatchObject({ enteredAtMs: START_MS + 5_000, entryPrice: 1.1 });
  });

  test('is entered even without a trade: dead tokens count too', () => {
    const position = play([]);
    expect(position.enteredAtMs).toBe(START_MS + ENTRY_WAIT_MS);
    expect(percent(position, 'hold_24h')).toBeCloseTo(returnOf(1, 1), 8);
    // Fees both ways, and the price impact of the own order: always a loss.
    expect(percent(position, 'hold_24h')).toBeLessThan(-3);
  });

  test("is worth the pool's payout at each horizon, not a later one", () => {
    const position = play([
      [5_000, 1],
      [5_000 + 5 * MINUTE_MS, 1.2],
      [5_001 + 5 * MINUTE_MS, 9],
      [30 * MINUTE_MS, 1.4],
      [70 * MINUTE_MS, 0.9],
    ]);
    expect(percent(position, 'hold_5m')).toBeCloseTo(returnOf(1, 1.2), 8);
    expect(percent(position, 'hold_1h')).toBeCloseTo(returnOf(1, 1.4), 8);
    expect(percent(position, 'hold_24h')).toBeCloseTo(returnOf(1, 0.9), 8);
  });

  test('exits at +50 %, but five seconds later, at the price of that time', () => {
    const position = play([
      [5_000, 1],
      [60_000, 1.5],
      [64_000, 1.3],
      [66_000, 3],
    ]);
    expect(percent(position, 'take_profit_or_stop')).toBeCloseTo(returnOf(1, 1.3), 8);
    expect(position.roseBeforeFell).toBe(true);
  });

  test('exits at -25 %, and after an hour at most', () => {
    const stopped = play([
      [5_000, 1],
      [60_000, 0.75],
      [70_000, 2],
    ]);
    expect(percent(stopped, 'take_profit_or_stop')).toBeCloseTo(returnOf(1, 0.75), 8);
    const held = play([
      [5_000, 1],
      [60_000, 0.76],
      [61 * MINUTE_MS, 5],
    ]);
    expect(percent(held, 'take_profit_or_stop')).toBeCloseTo(returnOf(1, 0.76), 8);
  });

  test('exits 30 % below its highest price', () => {
    const position = play([
      [5_000, 1],
      [60_000, 4],
      [120_000, 2.8],
      [130_000, 1],
    ]);
    expect(percent(position, 'trailing_stop')).toBeCloseTo(returnOf(1, 2.8), 8);
  });

  test('loses everything when the pool is emptied', () => {
    const undo = new UndoLog();
    const position = play([[5_000, 1]], 10_000);
    notePosition(position, aDepth(START_MS + 60_000, EMPTY), undo);
    advancePosition(position, START_MS + 2 * DAY_MS, undo);
    expect(percent(position, 'hold_24h')).toBe(-100);
    expect(position.roseBeforeFell).toBe(false);
  });

  test('is closed once everything is known, and not before', () => {
    const position = play([[5_000, 1]], DAY_MS);
    expect(isClosed(position, START_MS + DAY_MS)).toBe(false);
    advancePosition(position, START_MS + DAY_MS + 5_001, new UndoLog());
    expect(isClosed(position, START_MS + DAY_MS + 5_001)).toBe(true);
  });

  test('of $1,000 moves the price more than one of $200', () => {
    const [small, large] = executionOf(play([[5_000, 1]])).returns.hold_1h ?? [];
    expect([small?.ticketUsd, large?.ticketUsd]).toEqual([200, 1_000]);
    expect(Number(large?.returnE9)).toBeLessThan(Number(small?.returnE9));
  });
});

const EMPTY = { priceUsd: 0.001, base: 0, quoteUsd: 0, realBase: 0, realQuoteUsd: 0 };
