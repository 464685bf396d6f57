import type { DatabaseSync } from 'node:sqlite';
import type {
  DeliveryAttempt,
  DeliveryPage,
  DeliveryState,
  WebhookDelivery,
} from '../../model/webhook.ts';
import { type Prepared, prepareAll } from '../sqlite/prepare-all.ts';
import { inTransaction } from '../sqlite/sqlite-transaction.ts';

export interface OutboxLimits {
  /** Maximum pending deliveries of a webhook; beyond it the oldest are dropped. */
  readonly pendingMax: number;
  /** Maximum number and age of finished deliveries in the log of a webhook. */
  readonly keptMax: number;
  readonly keptMs: number;
}

export const DEFAULT_OUTBOX_LIMITS: OutboxLimits = {
  pendingMax: 10_000,
  keptMax: 1_000,
  keptMs: 7 * 24 * 3_600_000,
};

/** Newest attempts kept for each delivery. */
const ATTEMPTS_KEPT = 30;

/** An event to deliver to a webhook. */
export interface OutgoingEvent {
  readonly id: string;
  readonly type: string;
  readonly body: string;
}

/** A delivery that is due. */
export interface DueDelivery {
  readonly key: number;
  readonly eventId: string;
  readonly body: string;
  /** Attempts since the event was created or redelivered by hand, and the time of that. */
  readonly attempts: number;
  readonly sinceMs: number;
}

/** The state of a delivery after an attempt. */
export type AttemptEnd =
  | { readonly state: 'delivered' | 'failed' }
  | { readonly state: 'pending'; readonly nextAttemptMs: number };

interface DeliveryRow {
  readonly delivery_key: number;
  readonly webhook_id: string;
  readonly event_id: string;
  readonly event_type: string;
  readonly created_at_ms: number;
  readonly state: DeliveryState;
  readonly next_attempt_ms: number | null;
  readonly attempts: number;
}

/** Statements by name; each is prepared once. */
const STATEMENTS = {
  insert:
    'INSERT INTO webhook_deliveries (webhook_id, event_id, event_type, body, created_at_ms, ' +
    "since_ms, state, next_attempt_ms) VALUES (?1, ?2, ?3, ?4, ?5, ?5, 'pending', ?5) " +
    'ON CONFLICT (webhook_id, event_id) DO NOTHING',
  pending: 'SELECT pending FROM webhooks WHERE webhook_id = ?',
  allPending: 'SELECT sum(pending) AS pending FROM webhooks',
  drop:
    "UPDATE webhook_deliveries SET state = 'dropped', next_attempt_ms = NULL WHERE " +
    'delivery_key IN (SELECT delivery_key FROM webhook_deliveries WHERE webhook_id = ? ' +
    "AND state = 'pending' ORDER BY delivery_key LIMIT ?)",
  dueOf:
    'SELECT delivery_key, event_id, body, attempts_since, since_ms FROM webhook_deliveries ' +
    "WHERE webhook_id = ? AND state = 'pending' AND next_attempt_ms <= ? " +
    'ORDER BY next_attempt_ms, delivery_key LIMIT ?',
  nextDue:
    'SELECT min(next_attempt_ms) AS due_ms FROM webhook_deliveries ' +
    "WHERE webhook_id = ? AND state = 'pending' AND next_attempt_ms > ?",
  attempt:
    'INSERT INTO webhook_attempts SELECT delivery_key, attempts + 1, ?, ?, ?, ? ' +
    'FROM webhook_deliveries WHERE delivery_key = ?',
  pruneAttempts:
    'DELETE FROM webhook_attempts WHERE delivery_key = ?1 AND attempt <= ' +
    '(SELECT max(attempt) FROM webhook_attempts WHERE delivery_key = ?1) - ?2',
  count:
    'UPDATE webhook_deliveries SET attempts = attempts + 1, attempts_since = attempts_since + 1 ' +
    'WHERE delivery_key = ?',
  // A delivery that succeeded is recorded even if it was cancelled or dropped meanwhile.
  finish:
    'UPDATE webhook_deliveries SET state = ?1, next_attempt_ms = NULL ' +
    "WHERE delivery_key = ?2 AND (state = 'pending' OR ?1 = 'delivered')",
  retry:
    "UPDATE webhook_deliveries SET next_attempt_ms = ? WHERE delivery_key = ? AND state = 'pending'",
  again:
    "UPDATE webhook_deliveries SET state = 'pending', next_attempt_ms = ?1, since_ms = ?1, " +
    'attempts_since = 0 WHERE webhook_id = ?2 AND event_id = ?3 RETURNING delivery_key',
  prune:
    "DELETE FROM webhook_deliveries WHERE webhook_id = ?1 AND state <> 'pending' AND " +
    '(created_at_ms < ?2 OR delivery_key <= coalesce((SELECT delivery_key FROM ' +
    "webhook_deliveries WHERE webhook_id = ?1 AND state <> 'pending' " +
    'ORDER BY delivery_key DESC LIMIT 1 OFFSET ?3), -1))',
  page:
    'SELECT * FROM webhook_deliveries WHERE webhook_id = ? ' +
    'ORDER BY delivery_key DESC LIMIT ? OFFSET ?',
  total: 'SELECT count(*) AS held FROM webhook_deliveries WHERE webhook_id = ?',
  one: 'SELECT * FROM webhook_deliveries WHERE webhook_id = ? AND event_id = ?',
  attempts:
    'SELECT at_ms, status, error, duration_ms FROM webhook_attempts WHERE delivery_key = ? ' +
    'ORDER BY attempt DESC',
} as const;

