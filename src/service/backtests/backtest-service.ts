import { randomUUID } from 'node:crypto';
import { type BacktestParts, runBacktest } from '../../ingestion/backtest/run-backtest.ts';
import { PastError } from '../../ingestion/past/past-thread.ts';
import { runForAccount } from '../../lib/current-account.ts';
import { FairQueue } from '../../lib/fair-queue.ts';
import {
  type BacktestJob,
  type BacktestOutcome,
  type BacktestRequest,
  WAITING_JOBS_MAX,
} from '../../model/backtest-job.ts';
import { StoreError, UsageError } from '../../model/errors.ts';
import { type CompiledRule, compileRuleText } from '../../rules/compile-rule.ts';
import { problemText } from '../../rules/problem.ts';
import type {
  BacktestEnd,
  StoredBacktest,
  StoredBacktests,
} from '../../store/control/backtests.ts';

export interface BacktestServiceOptions {
  readonly stored: StoredBacktests;
  readonly parts: BacktestParts;
  /** Receives sentences about failures that are not the user's. */
  readonly report: (sentence: string) => void;
  /** Ends the thread that `parts` sends to; the next step starts another one. */
  readonly endThread: () => Promise<void>;
}

interface RunningJob {
  readonly id: string;
  readonly abort: AbortController;
  progress: number;
}

const CANCELLED = 'The account cancelled the backtest.';
const STOPPING = 'The service stops.';
/** Between two jobs. */
const IDLE_MS = 15 * 60_000;

/**
 * Backtests of accounts: one runs at a time, accounts take turns. Jobs that were queued or running
 * when the service stopped begin again at its start; a backtest of the same log gives the same report.
 */
export class BacktestService {
  private readonly options: BacktestServiceOptions;
  private readonly queue = new FairQueue<string>();
  private running: RunningJob | null = null;
  private isClosed = false;
  private idle: NodeJS.Timeout | null = null;
  private work: Promise<void> | null = null;

  constructor(options: BacktestServiceOptions) {
    this.options = options;
  }

  /** Queues what a stop interrupted. */
  resume(): void {
    for (const { id, accountId } of this.options.stored.open()) this.queue.push(accountId, id);
    this.wake();
  }

  /** Queues a backtest. */
  async add(request: BacktestRequest): Promise<BacktestOutcome> {
    const { accountId, rules, options, isProved } = request;
    const { stored } = this.options;
    const compiled = compileAll(rules);
    if (!('first' in compiled)) return { kind: 'refused', problems: compiled.problems };
    if (stored.openCount(accountId) >= WAITING_JOBS_MAX) {
      return { kind: 'full', jobsMax: WAITING_JOBS_MAX };
    }
    const { name } = compiled.first.file;
    const draft = { id: randomUUID(), accountId, name, rules, options, isProved };
    const row = stored.add(draft, compiled.hashes);
    this.queue.push(accountId, row.id);
    this.wake();
    return { kind: 'queued', job: this.toJob(row) };
  }

  /** Without reports, newest first. */
  async list(accountId: string): Promise<readonly BacktestJob[]> {
    return this.options.stored.list(accountId).map((row) => ({ ...this.toJob(row), report: null }));
  }

  async find(accountId: string, id: string): Promise<BacktestJob | null> {
    const row = this.options.stored.find(accountId, id);
    return row === null ? null : this.toJob(row);
  }

  /** Ends a backtest that has not ended. Null if there is none of the id. */
  async cancel(accountId: string, id: string): Promise<BacktestJob | null> {
    const row = this.options.stored.find(accountId, id);
    if (row === null || row.endedAtMs !== null) return row === null ? null : this.toJob(row);
    this.queue.remove(accountId, id);
    const ended = this.options.stored.end(id, cancelledEnd());
    if (this.running?.id === id) this.running.abort.abort(new Error(CANCELLED));
    return this.toJob(ended);
  }

  /** Interrupts the running backtest, which begins again at the next start. */
  async close(): Promise<void> {
    this.isClosed = true;
    if (this.idle !== null) clearTimeout(this.idle);
    this.running?.abort.abort(new Error(STOPPING));
    await this.options.endThread();
    await this.work;
  }

