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
} from '../model/webhook.ts';

/**
 * Webhooks of accounts and their pending deliveries. Null means that the account has no such
 * webhook.
 */
export interface WebhookRepository {
  add(request: WebhookRequest): Promise<WebhookAddition>;
  /** Oldest first. */
  list(accountId: string): Promise<readonly Webhook[]>;
  find(name: WebhookName): Promise<Webhook | null>;
  remove(name: WebhookName): Promise<Webhook | null>;
  /** The previous secret stays valid for one day. */
  rotate(name: WebhookName): Promise<WebhookWithSecret | null>;
  enable(name: WebhookName): Promise<Webhook | null>;
  /** Sends a ping. */
  test(name: WebhookName): Promise<DeliveryOutcome>;
  deliveries(query: DeliveryPageQuery): Promise<DeliveryPage | null>;
  /** Sends an event from the delivery log again, with its original ID. */
  redeliver(name: DeliveryName): Promise<DeliveryOutcome>;
}