/**
 * The queue of webhook deliveries. An event is added in the same transaction as the change that it
 * reports, and kept until it is delivered or abandoned. A webhook receives each event id once,
 * however often it is added.
 */
export class WebhookOutbox {
  readonly limits: OutboxLimits;
  private readonly database: DatabaseSync;
  private readonly nowMs: () => number;
  private readonly statements: Prepared<typeof STATEMENTS>;

  constructor(
    database: DatabaseSync,
    nowMs: () => number = Date.now,
    limits: OutboxLimits = DEFAULT_OUTBOX_LIMITS,
  ) {
    this.database = database;
    this.nowMs = nowMs;
    this.limits = limits;
    this.statements = prepareAll(database, STATEMENTS);
  }

  /** Queues the event for delivery as soon as possible. */
  put(webhookId: string, { id, type, body }: OutgoingEvent): void {
    inTransaction(this.database, () => {
      this.statements.insert.run(webhookId, id, type, body, this.nowMs());
      const surplus = this.pendingOf(webhookId) - this.limits.pendingMax;
      if (surplus > 0) this.statements.drop.run(webhookId, surplus);
    });
  }

  /** Deliveries that may be attempted now, the longest overdue first. */
  due(webhookId: string, limit: number): readonly DueDelivery[] {
    return this.statements.dueOf.all(webhookId, this.nowMs(), limit).map((row) => ({
      key: Number(row.delivery_key),
      eventId: String(row.event_id),
      body: String(row.body),
      attempts: Number(row.attempts_since),
      sinceMs: Number(row.since_ms),
    }));
  }

  /** When the next delivery that is not due yet will be due; null when there is none. */
  nextDueMs(webhookId: string): number | null {
    const row = this.statements.nextDue.get(webhookId, this.nowMs());
    return row === undefined || row.due_ms === null ? null : Number(row.due_ms);
  }

  /** Records an attempt. Does nothing when the delivery was removed meanwhile. */
  attempted(key: number, made: DeliveryAttempt, end: AttemptEnd): void {
    const { atMs, status, error, durationMs } = made;
    const { changes } = this.statements.attempt.run(
      atMs,
      status,
      error,
      Math.round(durationMs),
      key,
    );
    if (Number(changes) === 0) return;
    this.statements.count.run(key);
    this.statements.pruneAttempts.run(key, ATTEMPTS_KEPT);
    if (end.state === 'pending') this.statements.retry.run(end.nextAttemptMs, key);
    else this.statements.finish.run(end.state, key);
  }

  /** For a delivery that was not attempted, or whose outcome is unknown. */
  postpone(key: number, nextAttemptMs: number): void {
    this.statements.retry.run(nextAttemptMs, key);
  }

  /** Queues a stored delivery again as if it were new; null when it is not stored. */
  redeliver(webhookId: string, deliveryId: string): WebhookDelivery | null {
    const row = this.statements.again.get(this.nowMs(), webhookId, deliveryId);
    return row === undefined ? null : this.find(webhookId, deliveryId);
  }

  find(webhookId: string, deliveryId: string): WebhookDelivery | null {
    const row = this.statements.one.get(webhookId, deliveryId);
    return row === undefined ? null : this.toDelivery(row as unknown as DeliveryRow);
  }

  list(webhookId: string, limit: number, offset: number): DeliveryPage {
    const rows = this.statements.page.all(webhookId, limit, offset) as unknown as DeliveryRow[];
    return {
      deliveries: rows.map((row) => this.toDelivery(row)),
      total: Number(this.statements.total.get(webhookId)?.held),
    };
  }

  /** Removes finished deliveries that exceed the maximum age or number. */
  forgetOld(webhookId: string): void {
    const { keptMax, keptMs } = this.limits;
    this.statements.prune.run(webhookId, this.nowMs() - keptMs, keptMax);
  }

  pendingOf(webhookId: string): number {
    return Number(this.statements.pending.get(webhookId)?.pending ?? 0);
  }

  /** Pending deliveries of all webhooks. */
  get pendingTotal(): number {
    return Number(this.statements.allPending.get()?.pending ?? 0);
  }

  private toDelivery(row: DeliveryRow): WebhookDelivery {
    const attempts = this.statements.attempts.all(row.delivery_key).map((attempt) => ({
      atMs: Number(attempt.at_ms),
      status: attempt.status === null ? null : Number(attempt.status),
      error: attempt.error === null ? null : String(attempt.error),
      durationMs: Number(attempt.duration_ms),
    }));
    return {
      id: row.event_id,
      webhookId: row.webhook_id,
      eventType: row.event_type,
      createdAtMs: row.created_at_ms,
      state: row.state,
      nextAttemptMs: row.next_attempt_ms,
      attempts,
      attemptCount: row.attempts,
    };
  }
}
