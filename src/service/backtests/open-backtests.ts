import type { BacktestStep } from '../../ingestion/backtest/backtest-messages.ts';
import type { BacktestParts } from '../../ingestion/backtest/run-backtest.ts';
import type { PastSettings } from '../../ingestion/past/past-messages.ts';
import { PastThread } from '../../ingestion/past/past-thread.ts';
import type { StoredBacktests } from '../../store/control/backtests.ts';
import { BacktestService } from './backtest-service.ts';

const WORKER_URL = new URL('../../ingestion/backtest/backtest-worker.ts', import.meta.url);
/** Judging and valuing the rules of a long range is one step. */
const SILENCE_MAX_MS = 10 * 60_000;

export interface BacktestSources extends Omit<BacktestParts, 'send'> {
  readonly stored: StoredBacktests;
  readonly settings: PastSettings;
  /** Receives sentences about what went wrong. */
  readonly report: (sentence: string) => void;
}

/** Backtests in a thread of their own, which is started with the first of them. */
export function openBacktests({ stored, settings, report, ...parts }: BacktestSources) {
  const thread = new PastThread<BacktestStep>({
    settings,
    workerUrl: WORKER_URL,
    silenceMaxMs: SILENCE_MAX_MS,
    onStopped: (reason) => report(`The thread of backtests has stopped: ${reason}.`),
  });
  return new BacktestService({
    stored,
    parts: { ...parts, send: (step) => thread.call(step) },
    report,
    endThread: () => thread.end(),
  });
}
