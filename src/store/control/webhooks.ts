import { randomUUID } from 'node:crypto';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type {
  Webhook,
  WebhookDisabledReason,
  WebhookEventType,
  WebhookName,
  WebhookRequest,
} from '../../model/webhook.ts';
import { inTransaction } from '../sqlite/sqlite-transaction.ts';

export interface WebhookLimits {
  /** Webhooks an account may have. */
  readonly webhooksMax: number;
}

export const DEFAULT_WEBHOOK_LIMITS: WebhookLimits = { webhooksMax: 20 };

/** What a delivery attempt needs of its webhook. Never part of an API answer. */
export interface WebhookTarget {
  readonly url: string;
  /** The secrets that are valid now, newest first. */
  readonly secrets: readonly string[];
}

interface WebhookRow {
  readonly webhook_id: string;
  readonly account_id: string;
  readonly url: string;
  readonly label: string | null;
  readonly event_types: string;
  readonly secret: string;
  readonly previous_secret: string | null;
  readonly previous_until_ms: number | null;
  readonly created_at_ms: number;
  readonly disabled_at_ms: number | null;
  readonly disabled_reason: WebhookDisabledReason | null;
  readonly failing_since_ms: number | null;
  readonly failures_in_row: number;
  readonly pending: number;
  readonly dropped: number;
}

/** The webhooks of accounts, with the secrets that sign their deliveries. */
export class WebhookTable {
  readonly limits: WebhookLimits;
  private readonly database: DatabaseSync;
  private readonly nowMs: () => number;
  private readonly byId: StatementSync;
  private readonly count: StatementSync;
  private readonly ofAccount: StatementSync;
  private readonly insert: StatementSync;
  private readonly deletion: StatementSync;
  private readonly newSecret: StatementSync;
  private readonly enabling: StatementSync;
  private readonly disabling: StatementSync;
  private readonly cancelling: StatementSync;
  private readonly arrived: StatementSync;
  private readonly failed: StatementSync;

  constructor(
    database: DatabaseSync,
    nowMs: () => number = Date.now,
    limits: WebhookLimits = DEFAULT_WEBHOOK_LIMITS,
  ) {
    this.database = database;
    this.nowMs = nowMs;
    this.limits = limits;
    this.byId = database.prepare('SELECT * FROM webhooks WHERE webhook_id = ?');
    this.count = database.prepare('SELECT count(*) AS held FROM webhooks WHERE account_id = ?');
    this.ofAccount = database.prepare(
      'SELECT * FROM webhooks WHERE account_id = ? ORDER BY created_at_ms, webhook_id',
    );
    this.insert = database.prepare(
      'INSERT INTO webhooks (webhook_id, account_id, url, label, event_types, secret, ' +
        'created_at_ms) VALUES (?, ?, ?, ?, ?, ?, ?) RETURNING *',
    );
    this.deletion = database.prepare('DELETE FROM webhooks WHERE webhook_id = ?');
    this.newSecret = database.prepare(
      'UPDATE webhooks SET previous_secret = secret, previous_until_ms = ?, secret = ? ' +
        'WHERE webhook_id = ? RETURNING *',
    );
    this.enabling = database.prepare(
      'UPDATE webhooks SET disabled_at_ms = NULL, disabled_reason = NULL, ' +
        'failing_since_ms = NULL, failures_in_row = 0 WHERE webhook_id = ? RETURNING *',
    );
    this.disabling = database.prepare(
      'UPDATE webhooks SET disabled_at_ms = ?, disabled_reason = ? ' +
        'WHERE webhook_id = ? AND disabled_at_ms IS NULL',
    );
    this.cancelling = database.prepare(
      "UPDATE webhook_deliveries SET state = 'cancelled', next_attempt_ms = NULL " +
        "WHERE webhook_id = ? AND state = 'pending'",
    );
    this.arrived = database.prepare(
      'UPDATE webhooks SET failing_since_ms = NULL, failures_in_row = 0 WHERE webhook_id = ?',
    );
    this.failed = database.prepare(
      'UPDATE webhooks SET failing_since_ms = coalesce(failing_since_ms, ?), ' +
        'failures_in_row = failures_in_row + 1 WHERE webhook_id = ? ' +
        'RETURNING failing_since_ms, failures_in_row',
    );
  }

