import type { Awaitable } from '../../lib/awaitable.ts';
import { runForAccount } from '../../lib/current-account.ts';
import { FairQueue } from '../../lib/fair-queue.ts';
import { ApiError } from '../../model/errors.ts';

export interface AccountLaneLimits {
  /** Requests that are worked on at a time, of all accounts. */
  readonly runningMax: number;
  /** Requests of one account that are worked on, or whose answer is not sent yet. */
  readonly openPerAccountMax: number;
  /** Requests of one account that wait beyond those; one more is refused. */
  readonly waitingPerAccountMax: number;
  /** What waits longer is refused. */
  readonly waitMs: number;
  /**
   * What is worked on keeps its thread busy: the next request begins in the loop's next turn, so that
   * others are heard in between.
   */
  readonly isBlocking?: boolean;
}

/** The answer that a request is for, as far as a lane needs to know it. */
export interface PendingAnswer {
  /** It was sent, or the client has left. */
  readonly isEnded: boolean;
  /** Calls `listener` when it ends; not if it has already. */
  onEnd(listener: () => void): void;
  /** Its account has the request open until it ends; else only while it is worked on. */
  readonly isHeld: boolean;
}

/** Why requests were refused, as counts since the start. */
export interface LaneRefusals {
  readonly full: number;
  readonly late: number;
  /** Their clients had left before their turn came. */
  readonly gone: number;
}

interface Waiting {
  readonly begin: () => void;
}

/**
 * Lets requests of one kind through: a bounded number of each account, and accounts in turns. So a
 * request waits for others of its own account, and for at most one of each other account that waits.
 * Requests without a key are those of one account, null.
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
   * The result of `work`, at once where there is room and work does not wait. With an `answer` the
   * request is dropped if that ends while it waits, and with one that is held it counts as its
   * account's until that is sent. Throws, or rejects with, ApiError 503 when too
   * much of the account waits, or it waited too long.
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
        // What it throws becomes a rejection too.
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
    // Somebody else's requests may be all that waits, for want of room of their own.
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

const OWN_REQUESTS_WAIT = 'Too many requests of this account wait for an answer: try again.';
