import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { WebSocket } from 'ws';
import { displayText } from '../../lib/terminal/display-text.ts';
import { ServiceError } from '../../model/errors.ts';
import type { ServiceAddress } from './service-address.ts';
import { connectionProblem, refusal } from './service-problems.ts';

const HANDSHAKE_MS = 10_000;
const MESSAGE_BYTES_MAX = 16 * 2 ** 20;
const REFUSAL_BYTES_MAX = 65_536;
/** A service pings every 20 seconds. */
const SILENCE_MS_MAX = 60_000;
/** A service that does not complete the closing handshake is cut off. */
const GOODBYE_MS = 1_000;

/** A connection to the filtered stream of a service. */
export interface StreamConnection {
  readonly host: string;
  readonly send: (text: string) => void;
  /** Messages until the connection or the signal ends it. */
  readonly texts: (signal: AbortSignal) => AsyncIterable<string>;
  /** A sentence for people, once the messages have ended. */
  readonly endReason: () => string;
}

/** Throws ServiceError if there is no service, or if it refuses. */
export async function openStream(
  { baseUrl, key }: ServiceAddress,
  signal: AbortSignal,
): Promise<StreamConnection> {
  const url = new URL('/v1/stream', baseUrl);
  const socket = new WebSocket(url, {
    headers: key === null ? {} : { 'x-api-key': key },
    handshakeTimeout: HANDSHAKE_MS,
    maxPayload: MESSAGE_BYTES_MAX,
  });
  let silence: NodeJS.Timeout | undefined;
  const heard = () => {
    clearTimeout(silence);
    silence = setTimeout(() => socket.terminate(), SILENCE_MS_MAX);
  };
  const incoming = new Incoming();
  socket.on('ping', heard);
  socket.on('message', (data) => {
    heard();
    incoming.push(String(data));
    if (incoming.isFull) socket.pause();
  });
  socket.on('error', (error) => incoming.fail(error));
  socket.on('close', (code, reason) => {
    clearTimeout(silence);
    incoming.end(code, String(reason));
  });
  await opened(socket, url, key !== null, signal);
  heard();
  return {
    host: url.host,
    send: (text) => socket.send(text),
    texts: (ending) => incoming.texts(socket, ending),
    endReason: () => incoming.reason(url.host),
  };
}

async function opened(
  socket: WebSocket,
  url: URL,
  hasKey: boolean,
  signal: AbortSignal,
): Promise<void> {
  const refused = new Promise<never>((_, reject) => {
    socket.on('unexpected-response', (request, response) => {
      readText(response).then((text) => {
        request.destroy();
        const { statusCode: status = 0, headers } = response;
        const fields = new Headers();
        for (const name of ['retry-after', 'location']) {
          const value = headers[name];
          if (typeof value === 'string') fields.set(name, value);
        }
        reject(refusal({ url, hasKey, status, headers: fields, text }));
      }, reject);
    });
  });
  try {
    await Promise.race([once(socket, 'open', { signal }), refused]);
  } catch (error) {
    socket.terminate();
    if (error instanceof ServiceError || !(error instanceof Error)) throw error;
    throw connectionProblem(url, error);
  }
}

async function readText(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > REFUSAL_BYTES_MAX) break;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

/** Messages that were received and not yet taken. */
class Incoming {
  private readonly waiting: string[] = [];
  private wake: () => void = () => undefined;
  private failure: Error | null = null;
  private closed: { readonly code: number; readonly reason: string } | null = null;

  /** The socket is not read while this many messages wait: a slow terminal slows the service. */
  get isFull(): boolean {
    return this.waiting.length >= 1_000;
  }

  push(text: string): void {
    this.waiting.push(text);
    this.wake();
  }

  fail(error: Error): void {
    this.failure ??= error;
  }

  end(code: number, reason: string): void {
    this.closed = { code, reason };
    this.wake();
  }

  async *texts(socket: WebSocket, signal: AbortSignal): AsyncGenerator<string> {
    const stop = () => this.wake();
    signal.addEventListener('abort', stop);
    try {
      while (!signal.aborted) {
        const text = this.waiting.shift();
        if (text !== undefined) yield text;
        else if (this.closed !== null) return;
        else {
          socket.resume();
          await new Promise<void>((resolve) => {
            this.wake = resolve;
          });
        }
      }
    } finally {
      signal.removeEventListener('abort', stop);
      goodbye(socket);
    }
  }

  reason(host: string): string {
    if (this.closed?.reason) return `${host} closed the stream: ${displayText(this.closed.reason)}`;
    const message = this.failure === null ? '' : ` (${displayText(this.failure.message)})`;
    return `The connection to ${host} was lost${message}.`;
  }
}

function goodbye(socket: WebSocket): void {
  if (socket.readyState === WebSocket.CLOSED) return;
  socket.resume();
  socket.close(1000);
  setTimeout(() => socket.terminate(), GOODBYE_MS).unref();
}
