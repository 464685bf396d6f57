import { describe, expect, test } from 'vitest';
import { address } from '../../../tests/support/build-transaction.ts';
import { BACKTEST_DEFAULTS, type BacktestOptions } from '../../model/backtest.ts';
import { asSlot, asUsdNano } from '../../model/units.ts';
import type { PoolDepth } from '../../signals/execution/fill.ts';
import { capacityUsd } from './capacity.ts';
import { type HitWithPath, tradeHit } from './traded-hits.ts';

const DAY_MS = 86_400_000;
const FREE = { failedShare: 0, networkSol: 0, tipSol: 0, terminalFee: 0 };
const optionsOf = (given: Partial<BacktestOptions> = {}): BacktestOptions => ({
  ...BACKTEST_DEFAULTS,
  ...{ fromMs: 0, toMs: DAY_MS },
  ...FREE,
  ...given,
});

function depthAt(timeMs: number, base: number, quoteUsd: number): PoolDepth {
  const priceUsd = quoteUsd === 0 ? 1 : quoteUsd / base;
  return {
    ...{ timeMs, priceUsd, base, quoteUsd, realBase: base, realQuoteUsd: quoteUsd },
    ...{ feeBps: 0, solUsd: 100 },
  };
}

function hitOf(points: readonly PoolDepth[] | null, slot = 1_000): HitWithPath {
  return {
    hit: {
      ...{ mint: address('mint'), pool: address('pool'), minuteMs: 0 },
      ...{ slot: asSlot(slot), timeMs: 60_000 },
    },
    ...{ ageMs: null, marketCapUsd: asUsdNano(0n), liquidityUsd: asUsdNano(0n) },
    path: points === null ? null : { points, endMs: 3 * DAY_MS },
  };
}

/** Percent of a ticket of $200 after 24 hours. */
function heldPercent(points: readonly PoolDepth[] | null, options = optionsOf()) {
  const { row, state } = tradeHit(hitOf(points), '10_s', options);
  const found = row.returns.hold_24h?.find(({ ticketUsd }) => ticketUsd === 200);
  return { state, percent: found === undefined ? null : Number(found.returnE9) / 1e9 };
}

const START = depthAt(50_000, 1_000, 1_000);

describe('a traded hit', () => {
  test('has the return of the worked example in docs/products/backtests.md', () => {
    const { state, percent } = heldPercent([START, depthAt(3_600_000, 500, 2_000)]);
    expect(state).toBe('traded');
    expect(percent).toBeCloseTo(150, 9);
  });

  test('of a token whose pool was drained is worth nothing, and stays', () => {
    expect(heldPercent([START, depthAt(3_600_000, 1_000, 0)])).toEqual({
      ...{ state: 'traded', percent: -100 },
    });
  });

  test('pays pool, terminal, network and tip on both sides', () => {
    const options = optionsOf({ networkSol: 0.01, tipSol: 0.01, terminalFee: 0.01 });
    // $200 less $2, 99 % of it in, 1,000 · 196.02 / 1,196.02 tokens; the pool has not changed, so
    // they give 1,000 · t / (1,000 + t), 99 % of that, less $2.
    const tokens = (1_000 * 196.02) / 1_196.02;
    const gotUsd = ((1_000 * tokens) / (1_000 + tokens)) * 0.99 - 2;
    expect(heldPercent([START], options).percent).toBeCloseTo((gotUsd / 200 - 1) * 100, 6);
  });

  test('that fails costs the fees, and only them', () => {
    const options = optionsOf({ failedShare: 1, networkSol: 0.01, tipSol: 0.01 });
    const { state, percent } = heldPercent([START, depthAt(3_600_000, 500, 2_000)], options);
    expect(state).toBe('failed');
    // 0.02 SOL of $100 are $2, one percent of $200.
    expect(percent).toBeCloseTo(-1, 9);
  });

  test('fails as often as assumed, the same ones each time', () => {
    const failed = (at: number) =>
      tradeHit(hitOf([START], at), '10_s', optionsOf({ failedShare: 0.2 })).state === 'failed';
    const slots = Array.from({ length: 2_000 }, (_, at) => at);
    const count = slots.filter(failed).length;
    // Four deviations of a binomial count around 400.
    expect(Math.abs(count - 400)).toBeLessThan(4 * Math.sqrt(2_000 * 0.2 * 0.8));
    expect(slots.filter(failed)).toHaveLength(count);
  });

  test('without known reserves has no return', () => {
    expect(heldPercent(null)).toEqual({ state: 'unpriced', percent: null });
  });
});

describe('the capacity', () => {
  const costs = { terminalFee: 0, networkSol: 0 };
  const trip = (exit: PoolDepth) => ({ entry: START, exit, exitMs: DAY_MS });

  test('is where the own impact has eaten the gain', () => {
    // A ticket of t buys 1,000·t/(1,000+t) tokens; sold into 1,000 tokens and $2,000 they give
    // 2,000·t/(1,000+2t), which is t at t = 500.
    expect(capacityUsd([trip(depthAt(DAY_MS, 1_000, 2_000))], costs)).toBeGreaterThanOrEqual(494);
    expect(capacityUsd([trip(depthAt(DAY_MS, 1_000, 2_000))], costs)).toBeLessThanOrEqual(500);
  });

  test('is null for hits that lose with any ticket, and for none', () => {
    expect(capacityUsd([trip(START)], costs)).toBeNull();
    expect(capacityUsd([], costs)).toBeNull();
  });
});
