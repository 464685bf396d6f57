import { uuidV5 } from '../../lib/uuid.ts';
import type { WebhookEventType } from '../../model/webhook.ts';

/** An event that is not yet assigned to webhooks. */
export interface WebhookEvent {
  /** A UUID derived only from what happened: an event emitted twice has the same id. */
  readonly id: string;
  readonly type: string;
  /** The request body. Every attempt sends exactly these bytes. */
  readonly body: string;
}

export interface EventDraft {
  readonly type: WebhookEventType | 'ping';
  /** Identifies the event among all events of its type. */
  readonly name: string;
  /** When it happened, in the time format of the API. */
  readonly timestamp: string;
  /** The same representation as elsewhere in the API. */
  readonly data: unknown;
}

const ID_NAMESPACE = '2f0d9f0a-52a1-5c57-9d0f-7d5a1b6f4c83';

/** The body has the three keys of Standard Webhooks. */
export function toWebhookEvent({ type, name, timestamp, data }: EventDraft): WebhookEvent {
  return {
    id: uuidV5(ID_NAMESPACE, `${type} ${name}`),
    type,
    body: JSON.stringify({ type, timestamp, data }),
  };
}
