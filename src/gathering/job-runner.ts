import type { DatabaseSync } from 'node:sqlite';
import type { Clock } from '../lib/clock.ts';
import { isTransientError } from '../lib/transient-error.ts';
import { faultOf, type JobFault } from '../offchain/jobs/fetch-fault.ts';
import {
  ATTEMPTS_MAX,
  JOB_KINDS,
  type JobKind,
  rereadDelayMs,
  retryDelayMs,
} from '../offchain/jobs/job-rules.ts';
import type { JobEnd, JobQueue, TakenJob } from '../store/offchain/job-queue.ts';
import { inOffchainTransaction } from '../store/offchain/offchain-plane.ts';
import { RequestPace } from './request-pace.ts';

/** Result of an attempt. `keep` stores it, in the transaction that ends the job. */
export interface Found {
  readonly kind: 'found';
  keep(nowMs: number): {
    /** The result has changed and may soon change again. */
    readonly isChanged: boolean;
    /** The result can never change. */
    readonly isLasting: boolean;
  };
}

export interface JobWork {
  run(kind: JobKind, job: TakenJob): Promise<Found | JobFault>;
  /** The host that a URL is fetched from; null if none is contacted. */
  hostOf(url: string): string | null;
}

export interface JobRunnerParts {
  readonly database: DatabaseSync;
  readonly queue: JobQueue;
  readonly work: JobWork;
  readonly clock: Clock;
  /** Wall-clock time. */
  readonly nowMs: () => number;
  /** From 0 to 1. */
  readonly random: () => number;
  readonly requestsPerSecond: number;
  readonly onDead: (kind: JobKind, job: TakenJob, fault: string) => void;
  /** Errors of the code or the database rather than of the fetched resource. */
  readonly onFailure: (error: unknown) => void;
}

/** Concurrent attempts by kind, so that slow links do not delay metadata. */
const SLOTS: Readonly<Record<JobKind, number>> = { metadata: 16, picture: 8, link: 8 };
/** Divisor for the share of one host, which bounds the effect of a tar pit. */
const HOST_SHARE = 4;
/**
 * After this time without any reachable host, failures are attributed to the network, not to the
 * job.
 */
const OFFLINE_AFTER_MS = 600_000;
/** The retry delay is then that of this many failures: one or two minutes. */
const OFFLINE_ATTEMPTS = 3;
/** A refused outcome is kept for a fraction of the lease of its job. */
const END_TRIES_MAX = 40;
const END_RETRY_MS = 250;
const OFFLINE_FAULTS: ReadonlySet<string> = new Set([
  'name-not-resolved',
  'connection-failed',
  'timed-out',
]);

/** Runs jobs of the queue with bounded concurrency, in the order of the queue. */
export class JobRunner {
  private readonly parts: JobRunnerParts;
  private readonly pace: RequestPace;
  private readonly running = new Set<TakenJob>();
  private readonly active: Record<JobKind, number> = { metadata: 0, picture: 0, link: 0 };
  private readonly hosts = new Map<string, number>();
  private readonly tries = new Map<string, number>();
  private answeredAtMs: number;
  private isClosed = false;

  constructor(parts: JobRunnerParts) {
    this.parts = parts;
    this.pace = new RequestPace(parts.requestsPerSecond, parts.clock);
    this.answeredAtMs = parts.clock.nowMs() - OFFLINE_AFTER_MS;
  }

  /** Starts all jobs that may start now. */
  pump(): void {
    for (const kind of JOB_KINDS) {
      while (!this.isClosed && this.active[kind] < SLOTS[kind] && this.begin(kind));
    }
  }

  get size(): number {
    return this.running.size;
  }

  /** Number of attempts by kind and outcome since the start. */
  *outcomes(): Iterable<readonly [kind: string, outcome: string, count: number]> {
    for (const [name, count] of this.tries) {
      const [kind = '', outcome = ''] = name.split(' ');
      yield [kind, outcome, count];
    }
  }

  /** Starts no further jobs. Running jobs are released and their results discarded. */
  close(): void {
    this.isClosed = true;
    for (const job of this.running) this.parts.queue.release(job, this.parts.nowMs());
    this.running.clear();
  }

  private begin(kind: JobKind): boolean {
    if (!this.pace.isFree()) return false;
    const { queue, nowMs } = this.parts;
    const job = queue.take(kind, nowMs(), (url) => this.isFree(kind, url));
    if (job === null) return false;
    if (job.attempts >= ATTEMPTS_MAX) {
      this.die(kind, job, 'lost');
      return true;
    }
    this.pace.take();
    this.running.add(job);
    this.occupy(kind, job, 1);
    this.attempt(kind, job).catch((error: unknown) => {
      if (!isTransientError(error)) this.parts.onFailure(error);
    });
    return true;
  }

