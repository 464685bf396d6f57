import type { AttemptResult } from '../alerts/webhooks/attempt-verdict.ts';
import type { OutgoingRequest } from '../alerts/webhooks/webhook-sender.ts';
import type { PrivateOrigins } from '../alerts/webhooks/webhook-target.ts';

/** Settings passed to the webhook thread at its start. */
export interface WebhookSettings {
  readonly privateOrigins: PrivateOrigins;
  readonly userAgent: string;
  /** Alternative response timeout, for tests. */
  readonly timeoutMs?: number;
}

export interface ToWebhooks {
  readonly id: number;
  readonly request: OutgoingRequest;
}

export interface FromWebhooks {
  readonly id: number;
  readonly result: AttemptResult;
}
