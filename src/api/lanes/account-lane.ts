import type { Awaitable } from '../../lib/awaitable.ts';
import { runForAccount } from '../../lib/current-account.ts';
import { FairQueue } from '../../lib/fair-queue.ts';
import { ApiError } from '../../model/errors.ts';

export interface AccountLaneLimits {
  /** Requests processed concurrently, across all accounts. */
  readonly runningMax: number;
  /** Requests of one account that are being processed or whose response is not sent yet. */
  readonly openPerAccountMax: number;
  /** Requests of one account that may wait in addition; further ones are refused. */
  readonly waitingPerAccountMax: number;
  /** Requests that wait longer are refused. */
  readonly waitMs: number;
  /**
   * Set for work that blocks its thread: the next request starts in the next turn of the event
   * loop, so that other tasks can run in between.
   */
  readonly isBlocking?: boolean;
}

/** The part of a response that a lane needs to know. */
export interface PendingAnswer {
  /** The response was sent, or the client disconnected. */
  readonly isEnded: boolean;
  /** Calls `listener` when the response ends; not if it has ended already. */
  onEnd(listener: () => void): void;
  /**
   * If true, the request counts as open until the response ends; otherwise only while it is
   * processed.
   */
  readonly isHeld: boolean;
}

/** Number of refused requests since the start, by reason. */
export interface LaneRefusals {
  readonly full: number;
  readonly late: number;
  /** The client disconnected before the request started. */
  readonly gone: number;
}

interface Waiting {
  readonly begin: () => void;
}

/**
 * Concurrency limiter for one kind of request: bounded per account and fair between accounts. A
 * request waits for other requests of its own account, and for at most one request of each other
 * waiting account. Requests without a key count as one account, null.
 */
export class AccountLane {
  private readonly limits: AccountLaneLimits;
  private readonly queue = new FairQueue<Waiting>();
  private readonly open = new Map<string | null, number>();
  private readonly counts = { full: 0, late: 0, gone: 0 };
  private runningCount = 0;

  constructor(limits: AccountLaneLimits) {
    this.limits = limits;
  }

  get running(): number {
    return this.runningCount;
  }

  get waiting(): number {
    return this.queue.size;
  }

  get refusals(): LaneRefusals {
    return this.counts;
  }

  /**
   * Runs `work` and returns its result, synchronously if there is capacity and `work` is
   * synchronous. If `answer` ends while the request waits, the request is dropped; if
   * `answer.isHeld`, the request counts as open until the answer is sent. Throws, or rejects with,
   * ApiError 503 when too many requests of the account are waiting, or this one waited too long.
   */
  run<Result>(
    accountId: string | null,
    work: () => Awaitable<Result>,
    answer?: PendingAnswer,
  ): Awaitable<Result> {
    if (this.queue.size === 0 && this.hasCapacity(accountId)) {
      return this.begin(accountId, work, answer);
    }
    if (this.queue.countOf(accountId) >= this.limits.waitingPerAccountMax) {
      this.counts.full++;
      throw new ApiError(503, OWN_REQUESTS_WAIT);
    }
    return this.wait(accountId, work, answer);
  }

  private hasCapacity(accountId: string | null): boolean {
    return (
      this.runningCount < this.limits.runningMax &&
      (this.open.get(accountId) ?? 0) < this.limits.openPerAccountMax
    );
  }

  private wait<Result>(
    accountId: string | null,
    work: () => Awaitable<Result>,
    answer: PendingAnswer | undefined,
  ): Promise<Result> {
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    const waiting: Waiting = {
      begin: () => {
        clearTimeout(timer);
        // An exception thrown by `begin` also becomes a rejection.
        resolve(new Promise<Result>((settle) => settle(this.begin(accountId, work, answer))));
      },
    };
    const giveUp = (reason: 'late' | 'gone') => {
      if (!this.queue.remove(accountId, waiting)) return;
      clearTimeout(timer);
      this.counts[reason]++;
      reject(new ApiError(503, OWN_REQUESTS_WAIT));
    };
    const timer = setTimeout(giveUp, this.limits.waitMs, 'late');
    this.queue.push(accountId, waiting);
    answer?.onEnd(() => giveUp('gone'));
    // Waiting requests of other accounts may be blocked by their own limits while this one can
    // start.
    this.beginWaiting();
    return promise;
  }

  private begin<Result>(
    accountId: string | null,
    work: () => Awaitable<Result>,
    answer: PendingAnswer | undefined,
  ): Awaitable<Result> {
    this.runningCount++;
    this.open.set(accountId, (this.open.get(accountId) ?? 0) + 1);
    const done = () => this.finish(accountId, answer);
    let result: Awaitable<Result>;
    try {
      result = runForAccount(accountId, work);
    } catch (error) {
      done();
      throw error;
    }
    if (result instanceof Promise) return result.finally(done);
    done();
    return result;
  }

  private finish(accountId: string | null, answer: PendingAnswer | undefined): void {
    if (answer?.isHeld !== true || answer.isEnded) this.leave(accountId);
    else answer.onEnd(() => this.leave(accountId));
    if (this.limits.isBlocking === true) setImmediate(() => this.endRunning());
    else this.endRunning();
  }

  private endRunning(): void {
    this.runningCount--;
    this.beginWaiting();
  }

  private leave(accountId: string | null): void {
    const left = (this.open.get(accountId) ?? 1) - 1;
    if (left === 0) this.open.delete(accountId);
    else this.open.set(accountId, left);
    this.beginWaiting();
  }

  private beginWaiting(): void {
    while (this.queue.size > 0 && this.runningCount < this.limits.runningMax) {
      const next = this.queue.take((accountId) => this.hasCapacity(accountId));
      if (next === null) return;
      next.item.begin();
    }
  }
}

const OWN_REQUESTS_WAIT = 'Too many requests of this account are waiting: try again.';
