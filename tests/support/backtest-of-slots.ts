import { runBacktest } from '../../src/ingestion/backtest/run-backtest.ts';
import type { BacktestReport } from '../../src/model/backtest.ts';
import type { BacktestRequest } from '../../src/model/backtest-job.ts';
import type { SlotFacts } from '../../src/model/slot-facts.ts';
import { newSession, partsOfLog } from './backtest-log.ts';

/** The report of a backtest of a log that holds these slots and never changes, on this thread. */
export function backtestOfSlots(
  slots: readonly SlotFacts[],
  request: BacktestRequest,
  { tries = 1, session = newSession() } = {},
): Promise<BacktestReport> {
  const { signal } = new AbortController();
  return runBacktest(
    { request, tries, onProgress: () => undefined, signal },
    partsOfLog({ facts: () => slots, send: async (step) => session.answer(step) }),
  );
}
