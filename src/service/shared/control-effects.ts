import type { RowChange } from '../../model/shared-rows.ts';
import type { TriggerService } from '../alerts/trigger-service.ts';
import type { WebhookService } from '../alerts/webhook-service.ts';

/** What follows the tables that replicas share. */
export interface ControlFollowers {
  readonly triggers: Pick<TriggerService, 'adopt'>;
  readonly webhooks: Pick<WebhookService, 'reloadSubscribers'>;
  /** Called after a review of a finding was stored. */
  readonly onReview: (classificationId: string) => void;
}

/**
 * Stores a change, and has the followers act on what differs from before. A trigger that is true
 * fires in the transaction that stores it; only the first copy of a folder's triggers has several in
 * one change.
 */
export function applyShared(
  followers: ControlFollowers,
  changes: readonly RowChange[],
  store: () => readonly RowChange[],
): void {
  const [first, ...more] = triggerKeysOf(changes);
  let changed: readonly RowChange[] = [];
  const storing = () => {
    changed = store();
    return changed;
  };
  if (first !== undefined && more.length === 0) {
    followers.triggers.adopt(first, () => triggerKeysOf(storing()).includes(first));
  } else {
    for (const key of triggerKeysOf(storing())) followers.triggers.adopt(key, () => true);
  }
  if (changed.some(({ table }) => table === 'webhooks')) followers.webhooks.reloadSubscribers();
  for (const change of changed) {
    if (change.table !== 'review_entries' || !('put' in change)) continue;
    followers.onReview(String(change.put.classification_id));
  }
}

function triggerKeysOf(changes: readonly RowChange[]): readonly number[] {
  return changes.flatMap((change) => {
    if (change.table !== 'triggers' || 'counter' in change) return [];
    const cells = 'put' in change ? change.put : change.remove;
    return [Number(cells.trigger_key)];
  });
}
