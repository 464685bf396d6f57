import { FairQueue } from '../lib/fair-queue.ts';
import { answerCall } from './answer-call.ts';
import type { ApiRequest, ServiceMessage } from './messages.ts';
import type { ServiceAnswers } from './service-reads.ts';

export type Call = Extract<ApiRequest, { readonly kind: 'call' }>;

/** Time budget of handlers per turn of the event loop; further calls wait for the next turn. */
export const SLICE_MS = 2;

/**
 * Answers calls on the ingestion thread. Handlers get a time slice of each turn of the event loop,
 * so that any number of calls delays blocks, timers and store responses only slightly. Waiting
 * calls are started in turns by account.
 */
export class CallQueue {
  private readonly answers: ServiceAnswers;
  private readonly post: (message: ServiceMessage) => void;
  private readonly nowMs: () => number;
  private readonly queue = new FairQueue<Call>();
  private spentMs = 0;
  private isScheduled = false;

  constructor(
    answers: ServiceAnswers,
    post: (message: ServiceMessage) => void,
    nowMs: () => number = () => performance.now(),
  ) {
    this.answers = answers;
    this.post = post;
    this.nowMs = nowMs;
  }

  /** Number of waiting calls. */
  get size(): number {
    return this.queue.size;
  }

  push(call: Call): void {
    if (this.queue.size === 0 && this.spentMs < SLICE_MS) this.begin(call);
    else this.queue.push(call.accountId, call);
    this.schedule();
  }

  /** Starts waiting calls in the next turn of the event loop, after other events were processed. */
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

  /** Starts a call now, on behalf of its account. */
  begin(call: Call): void {
    const beginMs = this.nowMs();
    void answerCall(this.answers, call, this.post);
    this.spentMs += this.nowMs() - beginMs;
  }
}
