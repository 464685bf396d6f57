import { TRY_AGAIN } from '../api/schemas/error-responses.ts';
import { currentAccount } from '../lib/current-account.ts';
import { ApiError } from '../model/errors.ts';
import { type Fault, toError } from './fault.ts';
import type { ApiRequest } from './messages.ts';

export interface RemoteCallLimits {
  /** Maximum number of unanswered calls; further calls are refused immediately. */
  readonly openMax: number;
  /**
   * Maximum number of unanswered calls per account. Calls that timed out stay open, so without this
   * bound one account with slow calls could occupy all of them.
   */
  readonly openPerAccountMax: number;
  /** Timeout of a caller. The call itself stays open until it is answered. */
  readonly waitMs: number;
  /** Timeout of a caller that waits for the state as of an earlier slot. */
  readonly pastWaitMs: number;
}

/** Number of failed calls since the start, by reason. */
export interface RemoteCallRefusals {
  readonly busy: number;
  readonly late: number;
}

interface OpenCall {
  readonly accountId: string | null;
  readonly resolve: (answer: unknown) => void;
  readonly reject: (error: Error) => void;
}

/**
 * Bounded calls to the thread of the engine and the store, on behalf of the account of the current
 * request.
 */
export class RemoteCalls {
  private readonly limits: RemoteCallLimits;
  private readonly post: (message: ApiRequest) => void;
  private readonly open = new Map<number, OpenCall>();
  private readonly openOf = new Map<string, number>();
  private readonly refused = { busy: 0, late: 0 };
  private lastId = 0;

  constructor(limits: RemoteCallLimits, post: (message: ApiRequest) => void) {
    this.limits = limits;
    this.post = post;
  }

  get openCount(): number {
    return this.open.size;
  }

  get refusals(): RemoteCallRefusals {
    return this.refused;
  }

  /**
   * Calls a read of the other thread, `group.method`. Settles with its answer, however late that is;
   * `inTime` bounds how long a request waits for it. Rejects with ApiError 503 when too many calls are
   * open, of all accounts or of this one, otherwise with the other side's error.
   */
  call(name: string, args: readonly unknown[]): Promise<unknown> {
    const accountId = currentAccount();
    if (!this.hasCapacity(accountId)) {
      this.refused.busy++;
      return Promise.reject(new ApiError(503, TRY_AGAIN));
    }
    const id = ++this.lastId;
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    this.open.set(id, { accountId, resolve, reject });
    this.count(accountId, 1);
    this.post({ kind: 'call', id, accountId, name, args });
    return promise;
  }

  /** Rejects with ApiError 503 if the answer takes too long. */
  inTime<Answer>(answer: Promise<Answer>): Promise<Answer> {
    return this.within(this.limits.waitMs, LATE, answer);
  }

  /** The same for the state as of an earlier slot, which is computed to the end in any case. */
  inPastTime<Answer>(answer: Promise<Answer>): Promise<Answer> {
    return this.within(this.limits.pastWaitMs, STILL_COMPUTED, answer);
  }

  private async within<Answer>(
    waitMs: number,
    message: string,
    answer: Promise<Answer>,
  ): Promise<Answer> {
    const late = Promise.withResolvers<never>();
    const timer = setTimeout(() => {
      this.refused.late++;
      late.reject(new ApiError(503, message));
    }, waitMs);
    try {
      return await Promise.race([answer, late.promise]);
    } finally {
      clearTimeout(timer);
    }
  }

  answered(id: number, answer: unknown): void {
    this.take(id)?.resolve(answer);
  }

  failed(id: number, fault: Fault): void {
    this.take(id)?.reject(toError(fault));
  }

  private take(id: number): OpenCall | undefined {
    const call = this.open.get(id);
    if (this.open.delete(id) && call !== undefined) this.count(call.accountId, -1);
    return call;
  }

  private hasCapacity(accountId: string | null): boolean {
    const { openMax, openPerAccountMax } = this.limits;
    const own = accountId === null ? 0 : (this.openOf.get(accountId) ?? 0);
    return this.open.size < openMax && own < openPerAccountMax;
  }

  private count(accountId: string | null, change: 1 | -1): void {
    if (accountId === null) return;
    const open = (this.openOf.get(accountId) ?? 0) + change;
    if (open === 0) this.openOf.delete(accountId);
    else this.openOf.set(accountId, open);
  }
}

export const STILL_COMPUTED = 'The state as of this slot is still being computed: try again.';
const LATE = 'The request took too long: try again.';
