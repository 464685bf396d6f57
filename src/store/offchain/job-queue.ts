import type { DatabaseSync } from 'node:sqlite';
import { type Prepared, prepareAll, type RowReader } from '../sqlite/prepare-all.ts';
import { JOB_STATEMENTS, type JobRow, type JobState } from './job-table.ts';
import { inLocalTransaction, inOffchainTransaction } from './offchain-plane.ts';

/** A job for one URL. `rank` is the slot of the newest token that needs it. */
export interface WantedJob {
  readonly kind: string;
  readonly key: string;
  readonly url: string;
  readonly rank: number;
}

/** A job leased to a worker until `leaseMs`. */
export interface TakenJob extends WantedJob {
  /** Consecutive failures before this attempt, and successes so far. */
  readonly attempts: number;
  readonly reads: number;
  readonly leaseMs: number;
}

/** The outcome of an attempt; times are wall-clock times. */
export type JobEnd =
  /** The success number `reads`; repeated at `againMs`, null: never. */
  | { readonly kind: 'done'; readonly againMs: number | null; readonly reads: number }
  | ({ readonly kind: 'waiting'; readonly againMs: number } & FailedTry)
  | ({ readonly kind: 'dead' } & FailedTry);

/** The reason, and the consecutive failures including this one. */
interface FailedTry {
  readonly fault: string;
  readonly attempts: number;
}

/** A job that failed for good: why, and when. */
export interface DeadJob extends WantedJob {
  readonly fault: string;
  readonly diedAtMs: number;
}

/** Limits of the queue. */
export interface JobLimits {
  /** Maximum pending and waiting jobs; beyond it those of the oldest tokens are dropped. */
  readonly unfinishedMax: number;
  /** Maximum finished jobs that are kept. */
  readonly settledMax: number;
  /** How long a worker may keep a job. */
  readonly leaseMs: number;
  /** A dead job is retried when it is requested again after this time. */
  readonly reviveAfterMs: number;
}

/** Default limits. */
export const DEFAULT_JOB_LIMITS: JobLimits = {
  unfinishedMax: 100_000,
  settledMax: 1_000_000,
  leaseMs: 60_000,
  reviveAfterMs: 6 * 3_600_000,
};

/** Every n-th take returns the longest waiting job instead of the newest. */
const OLDEST_EVERY = 4;
/** Jobs examined to find one whose host is not busy. */
const WINDOW = 64;
const PROMOTED_MAX = 1_000;

const NEW_JOB = { state: 'pending', dueMs: null, attempts: 0, reads: 0, fault: null } as const;

/**
 * A persistent job queue, with one job per kind and key. Jobs of the newest tokens come first, and
 * every fourth take returns the longest waiting one, so that no job starves. For a single thread.
 */
export class JobQueue {
  private readonly database: DatabaseSync;
  private readonly limits: JobLimits;
  private readonly statements: Prepared<typeof JOB_STATEMENTS>;
  private readonly sizes = new Map<string, number>();
  private readonly takes = new Map<string, number>();
  private droppedJobs = 0;
  private isMiscounted = false;

  constructor(database: DatabaseSync, nowMs: number, limits: Partial<JobLimits> = {}) {
    this.database = database;
    this.limits = { ...DEFAULT_JOB_LIMITS, ...limits };
    this.statements = prepareAll(database, JOB_STATEMENTS);
    this.giveBackRunning(nowMs);
    this.recount();
  }

  /** How many jobs of each kind are in each state. */
  *counts(): Iterable<readonly [kind: string, state: string, count: number]> {
    for (const [name, count] of this.sizes) {
      const [kind = '', state = ''] = name.split(' ');
      yield [kind, state, count];
    }
  }

  /** Jobs dropped since the start because the queue was full. */
  get dropped(): number {
    return this.droppedJobs;
  }

  /** Adds a job, or raises the rank of an existing one. A finished job is not repeated. */
  want(job: WantedJob, nowMs: number): void {
    this.transact(() => {
      const known = this.statements.find.get(job.kind, job.key);
      if (known === null) {
        this.statements.insert.run({ ...job, ...NEW_JOB, sinceMs: nowMs });
        this.moved(job.kind, null, 'pending');
        this.makeSpace();
        return;
      }
      const isRevived =
        known.state === 'dead' && nowMs - known.sinceMs >= this.limits.reviveAfterMs;
      if (isRevived) this.putBack(known, nowMs, 0);
      if (job.rank > known.rank) this.statements.raise.run(job.rank, job.kind, job.key);
    });
  }

  /**
   * Takes the next job of a kind for whose URL `isFree` returns true, until its lease ends. Null
   * when there is none now.
   */
  take(kind: string, nowMs: number, isFree: (url: string) => boolean): TakenJob | null {
    return this.transactLocally(() => {
      this.promote(nowMs);
      const { newest, oldest } = this.statements;
      const takes = this.takes.get(kind) ?? 0;
      const order = takes % OLDEST_EVERY === OLDEST_EVERY - 1 ? oldest : newest;
      const row = order.all(kind, WINDOW).find(({ url }) => isFree(url));
      if (row === undefined) return null;
      this.takes.set(kind, takes + 1);
      const leaseMs = nowMs + this.limits.leaseMs;
      this.put({ ...row, state: 'running', dueMs: leaseMs }, row.state);
      const { key, url, rank, attempts, reads } = row;
      return { kind, key, url, rank, attempts, reads, leaseMs };
    });
  }

