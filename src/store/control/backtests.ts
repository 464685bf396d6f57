import type { DatabaseSync } from 'node:sqlite';
import type { BacktestOptions, BacktestReport } from '../../model/backtest.ts';
import { JOB_STATES, KEPT_JOBS_MAX } from '../../model/backtest-job.ts';
import { bigintJson, column, flag, integer, json, nullable, oneOf, text } from '../sqlite/kind.ts';
import { type Prepared, prepareAll } from '../sqlite/prepare-all.ts';
import { inTransaction } from '../sqlite/sqlite-transaction.ts';
import { type RowOf, singleValue, tableRow } from '../sqlite/table-row.ts';

export const BACKTESTS = tableRow('backtests', {
  key: column('job_key', integer),
  id: column('job_id', text),
  accountId: text,
  name: text,
  state: oneOf(JOB_STATES),
  rules: json<readonly string[]>(),
  options: json<BacktestOptions>(),
  isProved: flag,
  createdAtMs: integer,
  endedAtMs: nullable(integer),
  reason: nullable(text),
  report: nullable(bigintJson<BacktestReport>()),
});

export const BACKTEST_TRIES = tableRow('backtest_tries', {
  accountId: text,
  name: text,
  hash: text,
});

export type StoredBacktest = RowOf<typeof BACKTESTS>;

export type BacktestDraft = Pick<
  StoredBacktest,
  'id' | 'accountId' | 'name' | 'rules' | 'options' | 'isProved'
>;

/** How a backtest ended. */
export type BacktestEnd = Pick<StoredBacktest, 'state' | 'reason' | 'report'>;

const OPEN = "state IN ('queued', 'running')";

const STATEMENTS = {
  open: BACKTESTS.select(`WHERE ${OPEN} ORDER BY job_key`),
  ofAccount: BACKTESTS.select('WHERE account_id = ? ORDER BY job_key DESC'),
  find: BACKTESTS.select('WHERE account_id = ? AND job_id = ?'),
  byId: BACKTESTS.select('WHERE job_id = ?'),
  openCount: singleValue(
    integer,
    `SELECT count(*) FROM backtests WHERE account_id = ? AND ${OPEN}`,
  ),
  add: BACKTESTS.without('key').insert(),
  begin: "UPDATE backtests SET state = 'running' WHERE job_id = ?",
  end: BACKTESTS.only('state', 'reason', 'report', 'endedAtMs').update('WHERE job_id = ?'),
  removeOld:
    `DELETE FROM backtests WHERE account_id = ? AND NOT ${OPEN} AND job_key NOT IN (` +
    `SELECT job_key FROM backtests WHERE account_id = ? AND NOT ${OPEN} ` +
    'ORDER BY job_key DESC LIMIT ?)',
  addTry: BACKTEST_TRIES.insert('ON CONFLICT DO NOTHING'),
  tries: singleValue(
    integer,
    'SELECT count(*) FROM backtest_tries WHERE account_id = ? AND name = ?',
  ),
};

/** Backtests of accounts with their reports, and the contents that were tried. */
export class StoredBacktests {
  private readonly database: DatabaseSync;
  private readonly nowMs: () => number;
  private readonly statements: Prepared<typeof STATEMENTS>;

  constructor(database: DatabaseSync, nowMs: () => number = Date.now) {
    this.database = database;
    this.nowMs = nowMs;
    this.statements = prepareAll(database, STATEMENTS);
  }

  /** Those of all accounts that are queued or were running, oldest first. */
  open(): readonly StoredBacktest[] {
    return this.statements.open.all();
  }

  /** Newest first. */
  list(accountId: string): readonly StoredBacktest[] {
    return this.statements.ofAccount.all(accountId);
  }

  find(accountId: string, id: string): StoredBacktest | null {
    return this.statements.find.get(accountId, id);
  }

  /** Number of backtests of an account that have not ended. */
  openCount(accountId: string): number {
    return Number(this.statements.openCount.get(accountId));
  }

  /** Queues a backtest and records the contents of its rules as tries. */
  add(draft: BacktestDraft, hashes: readonly string[]): StoredBacktest {
    return inTransaction(this.database, () => {
      const { accountId, name } = draft;
      for (const hash of hashes) this.statements.addTry.run({ accountId, name, hash });
      this.statements.add.run({
        ...draft,
        ...{ state: 'queued', createdAtMs: this.nowMs(), endedAtMs: null, reason: null },
        report: null,
      });
      return this.byId(draft.id);
    });
  }

  /** Number of different contents that an account has tried under a name. */
  tries(accountId: string, name: string): number {
    return Number(this.statements.tries.get(accountId, name));
  }

  begin(id: string): void {
    this.statements.begin.run(id);
  }

  /** Ends a backtest, and removes the oldest ended ones of the account. */
  end(id: string, end: BacktestEnd): StoredBacktest {
    return inTransaction(this.database, () => {
      this.statements.end.run({ ...end, endedAtMs: this.nowMs() }, id);
      const ended = this.byId(id);
      this.statements.removeOld.run(ended.accountId, ended.accountId, KEPT_JOBS_MAX);
      return ended;
    });
  }

  private byId(id: string): StoredBacktest {
    const found = this.statements.byId.get(id);
    if (found === null) throw new Error(`There is no backtest ${id}.`);
    return found;
  }
}