  private wake(): void {
    if (this.work !== null || this.isClosed) return;
    if (this.idle !== null) clearTimeout(this.idle);
    // The thread is shared by accounts.
    runForAccount(null, () => {
      this.work = this.runAll().finally(() => {
        this.work = null;
        // Jobs that were queued after the last one was taken.
        if (this.queue.size > 0) return this.wake();
        this.idle = setTimeout(() => void this.options.endThread(), IDLE_MS).unref();
      });
    });
  }

  private async runAll(): Promise<void> {
    for (let next = this.queue.take(); next !== null; next = this.queue.take()) {
      if (this.isClosed) return;
      const row = next.owner === null ? null : this.options.stored.find(next.owner, next.item);
      if (row !== null && row.endedAtMs === null) await this.run(row);
    }
  }

  private async run(row: StoredBacktest): Promise<void> {
    const { stored } = this.options;
    const { id, accountId, name, rules, options, isProved } = row;
    const running: RunningJob = { id, abort: new AbortController(), progress: 0 };
    this.running = running;
    stored.begin(id);
    let end: BacktestEnd | null;
    try {
      const report = await runBacktest(
        {
          request: { accountId, rules, options, isProved },
          tries: stored.tries(accountId, name),
          onProgress: (share) => {
            running.progress = share;
          },
          signal: running.abort.signal,
        },
        this.openParts(),
      );
      end = { state: 'done', reason: null, report };
    } catch (error) {
      // A job that was cancelled has ended; one that a stop interrupts stays as it is.
      end = running.abort.signal.aborted ? null : this.failureOf(error);
    }
    this.running = null;
    if (end !== null && !running.abort.signal.aborted) stored.end(id, end);
  }

  /** A step after a stop would start another thread. */
  private openParts(): BacktestParts {
    const { parts } = this.options;
    const send: BacktestParts['send'] = async (step) => {
      if (this.isClosed) throw new Error(STOPPING);
      return await parts.send(step);
    };
    return { ...parts, send };
  }

  private failureOf(error: unknown): BacktestEnd {
    const reason = error instanceof Error ? error.message : String(error);
    if (error instanceof UsageError) return { state: 'failed', reason, report: null };
    if (!(error instanceof PastError || error instanceof StoreError)) {
      this.options.report(`A backtest failed: ${reason}`);
    }
    return {
      state: 'failed',
      reason: `The backtest could not be computed: ${reason}`,
      report: null,
    };
  }

  private toJob(row: StoredBacktest): BacktestJob {
    const { id, name, state, createdAtMs, endedAtMs, reason, report } = row;
    const running = this.running?.id === id ? this.running.progress : 0;
    const progress = state === 'done' ? 1 : running;
    return { id, name, state, progress, createdAtMs, endedAtMs, reason, report };
  }
}

function cancelledEnd(): BacktestEnd {
  return { state: 'cancelled', reason: null, report: null };
}

interface CompiledRules {
  readonly first: CompiledRule;
  readonly hashes: readonly string[];
}

/** All variants must be rules of one name that are judged on minutes. */
function compileAll(
  texts: readonly string[],
): CompiledRules | { readonly problems: readonly string[] } {
  const rules: CompiledRule[] = [];
  const problems: string[] = [];
  for (const [at, text] of texts.entries()) {
    const { value, problems: found } = compileRuleText(text);
    const prefix = at === 0 ? '' : `variants.${at - 1}: `;
    problems.push(...found.map((problem) => `${prefix}${problemText(problem)}`));
    if (value === null) continue;
    rules.push(value);
    if (value.file.scope !== 'pool_minute') {
      problems.push(`${prefix}Only rules of the scope pool_minute can be backtested.`);
    }
    if (value.file.name !== rules[0]?.file.name) {
      problems.push(
        `${prefix}A variant must have the name of the rule, as tries are counted by it.`,
      );
    }
  }
  const [first] = rules;
  if (first === undefined || problems.length > 0) return { problems };
  return { first, hashes: rules.map(({ hash }) => hash) };
}
