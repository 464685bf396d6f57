import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import type { Random } from '../../simulator/random/random.ts';
import type { ApplyRows, ControlTiming } from '../../src/cluster/control/control-options.ts';
import { ControlReplica } from '../../src/cluster/control/control-replica.ts';
import type { StepLog } from '../../src/cluster/step-log.ts';
import { monotonicClock } from '../../src/lib/clock.ts';
import { KeyTable } from '../../src/store/control/api-keys.ts';
import { openControlPlane } from '../../src/store/control/control-plane.ts';
import { ReviewTable } from '../../src/store/control/reviews.ts';
import { StoredRules } from '../../src/store/control/rules.ts';
import { SharedControl } from '../../src/store/control/shared/shared-control.ts';
import { StoredTriggers } from '../../src/store/control/triggers.ts';
import { WebhookTable } from '../../src/store/control/webhooks.ts';
import { BUSY, ofPool } from './build-trigger.ts';
import { temporaryFolder } from './command-line.ts';
import { POOL } from './fake-api-deps.ts';

const TABLES: Readonly<Record<string, string>> = {
  accounts: '*',
  // When a key was last used is known only where it was.
  api_keys:
    'key_id, account_id, hex(hash), scopes, label, is_bootstrap, created_at_ms, expires_at_ms, revoked_at_ms',
  triggers: '*',
  webhooks: '*',
  reviews: '*',
  review_entries: '*',
  rules: '*',
  sqlite_sequence: '*',
};

/** The control plane of a replica without the rest of a service. Changes count as they are read. */
export class ControlMachine {
  readonly database: DatabaseSync;
  readonly folder: string;
  readonly keys: KeyTable;
  readonly triggers: StoredTriggers;
  readonly webhooks: WebhookTable;
  readonly reviews: ReviewTable;
  readonly rules: StoredRules;
  readonly tables: SharedControl;
  /** Why it stopped; null while it follows. */
  stopped: string | null = null;

  constructor(folder: string = temporaryFolder()) {
    this.folder = folder;
    this.database = openControlPlane(join(folder, 'control.sqlite'));
    const { database } = this;
    this.keys = new KeyTable(database);
    this.triggers = new StoredTriggers(database);
    this.webhooks = new WebhookTable(database);
    this.reviews = new ReviewTable(database);
    this.rules = new StoredRules(database);
    this.tables = new SharedControl(database);
  }

  private readonly ending = new AbortController();
  private running: Promise<void> = Promise.resolve();

  /** Follows a log. Without `isReaching`, a test says which changes count. */
  start(
    log: StepLog,
    {
      timing = {},
      isReaching = true,
      apply,
    }: {
      readonly timing?: Partial<ControlTiming>;
      readonly isReaching?: boolean;
      readonly apply?: ApplyRows;
    } = {},
  ): ControlReplica {
    const replica = new ControlReplica({
      ...{ log, tables: this.tables, name: 'the log', writer: this.folder, clock: monotonicClock },
      timing: { shareMs: 20, retryMs: 5, ...timing },
      onStopped: (sentence) => {
        this.stopped = sentence;
      },
      signal: this.ending.signal,
    });
    if (apply !== undefined) replica.follow(apply);
    if (isReaching) replica.reach(Number.MAX_SAFE_INTEGER);
    this.running = replica.run();
    return replica;
  }

  /** All rows that replicas share, as text. */
  dump(): string {
    const lines = Object.entries(TABLES).flatMap(([table, columns]) =>
      this.database
        .prepare(`SELECT ${columns} FROM ${table} ORDER BY 1, 2`)
        .all()
        .map((row) => `${table} ${JSON.stringify(row)}`),
    );
    return lines.join('\n');
  }

  async end(): Promise<void> {
    this.ending.abort();
    await this.running;
    this.database.close();
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** A write of any shared table, by one of few names, so that writers meet. */
export function randomWrite(
  { triggers, webhooks, reviews, rules }: ControlMachine,
  replica: ControlReplica,
  random: Random,
): Promise<unknown> {
  const accountId = `account-${random.wholeWithin({ least: 1, most: 3 })}`;
  const name = `name-${random.wholeWithin({ least: 1, most: 6 })}`;
  const trigger = { accountId, triggerId: name };
  const ofTrigger = [{ table: 'triggers', where: { account_id: accountId, trigger_id: name } }];
  const value = String(random.wholeWithin({ least: 1, most: 1_000 }));
  const conditions = [{ ...BUSY, value }];
  const [webhook] = webhooks.list(accountId);
  const webhookName = { accountId, webhookId: webhook?.id ?? 'none' };
  const ofWebhook = [{ table: 'webhooks', where: { webhook_id: webhookName.webhookId } }];
  const ofAccount = [{ table: 'webhooks', where: { account_id: accountId } }];
  const ofRule = [{ table: 'rules', where: { account_id: accountId, name } }];
  const version = random.wholeWithin({ least: 1, most: 50 });
  const where = { classification_id: name };
  const ofReview = ['reviews', 'review_entries'].map((table) => ({ table, where }));
  const to = random.pick(['reviewed', 'confirmed', 'false_positive', 'archived'] as const);
  const review = { classificationId: name, to, accountId, keyId: 'key', note: null };
  const request = { accountId, url: `https://h.example/${value}`, label: null, eventTypes: [] };
  const content = `content ${value}`;
  const writes = [
    () =>
      replica.write(ofTrigger, () =>
        triggers.add({ ...trigger, target: ofPool(POOL), conditions }),
      ),
    () => replica.write(ofTrigger, () => triggers.update(trigger, { conditions })),
    () => replica.write(ofTrigger, () => triggers.remove(trigger)),
    () => replica.write(ofAccount, () => webhooks.add(request, `secret-${value}`)),
    () => replica.write(ofWebhook, () => webhooks.rotate(webhookName, `secret-${value}`, 1_000)),
    () => replica.write(ofWebhook, () => webhooks.remove(webhookName)),
    () => replica.write(ofReview, () => reviews.review(review, 'active')),
    () => replica.write(ofRule, () => rules.publish({ accountId, name, version, content })),
    () => replica.write(ofRule, () => rules.withdraw(accountId, name)),
  ];
  return random.pick(writes)();
}
