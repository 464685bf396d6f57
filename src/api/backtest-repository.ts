import type { BacktestJob, BacktestOutcome, BacktestRequest } from '../model/backtest-job.ts';

/** Backtests of accounts. One runs at a time; accounts take turns. */
export interface BacktestRepository {
  /** Queues a backtest. It goes on after a restart of the service. */
  add(request: BacktestRequest): Promise<BacktestOutcome>;
  /** Newest first, without their reports. */
  list(accountId: string): Promise<readonly BacktestJob[]>;
  find(accountId: string, id: string): Promise<BacktestJob | null>;
  /** Ends a backtest that has not ended; null if the account has none of the ID. */
  cancel(accountId: string, id: string): Promise<BacktestJob | null>;
}
