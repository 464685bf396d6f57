import { uuidV5 } from '../../lib/uuid.ts';
import type { WebhookEventType } from '../../model/webhook.ts';

/** An event before it is known who is told of it. */
export interface WebhookEvent {
  /** A UUID that depends on nothing but what happened: told twice it is one event. */
  readonly id: string;
  readonly type: string;
  /** What is sent, to the byte, by every attempt. */
  readonly body: string;
}

export interface EventDraft {
  readonly type: WebhookEventType | 'ping';
  /** Names what happened among all events of its type. */
  readonly name: string;
  /** When it happened, as the wire writes times. */
  readonly timestamp: string;
  /** As the same thing is told elsewhere on the wire. */
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
