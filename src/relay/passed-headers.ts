import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { MIN_SLOT_HEADER } from '../api/http/min-slot.ts';

/** Headers that are about one connection (RFC 9110 §7.6.1), and an expectation that the node meets. */
const OF_CONNECTION: ReadonlySet<string> = new Set([
  'connection',
  'expect',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);
const HANDSHAKE = /^sec-websocket-/;

type Request = Pick<IncomingMessage, 'rawHeaders' | 'headers' | 'socket'>;

export interface Added {
  /** Slot that the answer must be as of; null for any. */
  readonly minSlot: number | null;
  /** Headers that replace those of the client. */
  readonly replaced?: Readonly<Record<string, string | null>>;
}

/**
 * The headers of a request for a replica, as names and values in turn: those of the client in its
 * order, the address of the client in `x-forwarded-for`, and the slot that the answer must be as of.
 */
export function passedRequestHeaders(
  { rawHeaders, headers, socket }: Request,
  { minSlot, replaced = {} }: Added,
): string[] {
  const left = new Set([...OF_CONNECTION, ...namesIn(headers.connection), 'content-length']);
  const passed: string[] = [];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] as string;
    const plain = name.toLowerCase();
    const isOwn = plain === MIN_SLOT_HEADER && minSlot !== null;
    if (left.has(plain) || HANDSHAKE.test(plain) || plain in replaced || isOwn) continue;
    passed.push(name, rawHeaders[at + 1] as string);
  }
  for (const [name, value] of Object.entries(replaced)) {
    if (value !== null) passed.push(name, value);
  }
  passed.push('x-forwarded-for', socket.remoteAddress ?? 'unknown');
  if (minSlot !== null) passed.push(MIN_SLOT_HEADER, String(minSlot));
  return passed;
}

/** The headers of an answer for the client. */
export function passedAnswerHeaders(
  headers: IncomingHttpHeaders,
): Record<string, string | string[]> {
  const left = new Set([...OF_CONNECTION, ...namesIn(headers.connection)]);
  const passed: Record<string, string | string[]> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined && !left.has(name)) passed[name] = value;
  }
  return passed;
}

function namesIn(connection: string | string[] | undefined): string[] {
  if (connection === undefined) return [];
  return [connection]
    .flat()
    .flatMap((one) => one.split(','))
    .map((name) => name.trim().toLowerCase());
}
