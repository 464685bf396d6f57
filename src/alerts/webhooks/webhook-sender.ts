import type { AttemptResult } from './attempt-verdict.ts';

/** The HTTP request of one attempt. It is already signed, so the sender never sees a secret. */
export interface OutgoingRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Sends delivery attempts. */
export interface WebhookSender {
  /** Whether new attempts may be sent. */
  readonly isTaking: boolean;
  /** Whether results may still be stored. Attempts in flight after that are sent again later. */
  readonly isOpen: boolean;
  /** Calls the listener when attempts that it interrupted can be sent from now on. */
  onAble?(listener: () => void): void;
  /** Never rejects. */
  send(request: OutgoingRequest): Promise<AttemptResult>;
}

/** Sends nothing: events stay queued. */
export const NO_SENDER: WebhookSender = {
  isTaking: false,
  isOpen: false,
  send: async () => ({ kind: 'interrupted' }),
};
