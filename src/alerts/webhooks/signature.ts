import { createHmac, randomBytes } from 'node:crypto';

/** The signed content in the Standard Webhooks form `id.timestamp.body`. */
export interface SignedMessage {
  readonly id: string;
  /** Time of the attempt in seconds since 1970. */
  readonly timestamp: number;
  readonly body: string;
}

const PREFIX = 'whsec_';
const SECRET_BYTES = 32;

/** Creates a secret: `whsec_` and 32 random bytes in base64. */
export function newSecret(): string {
  return PREFIX + randomBytes(SECRET_BYTES).toString('base64');
}

/** The value of `webhook-signature`: one signature per secret, separated by spaces. */
export function signatureOf(message: SignedMessage, secrets: readonly string[]): string {
  return secrets.map((secret) => signedWith(message, secret)).join(' ');
}

/** The headers of an attempt, including the content type. */
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
