import type { UndoLog } from '../../lib/undo-log.ts';
import { DistinctCount } from './distinct-count.ts';

/** More different recipients than this within a day, or in all, make a funder a hub (METHODS §0.5). */
export const HUB_RECIPIENTS_A_DAY = 200;
export const HUB_RECIPIENTS = 1_000;
const DAY_MS = 86_400_000;
/** For how long it is known whom a funder paid. */
export const FAN_OUT_MS = 7 * DAY_MS;
/** Nearly all funders pay fewer than this; of them nothing but the list is kept. */
const LISTED_MAX = 8;

/**
 * To how many different wallets one funder paid: in all, and in the last 7 days exactly. Once it is a
 * hub nothing more is counted, since it stays one: so nobody has more than about a thousand in the list.
 */
export class FunderFanOut {
  /** Recipients of the last 7 days, each with its last payment; older ones fall out when room is needed. */
  private recipients: number[] = [];
  private paidMs: number[] = [];
  private lifetime: DistinctCount | null = null;
  private readonly undo: UndoLog;

  constructor(undo: UndoLog) {
    this.undo = undo;
  }

  /** True when this payment makes the funder a hub. */
  pay(recipient: number, timeMs: number): boolean {
    this.countLifetime(recipient);
    const place = this.recipients.indexOf(recipient);
    this.undo.keep(this.paidMs);
    if (place >= 0) {
      this.paidMs[place] = timeMs;
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

  /** Different recipients that were paid after `sinceMs`, which is no earlier than 7 days ago. */
  countSince(sinceMs: number): number {
    let count = 0;
    for (const paidMs of this.paidMs) if (paidMs > sinceMs) count++;
    return count;
  }

  /** Different recipients since the beginning; an estimate beyond 256. */
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

  /** Recipients that were last paid at `timeMs` or before. */
  private dropOlder(timeMs: number): void {
    const kept: number[] = [];
    for (const [index, paidMs] of this.paidMs.entries()) {
      if (paidMs > timeMs) kept.push(index);
    }
    if (kept.length === this.recipients.length) return;
    this.undo.keep(this.recipients);
    this.undo.keep(this.paidMs);
    const { recipients, paidMs } = this;
    for (const [place, index] of kept.entries()) {
      recipients[place] = recipients[index] ?? 0;
      paidMs[place] = paidMs[index] ?? 0;
    }
    recipients.length = kept.length;
    paidMs.length = kept.length;
  }
}
