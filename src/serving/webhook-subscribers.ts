import type { Webhook } from '../model/webhook.ts';
import type { WebhookTable } from '../store/control/webhooks.ts';

/** Who is told of what: the webhooks that are not disabled, in memory. */
export class WebhookSubscribers {
  private readonly active = new Map<string, Webhook>();
  private disabledCount = 0;
  private readonly book: Pick<WebhookTable, 'all'>;

  constructor(book: Pick<WebhookTable, 'all'>) {
    this.book = book;
    this.reload();
  }

  /** After any change of webhooks that is kept. */
  reload(): void {
    const all = this.book.all();
    this.active.clear();
    for (const webhook of all) {
      if (webhook.disabledAtMs === null) this.active.set(webhook.id, webhook);
    }
    this.disabledCount = all.length - this.active.size;
  }

  /** The account of a webhook that receives events; null for one that is disabled or gone. */
  accountOf(webhookId: string): string | null {
    return this.active.get(webhookId)?.accountId ?? null;
  }

  ids(): Iterable<string> {
    return this.active.keys();
  }

  /** Whether anybody receives events whose type begins so. */
  wants(start: string): boolean {
    for (const { eventTypes } of this.active.values()) {
      if (eventTypes.some((type) => type.startsWith(start))) return true;
    }
    return false;
  }

  /** Ids of webhooks that are told of a type: of an account's own, or of all when null. */
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
