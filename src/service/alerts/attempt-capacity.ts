/** Concurrent delivery attempts: in total, per account and per webhook. */
export const ATTEMPT_LIMITS = { all: 64, perAccount: 16, perWebhook: 4 } as const;

/**
 * Counts running attempts, so that neither a webhook nor all webhooks of an account can use the
 * capacity of others: a receiver that never answers only blocks attempts of its own account.
 */
export class AttemptCapacity {
  private total = 0;
  private readonly byWebhook = new Map<string, number>();
  private readonly byAccount = new Map<string, number>();
  /** Webhooks waiting for capacity of their account, by account. */
  private readonly blocked = new Map<string, Set<string>>();

  get isFull(): boolean {
    return this.total >= ATTEMPT_LIMITS.all;
  }

  /** Number of attempts to a webhook that may start now. */
  capacityFor(webhookId: string, accountId: string): number {
    const ofAccount = ATTEMPT_LIMITS.perAccount - (this.byAccount.get(accountId) ?? 0);
    if (ofAccount <= 0) this.block(webhookId, accountId);
    return Math.max(
      0,
      Math.min(
        ATTEMPT_LIMITS.perWebhook - (this.byWebhook.get(webhookId) ?? 0),
        ofAccount,
        ATTEMPT_LIMITS.all - this.total,
      ),
    );
  }

  enter(webhookId: string, accountId: string): void {
    this.total++;
    add(this.byWebhook, webhookId, 1);
    add(this.byAccount, accountId, 1);
  }

  /**
   * Returns the webhooks that may have capacity now: this one, and those waiting for its account.
   */
  leave(webhookId: string, accountId: string): Iterable<string> {
    this.total--;
    add(this.byWebhook, webhookId, -1);
    add(this.byAccount, accountId, -1);
    const waiting = this.blocked.get(accountId);
    this.blocked.delete(accountId);
    return waiting === undefined ? [webhookId] : waiting.add(webhookId);
  }

  private block(webhookId: string, accountId: string): void {
    const waiting = this.blocked.get(accountId);
    if (waiting === undefined) this.blocked.set(accountId, new Set([webhookId]));
    else waiting.add(webhookId);
  }
}

function add(counts: Map<string, number>, key: string, change: 1 | -1): void {
  const count = (counts.get(key) ?? 0) + change;
  if (count === 0) counts.delete(key);
  else counts.set(key, count);
}
