import type { UndoLog } from '../../lib/undo-log.ts';
import { DistinctCount } from './distinct-count.ts';

/** A funder with more distinct recipients per day, or in total, is a hub (METHODS §0.5). */
export const HUB_RECIPIENTS_A_DAY = 200;
export const HUB_RECIPIENTS = 1_000;
const DAY_MS = 86_400_000;
/** How long recipients are remembered. */
export const FAN_OUT_MS = 7 * DAY_MS;
/** Nearly all funders have fewer recipients; for them only the list is kept. */
const LISTED_MAX = 8;

/**
 * Counts the distinct wallets that one funder paid: in total, and exactly for the last 7 days. A
 * hub stays a hub and is not counted any further, so a list holds at most about a thousand
 * recipients.
 */
export class FunderFanOut {
  /** Recipients of the last 7 days; older ones are removed when the list grows. */
  private recipients: number[] = [];
  /** The time of the last payment to each recipient. */
  private paidMs: number[] = [];
  private lifetime: DistinctCount | null = null;
  private readonly undo: UndoLog;

  constructor(undo: UndoLog) {
    this.undo = undo;
  }

  /** Counts a payment. Returns true when it makes the funder a hub. */
  pay(recipient: number, timeMs: number): boolean {
    this.countLifetime(recipient);
    const index = this.recipients.indexOf(recipient);
    this.undo.keep(this.paidMs);
    if (index >= 0) {
      this.paidMs[index] = timeMs;
    } else {
      if (this.recipients.length >= LISTED_MAX) this.dropOlder(timeMs - FAN_OUT_MS);
      this.undo.keep(this.recipients);
      this.recipients.push(recipient);
      this.paidMs.push(timeMs);
    }
    if ((this.lifetime?.count ?? 0) > HUB_RECIPIENTS) return true;
    return (
      this.recipients.length > HUB_RECIPIENTS_A_DAY &&
      this.countSince(timeMs - DAY_MS) > HUB_RECIPIENTS_A_DAY
    );
  }

  /** Distinct recipients paid after `sinceMs`, which must not be more than 7 days ago. */
  countSince(sinceMs: number): number {
    let count = 0;
    for (const paidMs of this.paidMs) if (paidMs > sinceMs) count++;
    return count;
  }

  /** Distinct recipients in total; an estimate above 256. */
  get lifetimeCount(): number {
    return this.lifetime?.count ?? this.recipients.length;
  }

  private countLifetime(recipient: number): void {
    if (this.lifetime !== null) {
      this.lifetime.add(recipient);
      return;
    }
    if (this.recipients.length < LISTED_MAX || this.recipients.includes(recipient)) return;
    this.undo.keep(this);
    this.lifetime = new DistinctCount(this.undo);
    for (const known of this.recipients) this.lifetime.add(known);
    this.lifetime.add(recipient);
  }

  /** Removes recipients that were last paid at `timeMs` or earlier. */
  private dropOlder(timeMs: number): void {
    const kept: number[] = [];
    for (const [index, paidMs] of this.paidMs.entries()) {
      if (paidMs > timeMs) kept.push(index);
    }
    if (kept.length === this.recipients.length) return;
    this.undo.keep(this.recipients);
    this.undo.keep(this.paidMs);
    const { recipients, paidMs } = this;
    for (const [target, source] of kept.entries()) {
      recipients[target] = recipients[source] ?? 0;
      paidMs[target] = paidMs[source] ?? 0;
    }
    recipients.length = kept.length;
    paidMs.length = kept.length;
  }
}
