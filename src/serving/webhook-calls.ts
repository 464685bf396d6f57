import { NO_SENDER, type WebhookSender } from '../alerts/webhooks/webhook-sender.ts';
import type { PrivateOrigins } from '../alerts/webhooks/webhook-target.ts';
import type { MetricFamilies } from '../api/http/metrics.ts';
import { presentSignal } from '../api/present/present-signal.ts';
import { NO_IMAGES } from '../api/present/signal-image.ts';
import type { SignalListing } from '../model/signal-file.ts';
import type { WebhookCalls } from '../model/webhook.ts';
import type { Service } from '../service/app.ts';
import type { CallHandlers } from './call-desk.ts';
import { WebhookDesk } from './webhook-desk.ts';
import { wallClock } from './webhook-dispatch.ts';

/** How webhooks are sent; what is put in only waits without. */
export interface WebhookOptions {
  readonly sender?: WebhookSender;
  readonly privateOrigins?: PrivateOrigins;
}

/** The webhooks of a service, told by whichever fold answers. */
export function openWebhookDesk(
  { store, ingestion }: Pick<Service, 'store' | 'ingestion'>,
  { sender = NO_SENDER, privateOrigins = [] }: WebhookOptions,
): WebhookDesk {
  const state = {
    get engine() {
      return ingestion.engine;
    },
    get finalSlot() {
      return ingestion.status.finalSlot ?? -1;
    },
    get unwritten() {
      return ingestion.unwritten;
    },
  };
  const parts = {
    sender,
    privateOrigins,
    presentSignal: presentUnpictured,
    clock: wallClock,
    random: Math.random,
  };
  return new WebhookDesk(state, store, parts);
}

/** The thread that folds has no pictures. */
function presentUnpictured(listing: SignalListing) {
  return presentSignal(listing, NO_IMAGES);
}

/** What answers the calls about webhooks. */
export function webhookCalls(desk: WebhookDesk): Pick<CallHandlers, keyof WebhookCalls> {
  return {
    webhookAdd: (request) => desk.add(request),
    webhooks: ({ accountId }) => desk.list(accountId),
    webhook: (name) => desk.find(name),
    webhookRemove: (name) => desk.remove(name),
    webhookRotate: (name) => desk.rotate(name),
    webhookEnable: (name) => desk.enable(name),
    webhookTest: (name) => desk.test(name),
    webhookDeliveries: (query) => desk.deliveries(query),
    webhookRedeliver: (name) => desk.redeliver(name),
  };
}

export function exposeWebhooks(metrics: MetricFamilies, desk: WebhookDesk): void {
  metrics.exposeCounter({
    name: 'webhook_attempts_total',
    help: 'Attempts to deliver to webhooks, by outcome.',
    labelNames: ['outcome'],
    read: () =>
      Object.entries(desk.dispatch.counts).map(([outcome, count]) => [{ outcome }, count]),
  });
  metrics.exposeGauge({
    name: 'webhook_pending_deliveries',
    help: 'Deliveries to webhooks that wait.',
    read: () => [[{}, desk.pending]],
  });
  metrics.exposeGauge({
    name: 'webhooks',
    help: 'Webhooks of all accounts, by state.',
    labelNames: ['state'],
    read: () => Object.entries(desk.subscribers.sizes).map(([state, count]) => [{ state }, count]),
  });
}
