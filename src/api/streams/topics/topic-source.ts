import type { ApiError } from '../../../model/errors.ts';
import type { Batch, StreamSource } from '../../stream-source.ts';
import type { LogEntry } from './stream-log.ts';
import type { Subscriber, Subscription, TopicHub, TopicRequest } from './topic-hub.ts';

type Hub = Pick<TopicHub, 'subscribe' | 'newest'>;

/**
 * A subscription as a stream that is read by position, for clients that read at their own speed:
 * each read is a subscription that resumes from the retained messages and ends. Subjects stay wanted
 * for a while after it, so that nothing is missed between two reads.
 */
export class TopicSource implements StreamSource<LogEntry> {
  private readonly hub: Hub;
  private readonly request: Omit<TopicRequest, 'since'>;
  /** Why the watch ended; the next read fails with it. */
  private refusal: ApiError | null = null;

  constructor(hub: Hub, request: Omit<TopicRequest, 'since'>) {
    this.hub = hub;
    this.request = request;
  }

  /** Rejects with ApiError 503. */
  async newest(): Promise<number> {
    const { subscription, seq } = await this.subscribe(null);
    subscription.end();
    return seq;
  }

  /** Rejects with ApiError 503. */
  async after(seq: number): Promise<Batch<LogEntry>> {
    if (this.refusal !== null) throw this.refusal;
    const { subscription } = await this.subscribe(seq);
    try {
      for (;;) {
        const step = subscription.replay();
        // Everything up to the newest message was looked at in this turn.
        if (step === null) {
          return { gap: null, entries: [], next: Math.max(seq, this.hub.newest) };
        }
        const { gap, entries } = step;
        const last = entries.at(-1)?.seq ?? gap?.to;
        if (last !== undefined) {
          return { gap, entries: entries.map((item) => ({ seq: item.seq, item })), next: last };
        }
      }
    } finally {
      subscription.end();
    }
  }

  watch(onEvents: () => void): () => void {
    const subscription = this.hub.subscribe(
      { ...this.request, since: null },
      {
        // A subscription is sent messages once it has read the retained ones.
        onReady: () => queueMicrotask(() => drain(subscription)),
        onRefused: (error) => {
          this.refusal = error;
          onEvents();
        },
        onEntry: onEvents,
        onLost: onEvents,
      },
    );
    return () => subscription.end();
  }

  private subscribe(
    since: number | null,
  ): Promise<{ readonly subscription: Subscription; readonly seq: number }> {
    return new Promise((resolve, reject) => {
      const subscriber: Subscriber = {
        // It may be called before `subscribe` returns.
        onReady: (seq) => queueMicrotask(() => resolve({ subscription, seq })),
        onRefused: reject,
        onEntry: () => undefined,
        onLost: () => undefined,
      };
      const subscription = this.hub.subscribe({ ...this.request, since }, subscriber);
    });
  }
}

function drain(subscription: Subscription): void {
  while (subscription.replay() !== null);
}
