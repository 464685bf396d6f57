import type { IncomingMessage } from 'node:http';
import { WebSocket } from 'ws';
import type { Replica } from './replica.ts';

const REPLICA_MESSAGE_BYTES_MAX = 16 * 1_048_576;
const HANDSHAKE_MS = 10_000;
const REFUSAL_BYTES_MAX = 65_536;

/** A refusal of a replica, as it was sent. */
export interface Refusal {
  readonly kind: 'refused';
  readonly replica: Replica;
  readonly status: number;
  readonly text: string;
}

export interface Opened {
  readonly kind: 'opened';
  readonly replica: Replica;
  readonly socket: WebSocket;
  /** Headers of the handshake that are passed on. */
  readonly headers: readonly string[];
  /** Messages that came before anybody listened. */
  readonly early: string[];
}

/**
 * Opens a WebSocket to a replica, which ends when that turns silent; null if it does not answer.
 * `passed`: names and values in turn.
 */
export function openUpstream(
  replica: Replica,
  path: string,
  passed: readonly string[],
): Promise<Opened | Refusal | null> {
  replica.sent++;
  const socket = new WebSocket(replica.origin.replace(/^http/, 'ws') + path, {
    headers: recordOf(passed),
    handshakeTimeout: HANDSHAKE_MS,
    maxPayload: REPLICA_MESSAGE_BYTES_MAX,
    perMessageDeflate: false,
  });
  const forget = replica.endWhenSilent(() => socket.terminate());
  socket.once('close', forget);
  const headers: string[] = [];
  const early: string[] = [];
  socket.on('message', (data) => early.push(String(data)));
  socket.once('upgrade', (answer) => headers.push(...openingHeadersOf(answer)));
  return new Promise((resolve) => {
    socket.once('open', () => resolve({ kind: 'opened', replica, socket, headers, early }));
    socket.on('error', () => resolve(null));
    socket.once('unexpected-response', (sent, answer: IncomingMessage) => {
      void refusalFrom(answer)
        .then(
          (text) => {
            sent.destroy();
            resolve({ kind: 'refused', replica, status: answer.statusCode ?? 502, text });
          },
          () => resolve(null),
        )
        .finally(forget);
    });
  });
}

/** Headers of a handshake that are about the service. */
function openingHeadersOf({ rawHeaders }: IncomingMessage): string[] {
  const lines: string[] = [];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] as string;
    if (!/^(upgrade|connection|sec-websocket-.*)$/i.test(name)) {
      lines.push(`${name}: ${rawHeaders[at + 1]}`);
    }
  }
  return lines;
}

/** The answer of a replica that refuses a handshake, as text to send. */
async function refusalFrom(answer: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of answer) {
    bytes += (chunk as Buffer).length;
    if (bytes > REFUSAL_BYTES_MAX) break;
    chunks.push(chunk as Buffer);
  }
  const lines = openingHeadersOf(answer).filter((line) => !/^transfer-encoding:/i.test(line));
  const head = [
    `HTTP/1.1 ${answer.statusCode} ${answer.statusMessage}`,
    ...lines,
    'connection: close',
  ];
  return `${head.join('\r\n')}\r\n\r\n${Buffer.concat(chunks)}`;
}

/** Repeated headers as lists. */
function recordOf(headers: readonly string[]): Record<string, string | string[]> {
  const record: Record<string, string | string[]> = {};
  for (let at = 0; at < headers.length; at += 2) {
    const name = (headers[at] as string).toLowerCase();
    const value = headers[at + 1] as string;
    const known = record[name];
    record[name] = known === undefined ? value : [known, value].flat();
  }
  return record;
}
