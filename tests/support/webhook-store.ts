import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openControlPlane } from '../../src/store/control/control-plane.ts';
import { FiringLog } from '../../src/store/control/firings.ts';
import { ReviewTable } from '../../src/store/control/reviews.ts';
import { StoredTriggers } from '../../src/store/control/triggers.ts';
import { WebhookCandidates } from '../../src/store/control/webhook-candidates.ts';
import { type OutboxLimits, WebhookOutbox } from '../../src/store/control/webhook-outbox.ts';
import { WebhookTable } from '../../src/store/control/webhooks.ts';
import { inTransaction } from '../../src/store/sqlite/sqlite-transaction.ts';

/** The parts of a store for triggers and webhooks, over one control database. */
export function webhookStore(path: string, nowMs: () => number, limits?: OutboxLimits) {
  const database = openControlPlane(path);
  return {
    database,
    triggers: new StoredTriggers(database, nowMs),
    firings: new FiringLog(database, nowMs),
    reviews: new ReviewTable(database, nowMs),
    webhooks: new WebhookTable(database, nowMs),
    outbox: new WebhookOutbox(database, nowMs, limits),
    webhookCandidates: new WebhookCandidates(database),
    together: <Result>(work: () => Result) => inTransaction(database, work),
  };
}

/** A folder for a store, and a function that removes it. */
export function controlFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'webhook-store-'));
  return {
    path: join(folder, 'control.sqlite'),
    remove: () => rmSync(folder, { recursive: true }),
  };
}
