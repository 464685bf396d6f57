import {
  type AttemptResult,
  disabledBy,
  verdictOf,
} from '../../alerts/webhooks/attempt-verdict.ts';
import { nextAttemptMs } from '../../alerts/webhooks/retry-schedule.ts';
import { webhookHeaders } from '../../alerts/webhooks/signature.ts';
import type { WebhookSender } from '../../alerts/webhooks/webhook-sender.ts';
import { isTransientError } from '../../lib/transient-error.ts';
import type { DeliveryAttempt } from '../../model/webhook.ts';
import type { AttemptEnd, DueDelivery, WebhookOutbox } from '../../store/control/webhook-outbox.ts';
import type { WebhookTable } from '../../store/control/webhooks.ts';
import type { Store } from '../../store/store.ts';
import { AttemptCapacity } from './attempt-capacity.ts';
import type { WebhookSubscribers } from './webhook-subscribers.ts';

/** Deliveries of one webhook in flight, including those whose result is not stored yet. */
const IN_FLIGHT_PER_WEBHOOK_MAX = 64;
/** Interval at which results are stored together: each transaction waits for the disk. */
const FLUSH_MS = 25;
/** Retry delay after the sender stopped or the store refused. */
const POSTPONED_MS = 5_000;
/** The delivery log of a webhook is trimmed after this many results. */
const RESULTS_PER_CUT = 100;

/** Wall clock and timers that do not keep the process alive. */
export interface DispatchClock {
  nowMs(): number;
  after(ms: number, work: () => void): () => void;
}

export const wallClock: DispatchClock = {
  nowMs: Date.now,
  after(ms, work) {
    const timer = setTimeout(work, ms).unref();
    return () => clearTimeout(timer);
  },
};

export interface DispatchStore {
  readonly webhooks: Pick<WebhookTable, 'target' | 'noteArrival' | 'noteFailure' | 'disable'>;
  readonly outbox: WebhookOutbox;
  readonly together: Store['together'];
}

export interface DispatchParts {
  readonly sender: WebhookSender;
  readonly clock: DispatchClock;
  /** From 0 to 1. */
  readonly random: () => number;
}

interface Ended {
  readonly webhookId: string;
  readonly delivery: DueDelivery;
  readonly startedMs: number;
  readonly result: AttemptResult;
}

type Outcome = 'delivered' | 'retried' | 'failed' | 'gone' | 'interrupted';

/**
 * Starts delivery attempts when they are due, with bounded concurrency. Events of one webhook may
 * arrive in any order and more than once, always with the same ID.
 */
export class WebhookDispatch {
  readonly counts: Record<Outcome, number> = {
    delivered: 0,
    retried: 0,
    failed: 0,
    gone: 0,
    interrupted: 0,
  };
  private readonly store: DispatchStore;
  private readonly subscribers: WebhookSubscribers;
  private readonly parts: DispatchParts;
  /** Earliest time at which a delivery of a webhook may be due, in the order of service. */
  private readonly dueMs = new Map<string, number>();
  private readonly capacity = new AttemptCapacity();
  /** Keys of deliveries that are running or whose result is not stored yet. */
  private readonly inFlight = new Map<string, Set<number>>();
  private ended: Ended[] = [];
  private readonly results = new Map<string, number>();
  private cancelTimer: (() => void) | null = null;
  private isFlushing = false;
  /** When postponed deliveries were last made due. */
  private hastenedMs = Number.NEGATIVE_INFINITY;

  constructor(store: DispatchStore, subscribers: WebhookSubscribers, parts: DispatchParts) {
    this.store = store;
    this.subscribers = subscribers;
    this.parts = parts;
    for (const id of subscribers.ids()) {
      store.outbox.forgetOld(id);
      this.dueMs.set(id, 0);
    }
    parts.sender.onAble?.(() => this.hasten());
    this.schedule();
  }

  /** Called when events were queued for these webhooks, or may have been. */
  wake(webhookIds: Iterable<string>): void {
    for (const id of webhookIds) this.dueMs.set(id, 0);
    this.schedule();
  }

  /** Without the database, what was postponed is due when it was to be. */
  private hasten(): void {
    const ids = [...this.subscribers.ids()];
    this.hastenedMs = this.parts.clock.nowMs();
    try {
      this.store.together(() => {
        for (const id of ids) this.store.outbox.hasten(id);
      });
    } catch (error) {
      if (!isTransientError(error)) throw error;
    }
    this.wake(ids);
  }

  /** Starts due deliveries; none while the database cannot be read. */
  private pump(): void {
    if (!this.parts.sender.isTaking) return;
    try {
      this.beginDue();
    } catch (error) {
      if (!isTransientError(error)) throw error;
      this.cancelTimer?.();
      this.cancelTimer = this.parts.clock.after(POSTPONED_MS, () => {
        for (const id of this.subscribers.ids()) this.dueMs.set(id, 0);
        this.pump();
      });
    }
  }

  private beginDue(): void {
    const nowMs = this.parts.clock.nowMs();
    for (const [id, dueMs] of [...this.dueMs]) {
      if (this.capacity.isFull) break;
      if (dueMs > nowMs) continue;
      const accountId = this.subscribers.accountOf(id);
      if (accountId === null) this.dueMs.delete(id);
      else this.begin(id, accountId);
    }
    this.schedule();
  }

