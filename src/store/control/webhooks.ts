import { randomUUID } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import type {
  Webhook,
  WebhookDisabledReason,
  WebhookEventType,
  WebhookName,
  WebhookRequest,
} from '../../model/webhook.ts';
import { column, integer, json, nullable, oneOf, text } from '../sqlite/kind.ts';
import { type Prepared, prepareAll } from '../sqlite/prepare-all.ts';
import { inTransaction } from '../sqlite/sqlite-transaction.ts';
import { singleValue, tableRow } from '../sqlite/table-row.ts';

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

export const WEBHOOKS = tableRow('webhooks', {
  id: column('webhook_id', text),
  accountId: text,
  url: text,
  label: nullable(text),
  eventTypes: json<readonly WebhookEventType[]>(),
  secret: text,
  previousSecret: nullable(text),
  previousSecretUntilMs: column('previous_until_ms', nullable(integer)),
  createdAtMs: integer,
  disabledAtMs: nullable(integer),
  disabledReason: nullable(oneOf<WebhookDisabledReason>(['gone', 'failing'])),
  failingSinceMs: nullable(integer),
  failuresInRow: integer,
  pending: integer,
  dropped: integer,
});

/** A webhook as it may be shown. */
const WEBHOOK = WEBHOOKS.without('secret', 'previousSecret');
const SIGNED = WEBHOOKS.only('url', 'secret', 'previousSecret', 'previousSecretUntilMs');

const STATEMENTS = {
  all: WEBHOOK.select(),
  byId: WEBHOOK.select('WHERE webhook_id = ?'),
  ofAccount: WEBHOOK.select('WHERE account_id = ? ORDER BY created_at_ms, webhook_id'),
  signed: SIGNED.select('WHERE webhook_id = ?'),
  count: singleValue(integer, 'SELECT count(*) FROM webhooks WHERE account_id = ?'),
  add: WEBHOOKS.insert(),
  remove: 'DELETE FROM webhooks WHERE webhook_id = ?',
  rotate: WEBHOOK.returning(
    'UPDATE webhooks SET previous_secret = secret, previous_until_ms = ?, secret = ? ' +
      'WHERE webhook_id = ?',
  ),
  enable: WEBHOOK.returning(
    'UPDATE webhooks SET disabled_at_ms = NULL, disabled_reason = NULL, ' +
      'failing_since_ms = NULL, failures_in_row = 0 WHERE webhook_id = ?',
  ),
  disable: WEBHOOKS.only('disabledAtMs', 'disabledReason').update(
    'WHERE webhook_id = ? AND disabled_at_ms IS NULL',
  ),
  cancel:
    "UPDATE webhook_deliveries SET state = 'cancelled', next_attempt_ms = NULL " +
    "WHERE webhook_id = ? AND state = 'pending'",
  arrived: 'UPDATE webhooks SET failing_since_ms = NULL, failures_in_row = 0 WHERE webhook_id = ?',
  failed: WEBHOOKS.only('failingSinceMs', 'failuresInRow').returning(
    'UPDATE webhooks SET failing_since_ms = coalesce(failing_since_ms, ?), ' +
      'failures_in_row = failures_in_row + 1 WHERE webhook_id = ?',
  ),
};

/** The webhooks of accounts, with the secrets that sign their deliveries. */
export class WebhookTable {
  readonly limits: WebhookLimits;
  private readonly database: DatabaseSync;
  private readonly nowMs: () => number;
  private readonly statements: Prepared<typeof STATEMENTS>;

  constructor(
    database: DatabaseSync,
    nowMs: () => number = Date.now,
    limits: WebhookLimits = DEFAULT_WEBHOOK_LIMITS,
  ) {
    this.database = database;
    this.nowMs = nowMs;
    this.limits = limits;
    this.statements = prepareAll(database, STATEMENTS);
  }

  /** The webhooks of all accounts. */
  all(): readonly Webhook[] {
    return this.statements.all.all();
  }

  /** The webhooks of an account, oldest first. */
  list(accountId: string): readonly Webhook[] {
    return this.statements.ofAccount.all(accountId);
  }

  /** Also null for a webhook of another account. */
  find(name: WebhookName): Webhook | null {
    const found = this.statements.byId.get(name.webhookId);
    return found?.accountId === name.accountId ? found : null;
  }

  /** Null when the account has reached its limit. */
  add({ accountId, url, label, eventTypes }: WebhookRequest, secret: string): Webhook | null {
    return inTransaction(this.database, () => {
      if (Number(this.statements.count.get(accountId)) >= this.limits.webhooksMax) return null;
      const webhook = {
        id: randomUUID(),
        accountId,
        url,
        label,
        eventTypes,
        createdAtMs: this.nowMs(),
        disabledAtMs: null,
        disabledReason: null,
        failingSinceMs: null,
        failuresInRow: 0,
        pending: 0,
        dropped: 0,
        previousSecretUntilMs: null,
      };
      this.statements.add.run({ ...webhook, secret, previousSecret: null });
      return webhook;
    });
  }

  /** Removes the webhook, its pending deliveries and its log. */
  remove(name: WebhookName): Webhook | null {
    return inTransaction(this.database, () => {
      const known = this.find(name);
      if (known !== null) this.statements.remove.run(known.id);
      return known;
    });
  }

  /** The previous secret stays valid for `overlapMs`; any older one becomes invalid. */
  rotate(name: WebhookName, secret: string, overlapMs: number): Webhook | null {
    return inTransaction(this.database, () => {
      if (this.find(name) === null) return null;
      return this.statements.rotate.get(this.nowMs() + overlapMs, secret, name.webhookId);
    });
  }

  enable(name: WebhookName): Webhook | null {
    return inTransaction(this.database, () => {
      const known = this.find(name);
      return known === null ? null : this.statements.enable.get(known.id);
    });
  }

  /** Cancels the pending deliveries of the webhook. */
  disable(webhookId: string, reason: WebhookDisabledReason): void {
    inTransaction(this.database, () => {
      const disabled = { disabledAtMs: this.nowMs(), disabledReason: reason };
      const { changes } = this.statements.disable.run(disabled, webhookId);
      if (Number(changes) > 0) this.statements.cancel.run(webhookId);
    });
  }

  noteArrival(webhookId: string): void {
    this.statements.arrived.run(webhookId);
  }

  /** Returns the time of the first failure since the last success, and the failures since. */
  noteFailure(webhookId: string): { readonly sinceMs: number | null; readonly inRow: number } {
    const row = this.statements.failed.get(this.nowMs(), webhookId);
    return { sinceMs: row?.failingSinceMs ?? null, inRow: row?.failuresInRow ?? 0 };
  }

  target(webhookId: string): WebhookTarget | null {
    const row = this.statements.signed.get(webhookId);
    if (row === null) return null;
    const { url, secret, previousSecret: previous, previousSecretUntilMs: untilMs } = row;
    const isOverlap = previous !== null && untilMs !== null && this.nowMs() < untilMs;
    return { url, secrets: isOverlap ? [secret, previous] : [secret] };
  }
}
