import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { newSession, partsOfLog } from '../../../tests/support/backtest-log.ts';
import { signalSlots } from '../../../tests/support/signal-stage.ts';
import { BACKTEST_DEFAULTS } from '../../model/backtest.ts';
import type { BacktestRequest } from '../../model/backtest-job.ts';
import type { SlotFacts } from '../../model/slot-facts.ts';
import type { BacktestStep } from './backtest-messages.ts';
import { type BacktestParts, runBacktest } from './run-backtest.ts';

const RULE = `
name: every-trade
version: 1
kind: signal
scope: pool_minute
title: A rule of a test.
pattern: Any.
rationale: None.
look_alikes: [None.]
when: pool.swaps >= 1
confidence: 0.5
evidence: [pool.swaps, token.market_cap_usd]
cool_down_minutes: 3
`;

const [slots = []] = fc.sample(signalSlots({ minLength: 120, maxLength: 120 }), {
  ...{ seed: 11, numRuns: 1 },
});
const firstMs = slots[0]?.blockTimeMs ?? 0;
const lastMs = slots.at(-1)?.blockTimeMs ?? 0;

function request(given: Partial<BacktestRequest['options']> = {}): BacktestRequest {
  const options = { ...BACKTEST_DEFAULTS, fromMs: firstMs, toMs: lastMs + 1, ...given };
  return { accountId: 'account', rules: [RULE], options, isProved: true };
}

/** A log in memory, read by a session on this thread. */
function partsOf(log: readonly SlotFacts[], session = newSession()) {
  const steps: BacktestStep[] = [];
  const parts = partsOfLog({
    facts: () => log,
    send: async (step) => {
      steps.push(step);
      return session.answer(step);
    },
  });
  return { parts, steps };
}

function run(parts: BacktestParts, given: Partial<Parameters<typeof runBacktest>[0]> = {}) {
  return runBacktest(
    {
      ...{ request: request(), tries: 1, onProgress: () => undefined },
      ...{ signal: new AbortController().signal, ...given },
    },
    parts,
  );
}

describe('a backtest of the log', () => {
  test('has hits, a proof without faults, and a progress that only grows', async () => {
    const shares: number[] = [];
    const { parts } = partsOf(slots);
    const report = await run(parts, { onProgress: (share) => shares.push(share) });
    expect(report.hits).toBeGreaterThan(10);
    expect(report.lookAhead?.checked).toBe(report.hits);
    expect(report.lookAhead?.faults).toEqual([]);
    expect(report.lastSlot).toBe(slots.at(-1)?.slot);
    expect(shares).toEqual([...shares].sort((one, other) => one - other));
    expect(shares.at(-1)).toBeLessThanOrEqual(1);
  });

  test('is the same whatever the log has after the range and its exits', async () => {
    const middle = slots[slots.length >> 1]?.blockTimeMs ?? 0;
    // Exits are up to a day later, and nothing after them may matter.
    const over = slots.findIndex(({ blockTimeMs }) => (blockTimeMs ?? 0) > middle + 2 * 86_400_000);
    const cut = slots.slice(0, over + 1);
    expect(cut.length).toBeLessThan(slots.length);
    const reportOf = (log: readonly SlotFacts[]) =>
      run(partsOf(log).parts, { request: request({ toMs: middle }) });
    const [whole, shorter] = [await reportOf(slots), await reportOf(cut)];
    expect(whole.hits).toBeGreaterThan(5);
    expect({ ...shorter, lastSlot: null }).toEqual({ ...whole, lastSlot: null });
  });

  test('of another rule over a range that has passed needs no second recording', async () => {
    const session = newSession();
    const middle = slots[slots.length >> 2]?.blockTimeMs ?? 0;
    const first = partsOf(slots, session);
    const early = { request: request({ toMs: middle }) };
    const report = await run(first.parts, early);
    const second = partsOf(slots, session);
    expect(await run(second.parts, early)).toEqual(report);
    const applied = (steps: readonly BacktestStep[]) =>
      steps.filter(({ kind }) => kind === 'apply').length;
    expect(applied(first.steps)).toBeGreaterThan(applied(second.steps));
    expect(second.steps.map(({ kind }) => kind).filter((kind) => kind !== 'apply')).toEqual([
      ...['record', 'judge', 'report', 'release'],
    ]);
  });

  test('ends when it is cancelled, and releases the thread', async () => {
    const { parts, steps } = partsOf(slots);
    const abort = new AbortController();
    const onProgress = () => abort.abort(new Error('cancelled'));
    await expect(run(parts, { onProgress, signal: abort.signal })).rejects.toThrow('cancelled');
    expect(steps.at(-1)?.kind).toBe('release');
    expect(steps.filter(({ kind }) => kind === 'report')).toEqual([]);
  });

  test('is refused for a log that has lost its start', async () => {
    const { parts } = partsOf(slots);
    const source = () => ({ ...parts.source(), firstApplied: null });
    await expect(run({ ...parts, source })).rejects.toThrow('The log no longer has its start');
  });
});
