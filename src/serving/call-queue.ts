import { FairQueue } from '../lib/fair-queue.ts';
import { answerCall } from './answer-call.ts';
import type { FromApi, ToApi } from './messages.ts';
import type { ServiceAnswers } from './service-reads.ts';

export type Call = Extract<FromApi, { readonly kind: 'call' }>;

/** Handlers take this much of a turn of the loop; what comes beyond waits for the next turn. */
export const SLICE_MS = 2;

/**
 * Answers calls on the thread that ingests. Handlers get a slice of each turn of the loop, so that
 * blocks, timers and the store's answers are not kept waiting by calls, however many there are; and
 * calls that wait are begun account by account, in turns.
 */
export class CallQueue {
  private readonly answers: ServiceAnswers;
  private readonly post: (message: ToApi) => void;
  private readonly nowMs: () => number;
  private readonly queue = new FairQueue<Call>();
  private spentMs = 0;
  private isScheduled = false;

  constructor(
    answers: ServiceAnswers,
    post: (message: ToApi) => void,
    nowMs: () => number = () => performance.now(),
  ) {
    this.answers = answers;
    this.post = post;
    this.nowMs = nowMs;
  }

  /** Calls that wait for a turn. */
  get size(): number {
    return this.queue.size;
  }

  push(call: Call): void {
    if (this.queue.size === 0 && this.spentMs < SLICE_MS) this.begin(call);
    else this.queue.push(call.accountId, call);
    this.schedule();
  }

  /** The loop has turned: everything else has been heard since the last slice. */
  private schedule(): void {
    if (this.isScheduled) return;
    this.isScheduled = true;
    setImmediate(() => {
      this.isScheduled = false;
      this.spentMs = 0;
      while (this.spentMs < SLICE_MS) {
        const next = this.queue.take();
        if (next === null) break;
        this.begin(next.item);
      }
      if (this.queue.size > 0) this.schedule();
    });
  }

  private begin(call: Call): void {
    const beginMs = this.nowMs();
    void answerCall(this.answers, call, this.post);
    this.spentMs += this.nowMs() - beginMs;
  }
}
