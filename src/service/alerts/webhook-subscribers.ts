import type { Webhook } from '../../model/webhook.ts';
import type { WebhookTable } from '../../store/control/webhooks.ts';

/** In-memory index of the active webhooks by event type. */
export class WebhookSubscribers {
  private readonly active = new Map<string, Webhook>();
  private disabledCount = 0;
  private readonly table: Pick<WebhookTable, 'all'>;

  constructor(table: Pick<WebhookTable, 'all'>) {
    this.table = table;
    this.reload();
  }

  /** Reloads the index after a change of webhooks was stored. */
  reload(): void {
    const all = this.table.all();
    this.active.clear();
    for (const webhook of all) {
      if (webhook.disabledAtMs === null) this.active.set(webhook.id, webhook);
    }
    this.disabledCount = all.length - this.active.size;
  }

  /** Account of an active webhook; null for a disabled or removed one. */
  accountOf(webhookId: string): string | null {
    return this.active.get(webhookId)?.accountId ?? null;
  }

  ids(): Iterable<string> {
    return this.active.keys();
  }

  /** Whether any webhook receives events whose type starts with `start`. */
  wants(start: string): boolean {
    for (const { eventTypes } of this.active.values()) {
      if (eventTypes.some((type) => type.startsWith(start))) return true;
    }
    return false;
  }

  /** Whether a webhook of an account, or of any account if null, receives a type. */
  isWanted(type: string, accountId: string | null): boolean {
    for (const _ of this.wanting(type, accountId)) return true;
    return false;
  }

  /** IDs of the webhooks that receive a type: those of an account, or of all accounts if null. */
  *wanting(type: string, accountId: string | null): Iterable<string> {
    for (const { id, accountId: owner, eventTypes } of this.active.values()) {
      const isTheirs = accountId === null || owner === accountId;
      if (isTheirs && eventTypes.some((wanted) => wanted === type)) yield id;
    }
  }

  get sizes(): { readonly active: number; readonly disabled: number } {
    return { active: this.active.size, disabled: this.disabledCount };
  }
}