  /** The webhooks of all accounts. */
  all(): readonly Webhook[] {
    const rows = this.database.prepare('SELECT * FROM webhooks').all();
    return (rows as unknown as WebhookRow[]).map(toWebhook);
  }

  /** The webhooks of an account, oldest first. */
  list(accountId: string): readonly Webhook[] {
    return (this.ofAccount.all(accountId) as unknown as WebhookRow[]).map(toWebhook);
  }

  /** Also null for a webhook of another account. */
  find(name: WebhookName): Webhook | null {
    const row = this.row(name.webhookId);
    return row === null || row.account_id !== name.accountId ? null : toWebhook(row);
  }

  /** Null when the account has reached its limit. */
  add({ accountId, url, label, eventTypes }: WebhookRequest, secret: string): Webhook | null {
    return inTransaction(this.database, () => {
      if (Number(this.count.get(accountId)?.held) >= this.limits.webhooksMax) return null;
      const types = JSON.stringify(eventTypes);
      const row = this.insert.get(
        ...[randomUUID(), accountId, url, label, types, secret, this.nowMs()],
      );
      return toWebhook(row as unknown as WebhookRow);
    });
  }

  /** Removes the webhook, its pending deliveries and its log. */
  remove(name: WebhookName): Webhook | null {
    return inTransaction(this.database, () => {
      const known = this.find(name);
      if (known !== null) this.deletion.run(known.id);
      return known;
    });
  }

  /** The previous secret stays valid for `overlapMs`; any older one becomes invalid. */
  rotate(name: WebhookName, secret: string, overlapMs: number): Webhook | null {
    return inTransaction(this.database, () => {
      if (this.find(name) === null) return null;
      const row = this.newSecret.get(this.nowMs() + overlapMs, secret, name.webhookId);
      return toWebhook(row as unknown as WebhookRow);
    });
  }

  enable(name: WebhookName): Webhook | null {
    return inTransaction(this.database, () => {
      const known = this.find(name);
      if (known === null) return null;
      return toWebhook(this.enabling.get(known.id) as unknown as WebhookRow);
    });
  }

  /** Cancels the pending deliveries of the webhook. */
  disable(webhookId: string, reason: WebhookDisabledReason): void {
    inTransaction(this.database, () => {
      const { changes } = this.disabling.run(this.nowMs(), reason, webhookId);
      if (Number(changes) > 0) this.cancelling.run(webhookId);
    });
  }

  noteArrival(webhookId: string): void {
    this.arrived.run(webhookId);
  }

  /** Returns the time of the first failure since the last success, and the failures since. */
  noteFailure(webhookId: string): { readonly sinceMs: number | null; readonly inRow: number } {
    const row = this.failed.get(this.nowMs(), webhookId);
    if (row === undefined) return { sinceMs: null, inRow: 0 };
    return { sinceMs: Number(row.failing_since_ms), inRow: Number(row.failures_in_row) };
  }

  target(webhookId: string): WebhookTarget | null {
    const row = this.row(webhookId);
    if (row === null) return null;
    const { url, secret, previous_secret: previous, previous_until_ms: untilMs } = row;
    const isOverlap = previous !== null && untilMs !== null && this.nowMs() < untilMs;
    return { url, secrets: isOverlap ? [secret, previous] : [secret] };
  }

  private row(webhookId: string): WebhookRow | null {
    return (this.byId.get(webhookId) as unknown as WebhookRow | undefined) ?? null;
  }
}

function toWebhook(row: WebhookRow): Webhook {
  return {
    id: row.webhook_id,
    accountId: row.account_id,
    url: row.url,
    label: row.label,
    eventTypes: JSON.parse(row.event_types) as readonly WebhookEventType[],
    createdAtMs: row.created_at_ms,
    disabledAtMs: row.disabled_at_ms,
    disabledReason: row.disabled_reason,
    failingSinceMs: row.failing_since_ms,
    failuresInRow: row.failures_in_row,
    pending: row.pending,
    dropped: row.dropped,
    previousSecretUntilMs: row.previous_until_ms,
  };
}