  private async attempt(kind: JobKind, job: TakenJob): Promise<void> {
    try {
      const outcome = await this.parts.work.run(kind, job);
      await this.endPatiently(kind, job, outcome);
    } catch (error) {
      // Results that are refused for longer are fetched again after the lease of the job ends.
      if (isTransientError(error)) return;
      this.parts.onFailure(error);
      await this.endPatiently(kind, job, faultOf('failed', true));
    } finally {
      this.running.delete(job);
      this.occupy(kind, job, -1);
    }
    this.pump();
  }

  /** Stores an outcome, again if it is refused in passing: it must not be fetched twice for that. */
  private async endPatiently(kind: JobKind, job: TakenJob, outcome: Found | JobFault) {
    for (let tries = 1; !this.isClosed; tries++) {
      try {
        this.end(kind, job, outcome);
        return;
      } catch (error) {
        if (!isTransientError(error) || tries >= END_TRIES_MAX) throw error;
      }
      await this.parts.clock.sleep(END_RETRY_MS);
    }
  }

  private end(kind: JobKind, job: TakenJob, outcome: Found | JobFault): void {
    const { database, queue, clock } = this.parts;
    const nowMs = this.parts.nowMs();
    const fault = outcome.kind === 'fault' ? outcome.fault : null;
    const isOffline = fault !== null && OFFLINE_FAULTS.has(fault);
    if (!isOffline) this.answeredAtMs = clock.nowMs();
    const end = inOffchainTransaction(database, () => {
      if (!queue.holds(job)) return null;
      const chosen =
        outcome.kind === 'fault'
          ? this.endOfFault(job, outcome, nowMs)
          : endOfFound(kind, job, outcome.keep(nowMs), nowMs);
      queue.finish(job, chosen, nowMs);
      return chosen;
    });
    this.count(kind, fault ?? 'ok');
    if (end?.kind === 'dead') this.parts.onDead(kind, job, end.fault);
  }

  private endOfFault(
    job: TakenJob,
    { fault, isWorthRetry, retryAfterMs }: JobFault,
    nowMs: number,
  ) {
    const isOffline =
      OFFLINE_FAULTS.has(fault) && this.parts.clock.nowMs() - this.answeredAtMs >= OFFLINE_AFTER_MS;
    const attempts = isOffline ? job.attempts : job.attempts + 1;
    if (!isWorthRetry || attempts >= ATTEMPTS_MAX) {
      return { kind: 'dead', fault, attempts } satisfies JobEnd;
    }
    const againMs =
      nowMs +
      retryDelayMs(isOffline ? OFFLINE_ATTEMPTS : attempts, this.parts.random(), retryAfterMs);
    return { kind: 'waiting', againMs, fault, attempts } satisfies JobEnd;
  }

  private die(kind: JobKind, job: TakenJob, fault: string): void {
    const end = { kind: 'dead', fault, attempts: job.attempts } as const;
    this.parts.queue.finish(job, end, this.parts.nowMs());
    this.count(kind, fault);
    this.parts.onDead(kind, job, fault);
  }

  private isFree(kind: JobKind, url: string): boolean {
    const host = this.parts.work.hostOf(url);
    return host === null || (this.hosts.get(`${kind} ${host}`) ?? 0) < SLOTS[kind] / HOST_SHARE;
  }

  private occupy(kind: JobKind, { url }: TakenJob, step: number): void {
    this.active[kind] += step;
    const host = this.parts.work.hostOf(url);
    if (host === null) return;
    const name = `${kind} ${host}`;
    const count = (this.hosts.get(name) ?? 0) + step;
    if (count > 0) this.hosts.set(name, count);
    else this.hosts.delete(name);
  }

  private count(kind: JobKind, outcome: string): void {
    // Groups statuses by hundreds: third-party servers choose them.
    const name = `${kind} ${outcome.replace(/^status-(\d)\d\d$/, 'status-$1xx')}`;
    this.tries.set(name, (this.tries.get(name) ?? 0) + 1);
  }
}

function endOfFound(
  kind: JobKind,
  job: TakenJob,
  { isChanged, isLasting }: ReturnType<Found['keep']>,
  nowMs: number,
): JobEnd {
  const reads = isChanged ? 1 : job.reads + 1;
  const delayMs = rereadDelayMs(kind, reads, isLasting);
  return { kind: 'done', againMs: delayMs === null ? null : nowMs + delayMs, reads };
}
