import { beforeAll, describe, expect, test } from 'vitest';
import { newSession } from '../../../tests/support/backtest-log.ts';
import { backtestOfSlots } from '../../../tests/support/backtest-of-slots.ts';
import {
  EDGE_START_MS,
  EDGES_PER_DAY,
  plantedEdgeSlots,
} from '../../../tests/support/planted-edge-market.ts';
import { JUDGED_DELAY, JUDGED_RULE, JUDGED_TICKET } from '../../backtest/worth/worth-of-hits.ts';
import { BACKTEST_DEFAULTS, type BacktestReport } from '../../model/backtest.ts';
import type { SlotFacts } from '../../model/slot-facts.ts';

const DAYS = 7;
const DAY_MS = 86_400_000;
const TRIES = 100;

const rule = (name: string, when: string) => `
name: ${name}
version: 1
kind: signal
scope: pool_minute
title: A rule of a test.
pattern: A minute of a certain volume.
rationale: None.
look_alikes: [None.]
when: ${when}
confidence: 0.5
evidence: [window.volume_usd_1m]
cool_down_minutes: 5
`;
const OMEN = rule('omen', 'window.volume_usd_1m >= 400.0 && window.volume_usd_1m <= 800.0');
/** Purchases and sales of $60, which nothing follows for an hour. */
const BLIND = rule('blind', 'window.volume_usd_1m <= 100.0');

let slots: readonly SlotFacts[] = [];
/** The second rule is judged on the minutes that were recorded for the first. */
const session = newSession();

beforeAll(() => {
  slots = plantedEdgeSlots('edge', DAYS);
});

function reportOf(text: string): Promise<BacktestReport> {
  const [fromMs, toMs] = [EDGE_START_MS, EDGE_START_MS + DAYS * DAY_MS];
  // The market is small: each of its minutes is compared with.
  const options = { ...BACKTEST_DEFAULTS, fromMs, toMs, controlShare: 1 };
  const request = { accountId: 'account', rules: [text], options, isProved: true };
  return backtestOfSlots(slots, request, { tries: TRIES, session });
}

function judgedOf({ delays }: BacktestReport) {
  const found = delays
    .find(({ delay }) => delay === JUDGED_DELAY)
    ?.execution.find(
      ({ rule: exit, ticketUsd }) => exit === JUDGED_RULE && ticketUsd === JUDGED_TICKET,
    );
  if (found === undefined) throw new Error('the judged exit is missing');
  return found;
}

describe('an edge that was planted in a simulated market', () => {
  test('is found by a rule over blocks, after a hundred tries and without looking ahead', async () => {
    const report = await reportOf(OMEN);
    // One omen in each story.
    expect(report.hits).toBe(DAYS * EDGES_PER_DAY);
    expect(report.lookAhead).toEqual({ checked: report.hits, faults: [] });
    const found = judgedOf(report);
    // +67 % at the end of the rise, less costs; one entry of ten fails.
    expect(found.meanE9).toBeGreaterThan(40_000_000_000n);
    expect(found.chargedInterval?.[0]).toBeGreaterThan(0);
  });

  test('is not in a rule that knows nothing of it', async () => {
    const report = await reportOf(BLIND);
    expect(report.hits).toBeGreaterThanOrEqual(DAYS * EDGES_PER_DAY);
    // Costs are all that is left where the price stays.
    expect(judgedOf(report).meanE9).toBeLessThan(0n);
    expect(judgedOf(report).chargedInterval?.[0]).toBeLessThan(0);
  });
});
