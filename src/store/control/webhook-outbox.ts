import type { DatabaseSync } from 'node:sqlite';
import {
  DELIVERY_STATES,
  type DeliveryAttempt,
  type DeliveryPage,
  type WebhookDelivery,
} from '../../model/webhook.ts';
import { column, integer, nullable, oneOf, text } from '../sqlite/kind.ts';
import { type Prepared, prepareAll } from '../sqlite/prepare-all.ts';
import { inTransaction } from '../sqlite/sqlite-transaction.ts';
import { type RowOf, singleValue, tableRow } from '../sqlite/table-row.ts';

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

export const WEBHOOK_DELIVERIES = tableRow('webhook_deliveries', {
  key: column('delivery_key', integer),
  webhookId: text,
  id: column('event_id', text),
  eventType: text,
  body: text,
  createdAtMs: integer,
  sinceMs: integer,
  state: oneOf(DELIVERY_STATES),
  nextAttemptMs: nullable(integer),
  attemptCount: column('attempts', integer),
  attemptsSince: integer,
});

export const WEBHOOK_ATTEMPTS = tableRow('webhook_attempts', {
  deliveryKey: integer,
  attempt: integer,
  atMs: integer,
  status: nullable(integer),
  error: nullable(text),
  durationMs: integer,
});

const DELIVERY = WEBHOOK_DELIVERIES.without('body', 'sinceMs', 'attemptsSince');
const DUE = WEBHOOK_DELIVERIES.only('key', 'id', 'body', 'sinceMs', 'attemptsSince');

/** Statements by name; each is prepared once. */
const STATEMENTS = {
  add: WEBHOOK_DELIVERIES.without('key').insert('ON CONFLICT (webhook_id, event_id) DO NOTHING'),
  pending: singleValue(integer, 'SELECT pending FROM webhooks WHERE webhook_id = ?'),
  allPending: singleValue(nullable(integer), 'SELECT sum(pending) FROM webhooks'),
  drop:
    "UPDATE webhook_deliveries SET state = 'dropped', next_attempt_ms = NULL WHERE " +
    'delivery_key IN (SELECT delivery_key FROM webhook_deliveries WHERE webhook_id = ? ' +
    "AND state = 'pending' ORDER BY delivery_key LIMIT ?)",
  due: DUE.select(
    "WHERE webhook_id = ? AND state = 'pending' AND next_attempt_ms <= ? " +
      'ORDER BY next_attempt_ms, delivery_key LIMIT ?',
  ),
  nextDue: singleValue(
    nullable(integer),
    'SELECT min(next_attempt_ms) FROM webhook_deliveries ' +
      "WHERE webhook_id = ? AND state = 'pending' AND next_attempt_ms > ?",
  ),
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
  hasten:
    'UPDATE webhook_deliveries SET next_attempt_ms = ?1 ' +
    "WHERE webhook_id = ?2 AND state = 'pending' AND attempts_since = 0 AND next_attempt_ms > ?1",
  again:
    "UPDATE webhook_deliveries SET state = 'pending', next_attempt_ms = ?1, since_ms = ?1, " +
    'attempts_since = 0 WHERE webhook_id = ?2 AND event_id = ?3 RETURNING delivery_key',
  prune:
    "DELETE FROM webhook_deliveries WHERE webhook_id = ?1 AND state <> 'pending' AND " +
    '(created_at_ms < ?2 OR delivery_key <= coalesce((SELECT delivery_key FROM ' +
    "webhook_deliveries WHERE webhook_id = ?1 AND state <> 'pending' " +
    'ORDER BY delivery_key DESC LIMIT 1 OFFSET ?3), -1))',
  page: DELIVERY.select('WHERE webhook_id = ? ORDER BY delivery_key DESC LIMIT ? OFFSET ?'),
  total: singleValue(integer, 'SELECT count(*) FROM webhook_deliveries WHERE webhook_id = ?'),
  one: DELIVERY.select('WHERE webhook_id = ? AND event_id = ?'),
  attempts: WEBHOOK_ATTEMPTS.without('deliveryKey', 'attempt').select(
    'WHERE delivery_key = ? ORDER BY attempt DESC',
  ),
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
      const nowMs = this.nowMs();
      const pending = { state: 'pending', attemptCount: 0, attemptsSince: 0 } as const;
      const times = { createdAtMs: nowMs, sinceMs: nowMs, nextAttemptMs: nowMs };
      this.statements.add.run({ webhookId, id, eventType: type, body, ...times, ...pending });
      const surplus = this.pendingOf(webhookId) - this.limits.pendingMax;
      if (surplus > 0) this.statements.drop.run(webhookId, surplus);
    });
  }

  /** Deliveries that may be attempted now, the longest overdue first. */
  due(webhookId: string, limit: number): readonly DueDelivery[] {
    const rows = this.statements.due.all(webhookId, this.nowMs(), limit);
    return rows.map(({ id, attemptsSince, ...due }) => {
      return { ...due, eventId: id, attempts: attemptsSince };
    });
  }

  /** When the next delivery that is not due yet will be due; null when there is none. */
  nextDueMs(webhookId: string): number | null {
    return this.statements.nextDue.get(webhookId, this.nowMs());
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

  /** Makes what was postponed before its first attempt due now. */
  hasten(webhookId: string): void {
    this.statements.hasten.run(this.nowMs(), webhookId);
  }

  /** Queues a stored delivery again as if it were new; null when it is not stored. */
  redeliver(webhookId: string, deliveryId: string): WebhookDelivery | null {
    const row = this.statements.again.get(this.nowMs(), webhookId, deliveryId);
    return row === undefined ? null : this.find(webhookId, deliveryId);
  }

  find(webhookId: string, deliveryId: string): WebhookDelivery | null {
    const row = this.statements.one.get(webhookId, deliveryId);
    return row === null ? null : this.toDelivery(row);
  }

  list(webhookId: string, limit: number, offset: number): DeliveryPage {
    const rows = this.statements.page.all(webhookId, limit, offset);
    return {
      deliveries: rows.map((row) => this.toDelivery(row)),
      total: Number(this.statements.total.get(webhookId)),
    };
  }

  /** Removes finished deliveries that exceed the maximum age or number. */
  forgetOld(webhookId: string): void {
    const { keptMax, keptMs } = this.limits;
    this.statements.prune.run(webhookId, this.nowMs() - keptMs, keptMax);
  }

  pendingOf(webhookId: string): number {
    return this.statements.pending.get(webhookId) ?? 0;
  }

  /** Pending deliveries of all webhooks. */
  get pendingTotal(): number {
    return this.statements.allPending.get() ?? 0;
  }

  private toDelivery({ key, ...delivery }: RowOf<typeof DELIVERY>): WebhookDelivery {
    return { ...delivery, attempts: this.statements.attempts.all(key) };
  }
}
