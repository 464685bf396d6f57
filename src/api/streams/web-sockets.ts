import { type IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type WebSocket, WebSocketServer } from 'ws';
import { ApiError } from '../../model/errors.ts';
import type { ApiKeys } from '../api-keys.ts';
import { keyOf } from '../http/admission.ts';
import { closeSocket } from '../http/close-socket.ts';
import { StreamClient, type StreamClientOptions } from './stream-client.ts';
import type { StreamLimit } from './stream-limit.ts';

export const PING_MS = 20_000;
/** Interval at which the validity of the keys of open streams is checked. */
const KEY_CHECK_MS = 2_500;
/** Clients send only pings and close frames. */
const MESSAGE_BYTES_MAX = 1_024;
/** A client that does not complete the closing handshake is cut off after this time. */
const GOODBYE_MS = 5_000;

export const NOT_A_WEB_SOCKET = 'This path is a WebSocket: open it with an upgrade.';

/** RFC 6455 §7.4.1, and 1013 (try again later) of the IANA registry. */
const CLOSED = { goingAway: 1001, keyIsGone: 1008, failed: 1011, slow: 1013 } as const;

export type WebSocketStream<Item> = Omit<StreamClientOptions<Item, Uint8Array>, 'sink'> & {
  /** First message sent; null for none. */
  readonly greeting: string | null;
};

declare module 'fastify' {
  interface FastifyInstance {
    webSockets: WebSockets;
  }
}

interface Upgrade {
  readonly socket: Duplex;
  readonly head: Buffer;
  readonly response: ServerResponse;
}

interface Client {
  isAlive: boolean;
  readonly presented: string;
}

/**
 * WebSockets behind the same admission as other requests: an upgrade is routed, admitted and
 * refused like a GET, with the same error bodies. It becomes a WebSocket only when its route opens
 * it.
 */
export class WebSockets {
  private readonly server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: MESSAGE_BYTES_MAX,
  });
  private readonly upgrades = new WeakMap<IncomingMessage, Upgrade>();
  private readonly clients = new Map<WebSocket, Client>();
  private readonly keys: ApiKeys;
  private readonly limit: StreamLimit;
  private readonly pings: NodeJS.Timeout;
  private readonly keyChecks: NodeJS.Timeout;

  constructor(app: FastifyInstance, keys: ApiKeys, limit: StreamLimit) {
    this.keys = keys;
    this.limit = limit;
    this.server.on('wsClientError', (error, socket) => refuse(socket as Duplex, error.message));
    app.server.on('upgrade', (request, socket, head) => this.route(app, request, socket, head));
    app.addHook('preClose', (done) => {
      this.close();
      done();
    });
    this.pings = setInterval(() => this.pingAll(), PING_MS).unref();
    this.keyChecks = setInterval(() => this.dropKeyless(), KEY_CHECK_MS).unref();
  }

  get size(): number {
    return this.clients.size;
  }

  /** Upgrades a request to a stream. Throws ApiError if the request is not a WebSocket upgrade. */
  open<Item>(request: FastifyRequest, reply: FastifyReply, stream: WebSocketStream<Item>): void {
    const upgrade = this.upgrades.get(request.raw);
    if (upgrade === undefined) throw new ApiError(400, NOT_A_WEB_SOCKET);
    const leave = this.limit.enter(keyOf(request).accountId);
    reply.hijack();
    const { socket, head, response } = upgrade;
    response.detachSocket(socket as ServerResponse['socket'] & Duplex);
    socket.once('close', leave);
    this.server.handleUpgrade(request.raw, socket, head, (client) => {
      const presented = String(request.headers['x-api-key']);
      this.clients.set(client, { isAlive: true, presented });
      this.follow(client, stream);
    });
  }

  private route(
    app: FastifyInstance,
    request: IncomingMessage,
    socket: Duplex,
    head: Buffer,
  ): void {
    moveKeyToHeader(request);
    const response = new ServerResponse(request);
    response.assignSocket(socket as ServerResponse['socket'] & Duplex);
    // No further request is read from this connection, so a response closes it.
    response.shouldKeepAlive = false;
    response.once('finish', () => closeSocket(socket));
    socket.on('error', () => socket.destroy());
    this.upgrades.set(request, { socket, head, response });
    app.routing(request, response);
  }

  private follow<Item>(client: WebSocket, { greeting, ...stream }: WebSocketStream<Item>): void {
    const reader = new StreamClient({
      ...stream,
      sink: {
        send: (message: Uint8Array, onSent) => client.send(message, { binary: false }, onSent),
      },
    });
    client.on('pong', () => this.alive(client));
    // A connection error closes that connection only.
    client.on('error', () => client.terminate());
    client.on('close', () => {
      this.clients.delete(client);
      reader.stop();
    });
    if (greeting !== null) client.send(greeting);
    reader.run().then(
      (end) => {
        if (end === 'slow') goodbye(client, CLOSED.slow, 'The client reads too slowly.');
      },
      () => goodbye(client, CLOSED.failed, 'The stream cannot be read at the moment.'),
    );
  }

  private alive(client: WebSocket): void {
    const known = this.clients.get(client);
    if (known !== undefined) known.isAlive = true;
  }

  /** Closes the streams of keys that are no longer valid. */
  private dropKeyless(): void {
    for (const [client, { presented }] of this.clients) {
      if (this.keys.authenticate(presented) !== null) continue;
      goodbye(client, CLOSED.keyIsGone, 'The API key is no longer valid.');
    }
  }

  /** Disconnects clients that did not answer the last ping. */
  private pingAll(): void {
    for (const [client, known] of this.clients) {
      if (!known.isAlive) client.terminate();
      else {
        known.isAlive = false;
        client.ping();
      }
    }
  }

  private close(): void {
    clearInterval(this.pings);
    clearInterval(this.keyChecks);
    for (const client of this.clients.keys()) {
      goodbye(client, CLOSED.goingAway, 'The service is shutting down.');
    }
  }
}

function goodbye(client: WebSocket, code: number, reason: string): void {
  client.close(code, reason);
  setTimeout(() => client.terminate(), GOODBYE_MS).unref();
}

/**
 * Browsers cannot set the headers of a WebSocket: the key may be passed once as a query parameter.
 */
function moveKeyToHeader(request: IncomingMessage): void {
  if (request.headers['x-api-key'] !== undefined) return;
  const query = new URLSearchParams(request.url?.split('?', 2)[1] ?? '');
  const [key, ...more] = query.getAll('api_key');
  if (key !== undefined && more.length === 0) request.headers['x-api-key'] = key;
}

/** Answers an invalid WebSocket handshake. */
function refuse(socket: Duplex, reason: string): void {
  const body = JSON.stringify({ code: 400, message: `Invalid WebSocket handshake: ${reason}.` });
  closeSocket(
    socket,
    'HTTP/1.1 400 Bad Request\r\nconnection: close\r\ncontent-type: application/json\r\n' +
      `content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
}

/**
 * Whether to handle an upgrade request as a WebSocket. Other upgrades are answered as plain
 * requests.
 */
export function asksForWebSocket({ headers, method }: IncomingMessage): boolean {
  return method === 'GET' && headers.upgrade?.toLowerCase() === 'websocket';
}