  /**
   * Records the outcome of an attempt. Returns false without a change when the lease has ended:
   * another worker may have the job then, and the result must be discarded.
   */
  finish(job: TakenJob, end: JobEnd, nowMs: number): boolean {
    return this.transact(() => {
      const row = this.leased(job);
      if (row === null) return false;
      const isDone = end.kind === 'done';
      const ended = {
        ...row,
        state: end.kind,
        sinceMs: nowMs,
        dueMs: end.kind === 'dead' ? null : end.againMs,
        attempts: isDone ? 0 : end.attempts,
        reads: isDone ? end.reads : row.reads,
        fault: isDone ? null : end.fault,
      };
      this.put(ended, row.state);
      this.forgetSettled();
      return true;
    });
  }

  /** Whether the lease of a job is still valid. */
  holds(job: TakenJob): boolean {
    return this.leased(job) !== null;
  }

  /** Returns a job to the queue unchanged. */
  release(job: TakenJob, nowMs: number): void {
    this.transactLocally(() => {
      const row = this.leased(job);
      if (row !== null) this.putBack(row, nowMs, row.attempts);
    });
  }

  /** Dead jobs, those of the newest tokens first. */
  deadLetters(limit: number): readonly DeadJob[] {
    return this.statements.dead.all(limit).map((row) => {
      const { kind, key, url, rank, fault, sinceMs: diedAtMs } = row;
      return { kind, key, url, rank, fault: fault ?? '', diedAtMs };
    });
  }

  /** Jobs left running by an earlier process count as failed, so that a crashing job ends dead. */
  private giveBackRunning(nowMs: number): void {
    this.statements.giveBack.run(nowMs);
  }

  /** After a failed transaction the counts in memory are wrong, and are read again. */
  private transact<Result>(work: () => Result): Result {
    return this.counted(() => inOffchainTransaction(this.database, work));
  }

  /** That a job is running or due concerns no other replica. */
  private transactLocally<Result>(work: () => Result): Result {
    return this.counted(() => inLocalTransaction(this.database, work));
  }

  private counted<Result>(transaction: () => Result): Result {
    if (this.isMiscounted) this.recount();
    try {
      return transaction();
    } catch (error) {
      this.isMiscounted = true;
      throw error;
    }
  }

  private recount(): void {
    const rows = this.statements.sizes.all();
    this.sizes.clear();
    for (const { kind, state, size } of rows) this.sizes.set(`${kind} ${state}`, size);
    this.isMiscounted = false;
  }

  private promote(nowMs: number): void {
    const rows = this.statements.due.all(nowMs, PROMOTED_MAX);
    for (const row of rows) {
      this.putBack(row, nowMs, row.state === 'running' ? row.attempts + 1 : row.attempts);
    }
    if (rows.length > 0) this.makeSpace();
  }

  private leased(job: TakenJob): JobRow | null {
    const row = this.statements.find.get(job.kind, job.key);
    return row?.state === 'running' && row.dueMs === job.leaseMs ? row : null;
  }

  /** Makes a job pending from now on. */
  private putBack(row: JobRow, nowMs: number, attempts: number): void {
    this.put({ ...row, state: 'pending', sinceMs: nowMs, dueMs: null, attempts }, row.state);
  }

  private put(row: JobRow, before: JobState): void {
    this.statements.update.run(row, row.kind, row.key);
    this.moved(row.kind, before, row.state);
  }

  private moved(kind: string, from: JobState | null, to: JobState | null): void {
    if (from !== null) this.count(kind, from, -1);
    if (to !== null) this.count(kind, to, 1);
  }

  private count(kind: string, state: JobState, step: number): void {
    const name = `${kind} ${state}`;
    this.sizes.set(name, (this.sizes.get(name) ?? 0) + step);
  }

  private sizeOf(states: readonly JobState[]): number {
    let size = 0;
    for (const [, state, count] of this.counts()) {
      if (states.some((one) => one === state)) size += count;
    }
    return size;
  }

  private makeSpace(): void {
    const surplus = this.sizeOf(['pending', 'waiting']) - this.limits.unfinishedMax;
    if (surplus > 0) this.droppedJobs += this.remove(this.statements.lowestUnfinished, surplus);
  }

  private forgetSettled(): void {
    const surplus = this.sizeOf(['done', 'dead']) - this.limits.settledMax;
    if (surplus > 0) this.remove(this.statements.lowestSettled, surplus);
  }

  private remove(lowest: RowReader<JobRow>, count: number): number {
    const rows = lowest.all(count);
    for (const { kind, key, state } of rows) {
      this.statements.remove.run(kind, key);
      this.moved(kind, state, null);
    }
    return rows.length;
  }
}