  private begin(webhookId: string, accountId: string): void {
    const inFlight = this.inFlight.get(webhookId) ?? new Set();
    const free = Math.min(
      this.capacity.capacityFor(webhookId, accountId),
      IN_FLIGHT_PER_WEBHOOK_MAX - inFlight.size,
    );
    this.dueMs.delete(webhookId);
    // Without capacity it becomes due again when an attempt of the webhook or its account ends.
    if (free <= 0) return;
    const due = this.store.outbox
      .due(webhookId, free + inFlight.size)
      .filter(({ key }) => !inFlight.has(key));
    for (const delivery of due.slice(0, free)) this.start(webhookId, accountId, delivery);
    const nextMs = due.length < free ? this.store.outbox.nextDueMs(webhookId) : 0;
    if (nextMs !== null) this.dueMs.set(webhookId, nextMs);
  }

  private start(webhookId: string, accountId: string, delivery: DueDelivery): void {
    const target = this.store.webhooks.target(webhookId);
    if (target === null) return;
    const startedMs = this.parts.clock.nowMs();
    const { eventId: id, body, key } = delivery;
    const message = { id, timestamp: Math.floor(startedMs / 1_000), body };
    const headers = webhookHeaders(message, target.secrets);
    const inFlight = this.inFlight.get(webhookId) ?? new Set();
    this.inFlight.set(webhookId, inFlight.add(key));
    this.capacity.enter(webhookId, accountId);
    void this.parts.sender.send({ url: target.url, headers, body }).then((result) => {
      const freed = this.capacity.leave(webhookId, accountId);
      this.ended.push({ webhookId, delivery, startedMs, result });
      this.flushSoon(FLUSH_MS);
      this.wake(freed);
    });
  }

  private flushSoon(ms: number): void {
    if (this.isFlushing) return;
    this.isFlushing = true;
    this.parts.clock.after(ms, () => {
      this.isFlushing = false;
      this.flush();
    });
  }

  private flush(): void {
    const { ended } = this;
    if (!this.parts.sender.isOpen || ended.length === 0) return;
    try {
      this.store.together(() => this.keep(ended));
    } catch (error) {
      if (!isTransientError(error)) throw error;
      this.flushSoon(POSTPONED_MS);
      return;
    }
    this.ended = this.ended.slice(ended.length);
    for (const one of ended) this.leave(one);
    this.wake(new Set(ended.map(({ webhookId }) => webhookId)));
  }

  private keep(ended: readonly Ended[]): void {
    let isAnyDisabled = false;
    for (const one of ended) {
      isAnyDisabled = this.keepOne(one) || isAnyDisabled;
      const results = (this.results.get(one.webhookId) ?? 0) + 1;
      if (results >= RESULTS_PER_CUT) this.store.outbox.forgetOld(one.webhookId);
      this.results.set(one.webhookId, results % RESULTS_PER_CUT);
    }
    if (isAnyDisabled) this.subscribers.reload();
  }

  /** Returns whether the webhook was disabled. */
  private keepOne({ webhookId, delivery, startedMs, result }: Ended): boolean {
    const { webhooks, outbox } = this.store;
    const nowMs = this.parts.clock.nowMs();
    if (result.kind === 'interrupted') {
      this.counts.interrupted++;
      // One that was interrupted just before need not wait either.
      const waitMs = startedMs <= this.hastenedMs ? 0 : POSTPONED_MS;
      outbox.postpone(delivery.key, nowMs + waitMs);
      return false;
    }
    const verdict = verdictOf(result);
    const made = attemptOf(result, startedMs);
    if (verdict === 'delivered') {
      this.counts.delivered++;
      outbox.attempted(delivery.key, made, { state: 'delivered' });
      webhooks.noteArrival(webhookId);
      return false;
    }
    const failing = webhooks.noteFailure(webhookId);
    const end = verdict === 'gone' ? FAILED : this.endOf(delivery, result, nowMs);
    outbox.attempted(delivery.key, made, end);
    if (verdict === 'gone') this.counts.gone++;
    else this.counts[end.state === 'pending' ? 'retried' : 'failed']++;
    const reason = disabledBy(verdict, failing, nowMs);
    if (reason !== null) webhooks.disable(webhookId, reason);
    return reason !== null;
  }

  private endOf(
    { attempts, sinceMs }: DueDelivery,
    result: Exclude<AttemptResult, { readonly kind: 'interrupted' }>,
    nowMs: number,
  ): AttemptEnd {
    const retryAfter = result.kind === 'answered' ? result.retryAfter : null;
    const failed = { attempts: attempts + 1, sinceMs, nowMs, retryAfter };
    const nextMs = nextAttemptMs(failed, this.parts.random());
    return nextMs === null ? FAILED : { state: 'pending', nextAttemptMs: nextMs };
  }

  private leave({ webhookId, delivery }: Ended): void {
    const inFlight = this.inFlight.get(webhookId);
    inFlight?.delete(delivery.key);
    if (inFlight?.size === 0) this.inFlight.delete(webhookId);
  }

  /** Runs again when the next delivery is due; at full capacity, when an attempt ends. */
  private schedule(): void {
    this.cancelTimer?.();
    this.cancelTimer = null;
    if (this.dueMs.size === 0 || this.capacity.isFull) return;
    const { clock, sender } = this.parts;
    if (!sender.isTaking) return;
    const nextMs = Math.min(...this.dueMs.values());
    const waitMs = Math.max(0, nextMs - clock.nowMs());
    this.cancelTimer = clock.after(waitMs, () => this.pump());
  }
}

const FAILED: AttemptEnd = { state: 'failed' };

function attemptOf(
  result: Exclude<AttemptResult, { readonly kind: 'interrupted' }>,
  atMs: number,
): DeliveryAttempt {
  const { durationMs } = result;
  return result.kind === 'answered'
    ? { atMs, status: result.status, error: null, durationMs }
    : { atMs, status: null, error: result.error, durationMs };
}
