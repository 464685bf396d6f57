import {
  BACKTEST_DEFAULTS,
  type BacktestReport,
  type DelayedExecution,
  type DelayReport,
  ENTRY_DELAYS,
} from '../../src/model/backtest.ts';
import type { BacktestJob } from '../../src/model/backtest-job.ts';
import { EXIT_RULES, TICKETS_USD } from '../../src/model/signal.ts';
import { asSlot } from '../../src/model/units.ts';

const E9 = 1_000_000_000n;
export const BACKTEST_ID = '7d0f6b0e-51a7-4a53-9df8-6a3f2f9c1d22';
export const BACKTEST_TIME_MS = Date.UTC(2026, 0, 1);
const DAY_MS = 86_400_000;

/** Forty hits of which all are compared: 3.5 % on average, 1.25 % of random minutes. */
export function buildExecution(given: Partial<DelayedExecution> = {}): DelayedExecution {
  return {
    rule: 'hold_1h',
    ticketUsd: 200,
    count: 40,
    meanE9: (35n * E9) / 10n,
    medianE9: -2n * E9,
    winShare: 0.45,
    lift: { matched: 40, mean: 3.5, baseRate: 1.25, lift: 2.25, interval: [0.5, 4.125] },
    chargedInterval: [-0.75, 5.25],
    ...given,
  };
}

export function buildDelay(given: Partial<DelayReport> = {}): DelayReport {
  const execution = EXIT_RULES.flatMap((rule) =>
    TICKETS_USD.map((ticketUsd) => buildExecution({ rule, ticketUsd })),
  );
  return {
    ...{ delay: '1_slot', failed: 4, open: 2, unpriced: 1, execution },
    capacityUsd: {
      ...{ hold_5m: null, hold_1h: 12_500, hold_24h: null },
      ...{ take_profit_or_stop: null, trailing_stop: 800 },
    },
    ...given,
  };
}

export function buildReport(given: Partial<BacktestReport> = {}): BacktestReport {
  return {
    rules: ['dip@1+0123456789abcdef'],
    options: {
      ...BACKTEST_DEFAULTS,
      ...{ fromMs: BACKTEST_TIME_MS, toMs: BACKTEST_TIME_MS + 30 * DAY_MS },
    },
    ...{ firstSlot: asSlot(300_000_000), lastSlot: asSlot(300_500_000) },
    ...{ minutes: 123_456, hits: 43, hitMints: 31, controls: 12_345 },
    delays: ENTRY_DELAYS.map((delay) => buildDelay({ delay })),
    tries: { count: 3, deflatedSharpe: 0.625 },
    walkForward: null,
    lookAhead: { checked: 43, faults: [] },
    ...given,
  };
}

export function buildJob(given: Partial<BacktestJob> = {}): BacktestJob {
  return {
    ...{ id: BACKTEST_ID, name: 'dip', state: 'done', progress: 1 },
    ...{ createdAtMs: BACKTEST_TIME_MS, endedAtMs: BACKTEST_TIME_MS + 60_000 },
    ...{ reason: null, report: buildReport(), ...given },
  };
}
