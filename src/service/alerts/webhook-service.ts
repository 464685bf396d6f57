import { randomUUID } from 'node:crypto';
import { newSecret } from '../../alerts/webhooks/signature.ts';
import { toWebhookEvent } from '../../alerts/webhooks/webhook-event.ts';
import { type PrivateOrigins, targetFault } from '../../alerts/webhooks/webhook-target.ts';
import { formatInstant } from '../../api/present/format-wire.ts';
import type { ClassificationDetail } from '../../model/fraud-review.ts';
import type {
  DeliveryName,
  DeliveryOutcome,
  DeliveryPage,
  DeliveryPageQuery,
  Webhook,
  WebhookAddition,
  WebhookName,
  WebhookRequest,
  WebhookWithSecret,
} from '../../model/webhook.ts';
import { PING_EVENT } from '../../model/webhook.ts';
import type { Store } from '../../store/store.ts';
import { type DispatchClock, type DispatchParts, WebhookDispatch } from './webhook-dispatch.ts';
import {
  type WebhookEventParts,
  type WebhookEventState,
  type WebhookEventStore,
  WebhookEvents,
} from './webhook-events.ts';
import { WebhookSubscribers } from './webhook-subscribers.ts';

/** Time for which the previous secret stays valid after a rotation. */
export const OVERLAP_MS = 24 * 3_600_000;

/** Stores of webhooks and their deliveries. */
export type WebhookStore = WebhookEventStore & Pick<Store, 'webhooks' | 'outbox' | 'together'>;

export interface WebhookServiceParts
  extends DispatchParts,
    Pick<WebhookEventParts, 'presentSignal'> {
  readonly privateOrigins: PrivateOrigins;
  readonly clock: DispatchClock;
}

/** Webhooks of accounts, on the ingestion thread: management calls and delivery. */
export class WebhookService {
  /** Listener of the fold. */
  readonly events: WebhookEvents;
  readonly dispatch: WebhookDispatch;
  readonly subscribers: WebhookSubscribers;
  private readonly store: WebhookStore;
  private readonly parts: WebhookServiceParts;

  constructor(state: WebhookEventState, store: WebhookStore, parts: WebhookServiceParts) {
    this.store = store;
    this.parts = parts;
    this.subscribers = new WebhookSubscribers(store.webhooks);
    this.dispatch = new WebhookDispatch(store, this.subscribers, parts);
    this.events = new WebhookEvents(state, store, this.subscribers, {
      presentSignal: parts.presentSignal,
      clock: parts.clock,
      wake: (ids) => this.dispatch.wake(ids),
      isOpen: () => parts.sender.isOpen,
    });
  }

  add(request: WebhookRequest): WebhookAddition {
    const reason = this.faultOf(request.url);
    if (reason !== null) return { kind: 'refused', reason };
    const secret = newSecret();
    const webhook = this.store.webhooks.add(request, secret);
    if (webhook === null)
      return { kind: 'full', webhooksMax: this.store.webhooks.limits.webhooksMax };
    this.subscribers.reload();
    return { kind: 'done', webhook, secret };
  }

  /** Why nothing may be sent to a URL; null if it may. */
  faultOf(url: string): string | null {
    return targetFault(url, this.parts.privateOrigins);
  }

  /** Called after a change of webhooks was stored. */
  reloadSubscribers(): void {
    this.subscribers.reload();
  }

  list(accountId: string): readonly Webhook[] {
    return this.store.webhooks.list(accountId);
  }

  find(name: WebhookName): Webhook | null {
    return this.store.webhooks.find(name);
  }

  remove(name: WebhookName): Webhook | null {
    const removed = this.store.webhooks.remove(name);
    this.subscribers.reload();
    return removed;
  }

  rotate(name: WebhookName): WebhookWithSecret | null {
    const secret = newSecret();
    const webhook = this.store.webhooks.rotate(name, secret, OVERLAP_MS);
    return webhook === null ? null : { webhook, secret };
  }

  /** Cancelled deliveries stay cancelled; they can be redelivered individually. */
  enable(name: WebhookName): Webhook | null {
    const webhook = this.store.webhooks.enable(name);
    this.subscribers.reload();
    return webhook;
  }

  test(name: WebhookName): DeliveryOutcome {
    return this.withActive(name, (webhook) => {
      const event = toWebhookEvent({
        type: PING_EVENT,
        name: randomUUID(),
        timestamp: formatInstant(this.parts.clock.nowMs()),
        data: { webhook_id: webhook.id },
      });
      this.store.outbox.put(webhook.id, event);
      return this.store.outbox.find(webhook.id, event.id);
    });
  }

  redeliver({ deliveryId, ...name }: DeliveryName): DeliveryOutcome {
    return this.withActive(name, ({ id }) => this.store.outbox.redeliver(id, deliveryId));
  }

  deliveries({ limit, offset, ...name }: DeliveryPageQuery): DeliveryPage | null {
    const webhook = this.find(name);
    return webhook === null ? null : this.store.outbox.list(webhook.id, limit, offset);
  }

  /** Called when a finding was reviewed. */
  reviewed(detail: ClassificationDetail): void {
    const atMs = detail.reviews.at(-1)?.atMs ?? this.parts.clock.nowMs();
    this.store.together(() => this.events.reviewed(detail, atMs));
    this.events.wakeTouched();
  }

  get pending(): number {
    return this.store.outbox.pendingTotal;
  }

  private withActive(
    name: WebhookName,
    send: (webhook: Webhook) => ReturnType<WebhookStore['outbox']['find']>,
  ): DeliveryOutcome {
    const webhook = this.find(name);
    if (webhook === null) return { kind: 'unknown' };
    if (webhook.disabledAtMs !== null) return { kind: 'disabled' };
    const delivery = this.store.together(() => send(webhook));
    if (delivery === null) return { kind: 'unknown' };
    this.dispatch.wake([webhook.id]);
    return { kind: 'done', delivery };
  }
}
