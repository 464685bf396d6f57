import { type AttemptResult, disabledBy, verdictOf } from '../alerts/webhooks/attempt-verdict.ts';
import { nextAttemptMs } from '../alerts/webhooks/retry-schedule.ts';
import { webhookHeaders } from '../alerts/webhooks/signature.ts';
import type { WebhookSender } from '../alerts/webhooks/webhook-sender.ts';
import { isTransientError } from '../lib/transient-error.ts';
import type { DeliveryAttempt } from '../model/webhook.ts';
import type { AttemptEnd, DueDelivery, WebhookOutbox } from '../store/control/webhook-outbox.ts';
import type { WebhookTable } from '../store/control/webhooks.ts';
import type { Store } from '../store/store.ts';
import { AttemptCapacity } from './attempt-capacity.ts';
import type { WebhookSubscribers } from './webhook-subscribers.ts';

/** Of one webhook, those whose result is not kept yet included. */
const HELD_PER_WEBHOOK_MAX = 64;
/** Results are kept together this often: each transaction waits for the disk. */
const FLUSH_MS = 25;
/** What a stopped sender left, or the store refused, is tried again after this. */
const POSTPONED_MS = 5_000;
/** After so many results of a webhook its log is cut. */
const RESULTS_PER_CUT = 100;

/** The time of day, and work for later that keeps no process alive. */
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
 * Makes attempts when they are due, a bounded number at a time. Events of one webhook may arrive in
 * any order, and one may arrive more than once, always under its own id.
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
  /** When something of a webhook may be due, or earlier; whoever was served last stands last. */
  private readonly dueMs = new Map<string, number>();
  private readonly room = new AttemptCapacity();
  /** Keys of deliveries that run, and of those whose result is not kept yet. */
  private readonly held = new Map<string, Set<number>>();
  private ended: Ended[] = [];
  private readonly results = new Map<string, number>();
  private cancelTimer: (() => void) | null = null;
  private isFlushing = false;

  constructor(store: DispatchStore, subscribers: WebhookSubscribers, parts: DispatchParts) {
    this.store = store;
    this.subscribers = subscribers;
    this.parts = parts;
    for (const id of subscribers.ids()) {
      store.outbox.forgetOld(id);
      this.dueMs.set(id, 0);
    }
    this.schedule();
  }

  /** Something was put in for these webhooks, or may be. */
  wake(webhookIds: Iterable<string>): void {
    for (const id of webhookIds) this.dueMs.set(id, 0);
    this.schedule();
  }

  /** Begins what is due. While the database cannot be read, nothing is begun. */
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
      if (this.room.isFull) break;
      if (dueMs > nowMs) continue;
      const accountId = this.subscribers.accountOf(id);
      if (accountId === null) this.dueMs.delete(id);
      else this.begin(id, accountId);
    }
    this.schedule();
  }

  private begin(webhookId: string, accountId: string): void {
    const held = this.held.get(webhookId) ?? new Set();
    const room = Math.min(
      this.room.capacityFor(webhookId, accountId),
      HELD_PER_WEBHOOK_MAX - held.size,
    );
    this.dueMs.delete(webhookId);
    // With no room it is due again when an attempt of its own or of its account has ended.
    if (room <= 0) return;
    const due = this.store.outbox
      .due(webhookId, room + held.size)
      .filter(({ key }) => !held.has(key));
    for (const delivery of due.slice(0, room)) this.start(webhookId, accountId, delivery);
    const nextMs = due.length < room ? this.store.outbox.nextDueMs(webhookId) : 0;
    if (nextMs !== null) this.dueMs.set(webhookId, nextMs);
  }

  private start(webhookId: string, accountId: string, delivery: DueDelivery): void {
    const target = this.store.webhooks.target(webhookId);
    if (target === null) return;
    const startedMs = this.parts.clock.nowMs();
    const { eventId: id, body, key } = delivery;
    const message = { id, timestamp: Math.floor(startedMs / 1_000), body };
    const headers = webhookHeaders(message, target.secrets);
    const held = this.held.get(webhookId) ?? new Set();
    this.held.set(webhookId, held.add(key));
    this.room.enter(webhookId, accountId);
    void this.parts.sender.send({ url: target.url, headers, body }).then((result) => {
      const freed = this.room.leave(webhookId, accountId);
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

  /** Returns whether it disabled its webhook. */
  private keepOne({ webhookId, delivery, startedMs, result }: Ended): boolean {
    const { webhooks, outbox } = this.store;
    const nowMs = this.parts.clock.nowMs();
    if (result.kind === 'interrupted') {
      this.counts.interrupted++;
      outbox.postpone(delivery.key, nowMs + POSTPONED_MS);
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
    const held = this.held.get(webhookId);
    held?.delete(delivery.key);
    if (held?.size === 0) this.held.delete(webhookId);
  }

  /** Looks again when the next one is due; with all places taken when one of them is free. */
  private schedule(): void {
    this.cancelTimer?.();
    this.cancelTimer = null;
    if (this.dueMs.size === 0 || this.room.isFull) return;
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
