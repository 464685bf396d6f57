/** Attempts at a time: of everybody, of one account, to one webhook. */
export const ATTEMPT_LIMITS = { all: 64, perAccount: 16, perWebhook: 4 } as const;

/**
 * Counts attempts that run, so that neither a webhook nor all webhooks of an account together can
 * take what others need: a receiver that never answers holds its own account's attempts only.
 */
export class AttemptCapacity {
  private total = 0;
  private readonly byWebhook = new Map<string, number>();
  private readonly byAccount = new Map<string, number>();
  /** Webhooks that found their account's room taken. */
  private readonly heldBack = new Map<string, Set<string>>();

  get isFull(): boolean {
    return this.total >= ATTEMPT_LIMITS.all;
  }

  /** How many attempts to a webhook may begin now. */
  capacityFor(webhookId: string, accountId: string): number {
    const ofAccount = ATTEMPT_LIMITS.perAccount - (this.byAccount.get(accountId) ?? 0);
    if (ofAccount <= 0) this.holdBack(webhookId, accountId);
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

  /** Returns the webhooks that may have room now: this one and those held back for its account. */
  leave(webhookId: string, accountId: string): Iterable<string> {
    this.total--;
    add(this.byWebhook, webhookId, -1);
    add(this.byAccount, accountId, -1);
    const waiting = this.heldBack.get(accountId);
    this.heldBack.delete(accountId);
    return waiting === undefined ? [webhookId] : waiting.add(webhookId);
  }

  private holdBack(webhookId: string, accountId: string): void {
    const waiting = this.heldBack.get(accountId);
    if (waiting === undefined) this.heldBack.set(accountId, new Set([webhookId]));
    else waiting.add(webhookId);
  }
}

function add(counts: Map<string, number>, key: string, change: 1 | -1): void {
  const count = (counts.get(key) ?? 0) + change;
  if (count === 0) counts.delete(key);
  else counts.set(key, count);
}
