import { NO_SENDER, type WebhookSender } from '../../alerts/webhooks/webhook-sender.ts';
import type { PrivateOrigins } from '../../alerts/webhooks/webhook-target.ts';
import type { MetricFamilies } from '../../api/http/metrics.ts';
import { presentSignal } from '../../api/present/present-signal.ts';
import { NO_IMAGES } from '../../api/present/signal-image.ts';
import type { SignalListing } from '../../model/signal-listing.ts';
import type { Service } from '../app.ts';
import { serviceState } from '../service-state.ts';
import { wallClock } from './webhook-dispatch.ts';
import { WebhookService } from './webhook-service.ts';

/** How webhooks are sent. Without a sender, events are only queued. */
export interface WebhookOptions {
  readonly sender?: WebhookSender;
  readonly privateOrigins?: PrivateOrigins;
}

/** The webhooks of a service, fed by its current engine. */
export function openWebhookService(
  service: Pick<Service, 'store' | 'ingestion'>,
  { sender = NO_SENDER, privateOrigins = [] }: WebhookOptions,
): WebhookService {
  const parts = {
    sender,
    privateOrigins,
    presentSignal: presentUnpictured,
    clock: wallClock,
    random: Math.random,
  };
  return new WebhookService(serviceState(service), service.store, parts);
}

/** The ingestion thread has no access to pictures. */
function presentUnpictured(listing: SignalListing) {
  return presentSignal(listing, NO_IMAGES);
}

export function exposeWebhooks(metrics: MetricFamilies, service: WebhookService): void {
  metrics.exposeCounter({
    name: 'webhook_attempts_total',
    help: 'Attempts to deliver to webhooks, by outcome.',
    labelNames: ['outcome'],
    read: () =>
      Object.entries(service.dispatch.counts).map(([outcome, count]) => [{ outcome }, count]),
  });
  metrics.exposeGauge({
    name: 'webhook_pending_deliveries',
    help: 'Pending webhook deliveries.',
    read: () => [[{}, service.pending]],
  });
  metrics.exposeGauge({
    name: 'webhooks',
    help: 'Webhooks of all accounts, by state.',
    labelNames: ['state'],
    read: () =>
      Object.entries(service.subscribers.sizes).map(([state, count]) => [{ state }, count]),
  });
}
