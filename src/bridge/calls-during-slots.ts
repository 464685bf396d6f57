import type { SlotRead } from '../engine/undo-slots.ts';
import type { ReadsDuringSlots } from '../ingestion/reads-during-slots.ts';
import { FairQueue } from '../lib/fair-queue.ts';
import type { Call, CallQueue } from './call-queue.ts';
import type { ApiRequest } from './messages.ts';
import { isReadOfState } from './reads-of-state.ts';

/** Arrived messages are polled so often, and no sooner after reads were answered. */
export const POLL_MS = 2;
/** Time budget of the handlers at one pause. */
export const PAUSE_MS = 2;
/** Time that is left to the slot after reads, of the time that these took: a third of both. */
const SLOT_SHARE = 1 / 2;
/**
 * Reads may take so much time at once, and so much of all time: a large slot is exchanged for the
 * state before it at each pause with a read, which would otherwise take longer than the slot.
 */
export const BUDGET_MS = 20;
export const BUDGET_SHARE = 0.1;
/** Reads are likely for so long after one. */
export const LIKELY_MS = 5_000;

export interface CallsDuringSlotsOptions {
  /** The oldest message that has arrived and was not handled; null if there is none. */
  readonly receive: () => ApiRequest | null;
  /** Handles a message between slots. */
  readonly handle: (message: ApiRequest) => void;
  readonly calls: CallQueue;
  readonly nowMs?: () => number;
}

/**
 * Answers reads of the current state while a slot is applied, as of the slot before. All other
 * messages that arrive meanwhile wait for its end, in order.
 *
 * At least a third of the time is left to the slot, however many reads there are and however long one
 * takes, and most of it once their budget is used up: they wait for the end of the slot, or until the
 * budget is there again.
 */
export class CallsDuringSlots implements ReadsDuringSlots {
  private readonly options: Required<CallsDuringSlotsOptions>;
  private readonly reads = new FairQueue<Call>();
  private waiting: ApiRequest[] = [];
  private nextPollMs = Number.NEGATIVE_INFINITY;
  /** Time that reads may take as of `budgetAtMs`; negative if they took more. */
  private budgetMs = BUDGET_MS;
  private budgetAtMs = Number.NEGATIVE_INFINITY;
  private readMs = Number.NEGATIVE_INFINITY;
  private isScheduled = false;
  private answeredCount = 0;

  constructor(options: CallsDuringSlotsOptions) {
    this.options = { nowMs: () => performance.now(), ...options };
  }

  /** Number of reads that were answered while a slot was applied. */
  get answered(): number {
    return this.answeredCount;
  }

  get areLikely(): boolean {
    return this.options.nowMs() - this.readMs < LIKELY_MS;
  }

  answer(read: SlotRead): void {
    const { nowMs } = this.options;
    const startMs = nowMs();
    if (startMs < this.nextPollMs) return;
    this.receive();
    if (this.reads.size > 0) read(() => this.begin());
    const endMs = nowMs();
    const tookMs = endMs - startMs;
    const owedMs = this.spend(startMs, tookMs);
    this.nextPollMs = endMs + Math.max(POLL_MS, tookMs * SLOT_SHARE, owedMs / BUDGET_SHARE);
  }

  /** Takes time from the budget; returns by how much it is overdrawn. */
  private spend(startMs: number, tookMs: number): number {
    const earnedMs = (startMs - this.budgetAtMs) * BUDGET_SHARE;
    this.budgetMs = Math.min(BUDGET_MS, this.budgetMs + earnedMs) - tookMs;
    this.budgetAtMs = startMs + tookMs;
    return Math.max(0, -this.budgetMs);
  }

  /** Handles a message that arrived between slots, after those that arrived earlier. */
  take(message: ApiRequest): void {
    this.release();
    if (message.kind === 'call' && isReadOfState(message.name)) this.readMs = this.options.nowMs();
    this.options.handle(message);
  }

  private receive(): void {
    const { receive, nowMs } = this.options;
    for (let message = receive(); message !== null; message = receive()) {
      if (message.kind === 'call' && isReadOfState(message.name)) {
        this.readMs = nowMs();
        this.reads.push(message.accountId, message);
      } else if (message.kind === 'unwatch') {
        // A later read of these rows watches them again.
        this.options.handle(message);
      } else this.waiting.push(message);
    }
    if (this.reads.size > 0 || this.waiting.length > 0) this.schedule();
  }

  private begin(): void {
    const { nowMs, calls } = this.options;
    const endMs = nowMs() + PAUSE_MS;
    do {
      const next = this.reads.take();
      if (next === null) return;
      calls.begin(next.item);
      this.answeredCount++;
    } while (nowMs() < endMs);
  }

  /** What was not answered in the slot is handled in the first turn after it. */
  private schedule(): void {
    if (this.isScheduled) return;
    this.isScheduled = true;
    setImmediate(() => {
      this.isScheduled = false;
      this.release();
    });
  }

  private release(): void {
    for (let next = this.reads.take(); next !== null; next = this.reads.take()) {
      this.options.handle(next.item);
    }
    const { waiting } = this;
    this.waiting = [];
    for (const message of waiting) this.options.handle(message);
  }
}
