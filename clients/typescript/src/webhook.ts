import type { components } from '../generated/messages.ts';
import { WebhookError } from './errors.ts';
import { tryParse } from './http.ts';

type Schemas = components['schemas'];
type Key = Awaited<ReturnType<typeof crypto.subtle.importKey>>;

/** An event that a webhook delivers, distinguished by `type`. */
export type WebhookEvent = Extract<
  Schemas[keyof Schemas],
  { type: string; timestamp: string; data: unknown }
>;

export interface WebhookRequest {
  /** The secret that the webhook was registered with, `whsec_…`; both while it is rotated. */
  readonly secret: string | readonly string[];
  readonly headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The body exactly as it was received. */
  readonly body: string | Uint8Array;
  /** How far the clocks may differ, and how old a request may be. 300 if left out. */
  readonly toleranceSeconds?: number;
  /** The time by which it is judged; that of the clock if left out. */
  readonly nowMs?: number;
}

export interface VerifiedWebhook {
  /** The same whenever the event is delivered: an event that has been handled is one with a known id. */
  readonly id: string;
  /** Time of this attempt. */
  readonly sentAtMs: number;
  readonly event: WebhookEvent;
}

const PREFIX = 'whsec_';
/** Two are sent while a secret is rotated. */
const SIGNATURES_MAX = 8;

/**
 * Checks that a delivery was signed by the service with this secret, and recently. Throws
 * WebhookError, whose `fault` says why not.
 */
export async function verifyWebhook(request: WebhookRequest): Promise<VerifiedWebhook> {
  const { secret, headers, body, toleranceSeconds = 300, nowMs = Date.now() } = request;
  const id = headerOf(headers, 'webhook-id');
  const timestamp = headerOf(headers, 'webhook-timestamp');
  const given = headerOf(headers, 'webhook-signature');
  if (!/^[0-9]{1,12}$/.test(timestamp)) {
    throw new WebhookError('headers', 'webhook-timestamp must be the seconds since 1970.');
  }
  const aheadSeconds = Number(timestamp) - nowMs / 1_000;
  if (aheadSeconds < -toleranceSeconds) {
    throw new WebhookError('too-old', 'The request is too old; or the clock here is ahead.');
  }
  if (aheadSeconds > toleranceSeconds) {
    throw new WebhookError('too-new', 'The request is from the future: the clock here is behind.');
  }
  const signed = join(`${id}.${timestamp}.`, body);
  const signatures = given.split(' ', SIGNATURES_MAX).flatMap(signatureBytes);
  const keys = await Promise.all([secret].flat().map(importSecret));
  if (!(await isSignedByAny(keys, signatures, signed))) {
    throw new WebhookError('signature', 'No signature of the request is right.');
  }
  return { id, sentAtMs: Number(timestamp) * 1_000, event: parseEvent(body) };
}

async function isSignedByAny(
  keys: readonly Key[],
  signatures: readonly Uint8Array<ArrayBuffer>[],
  signed: Uint8Array<ArrayBuffer>,
): Promise<boolean> {
  for (const key of keys) {
    for (const signature of signatures) {
      if (await crypto.subtle.verify('HMAC', key, signature, signed)) return true;
    }
  }
  return false;
}

function importSecret(secret: string): Promise<Key> {
  const bytes = secret.startsWith(PREFIX) ? base64Bytes(secret.slice(PREFIX.length)) : null;
  if (bytes === null || bytes.length === 0) {
    throw new WebhookError('secret', `The secret must begin with ${PREFIX}.`);
  }
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, [
    'verify',
  ]);
}

function signatureBytes(text: string): Uint8Array<ArrayBuffer>[] {
  const bytes = text.startsWith('v1,') ? base64Bytes(text.slice(3)) : null;
  return bytes === null ? [] : [bytes];
}

/** Null for what is not base64. */
function base64Bytes(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  } catch {
    return null;
  }
}

function join(head: string, body: string | Uint8Array): Uint8Array<ArrayBuffer> {
  const encoder = new TextEncoder();
  const first = encoder.encode(head);
  const rest = typeof body === 'string' ? encoder.encode(body) : body;
  const whole = new Uint8Array(first.length + rest.length);
  whole.set(first);
  whole.set(rest, first.length);
  return whole;
}

function headerOf(headers: WebhookRequest['headers'], name: string): string {
  const value = headers instanceof Headers ? headers.get(name) : headers[name];
  if (typeof value === 'string' && value !== '') return value;
  throw new WebhookError('headers', `The request has no header ${name}.`);
}

function parseEvent(body: string | Uint8Array): WebhookEvent {
  const event = tryParse(typeof body === 'string' ? body : new TextDecoder().decode(body));
  const { type } = (event ?? {}) as { readonly type?: unknown };
  if (typeof type === 'string') return event as WebhookEvent;
  throw new WebhookError('body', 'The body is not an event.');
}
