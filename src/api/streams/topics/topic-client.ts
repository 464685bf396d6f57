import type { StreamGap } from '../../stream-source.ts';
import type { Outbox } from './outbox.ts';
import type { Subscriber, Subscription, TopicHub, TopicRequest } from './topic-hub.ts';
import type { MessageWriter, SubscriptionId } from './topic-messages.ts';

/** Subscriptions of one client. */
export const SUBSCRIPTIONS_PER_CLIENT_MAX = 500;

/**
 * The subscriptions of one client. Current messages are sent at once; missed ones of a subscription
 * that resumes are sent as fast as the client reads, before its current ones.
 */
export class TopicClient {
  private readonly hub: TopicHub;
  private readonly outbox: Outbox;
  private readonly writer: MessageWriter;
  private readonly subscriptions = new Map<SubscriptionId, Subscription>();
  /** Subscriptions that have not reached the newest message. */
  private readonly resuming = new Map<SubscriptionId, Subscription>();
  private isScheduled = false;
  private lastLost = -1;

  constructor(hub: TopicHub, outbox: Outbox, writer: MessageWriter) {
    this.hub = hub;
    this.outbox = outbox;
    this.writer = writer;
  }

  get size(): number {
    return this.subscriptions.size;
  }

  has(id: SubscriptionId): boolean {
    return this.subscriptions.has(id);
  }

  subscribe(id: SubscriptionId, request: TopicRequest): void {
    let isRefused = false;
    let isReady = false;
    const begin = () => {
      const subscription = this.subscriptions.get(id);
      if (subscription === undefined) return;
      this.resuming.set(id, subscription);
      this.schedule();
    };
    const subscriber: Subscriber = {
      onReady: (seq, slot) => {
        this.outbox.send(this.writer.ack(id, seq, slot));
        isReady = true;
        begin();
      },
      onRefused: (error) => {
        isRefused = true;
        this.subscriptions.delete(id);
        this.outbox.send(this.writer.error(id, error));
      },
      onEntry: (entry) => this.outbox.send(this.writer.entry(id, entry)),
      onLost: (gap) => this.lose(gap),
    };
    const subscription = this.hub.subscribe(request, subscriber);
    if (isRefused) return;
    this.subscriptions.set(id, subscription);
    if (isReady) begin();
  }

  /** Returns false if there is no such subscription. */
  unsubscribe(id: SubscriptionId): boolean {
    const subscription = this.subscriptions.get(id);
    subscription?.end();
    this.resuming.delete(id);
    return this.subscriptions.delete(id);
  }

  /** Continues to send missed messages. */
  resume(): void {
    for (const [id, subscription] of this.resuming) {
      while (this.outbox.hasRoom) {
        const step = subscription.replay();
        if (step === null) {
          this.resuming.delete(id);
          break;
        }
        if (step.gap !== null) this.outbox.send(this.writer.gap(id, step.gap));
        for (const entry of step.entries) this.outbox.send(this.writer.entry(id, entry));
      }
    }
  }

  end(): void {
    this.outbox.end();
    for (const subscription of this.subscriptions.values()) subscription.end();
    this.subscriptions.clear();
    this.resuming.clear();
  }

  /** A subscription becomes current after the messages of this turn. */
  private schedule(): void {
    if (this.isScheduled) return;
    this.isScheduled = true;
    queueMicrotask(() => {
      this.isScheduled = false;
      this.resume();
    });
  }

  /** One message for a gap in all subscriptions. */
  private lose(gap: StreamGap): void {
    if (gap.to === this.lastLost) return;
    this.lastLost = gap.to;
    this.outbox.send(this.writer.gap(null, gap));
  }
}
