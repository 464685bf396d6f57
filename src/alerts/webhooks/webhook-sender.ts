import type { AttemptResult } from './attempt-verdict.ts';

/** One attempt as it leaves: signed already, so that whoever sends knows no secret. */
export interface OutgoingRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** What makes attempts. */
export interface WebhookSender {
  /** Whether anything may be sent. */
  readonly isTaking: boolean;
  /** Whether results may still be kept; what is in flight afterwards is sent again later. */
  readonly isOpen: boolean;
  /** Never rejects. */
  send(request: OutgoingRequest): Promise<AttemptResult>;
}

/** Sends nothing: what is put in waits. */
export const NO_SENDER: WebhookSender = {
  isTaking: false,
  isOpen: false,
  send: async () => ({ kind: 'interrupted' }),
};
