import type { AttemptResult } from '../alerts/webhooks/attempt-verdict.ts';
import type { OutgoingRequest } from '../alerts/webhooks/webhook-sender.ts';
import type { PrivateOrigins } from '../alerts/webhooks/webhook-target.ts';

/** What the thread that sends webhooks is told at its start. */
export interface WebhookSettings {
  readonly privateOrigins: PrivateOrigins;
  readonly userAgent: string;
  /** Another time to be answered within, for tests. */
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
