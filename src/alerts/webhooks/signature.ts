import { createHmac, randomBytes } from 'node:crypto';

/** What is signed: the Standard Webhooks form `id.timestamp.body`. */
export interface SignedMessage {
  readonly id: string;
  /** Seconds since 1970, of the attempt. */
  readonly timestamp: number;
  readonly body: string;
}

const PREFIX = 'whsec_';
const SECRET_BYTES = 32;

/** A secret that nobody has: `whsec_` and 32 random bytes in base64. */
export function newSecret(): string {
  return PREFIX + randomBytes(SECRET_BYTES).toString('base64');
}

/** The value of `webhook-signature`: one signature for each secret, with spaces between them. */
export function signatureOf(message: SignedMessage, secrets: readonly string[]): string {
  return secrets.map((secret) => signedWith(message, secret)).join(' ');
}

/** The headers of an attempt, body type included. */
export function webhookHeaders(
  message: SignedMessage,
  secrets: readonly string[],
): Readonly<Record<string, string>> {
  return {
    'content-type': 'application/json',
    'webhook-id': message.id,
    'webhook-timestamp': String(message.timestamp),
    'webhook-signature': signatureOf(message, secrets),
  };
}

function signedWith({ id, timestamp, body }: SignedMessage, secret: string): string {
  const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
  const digest = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
  return `v1,${digest}`;
}
