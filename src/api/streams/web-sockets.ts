import { type IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type WebSocket, WebSocketServer } from 'ws';
import { ApiError } from '../../model/errors.ts';
import type { ApiKeys } from '../api-keys.ts';
import { keyOf } from '../http/admission.ts';
import { closeSocket } from '../http/close-socket.ts';
import { presentedKeyOf } from '../http/presented-key.ts';
import type { StreamTickets } from '../http/stream-tickets.ts';
import { StreamClient, type StreamClientOptions } from './stream-client.ts';
import type { StreamLimit } from './stream-limit.ts';

export const PING_MS = 20_000;
/** Interval at which the validity of the keys of open streams is checked. */
const KEY_CHECK_MS = 2_500;
/** Clients of one-way streams send only pings and close frames. */
const MESSAGE_BYTES_MAX = 1_024;
/** Maximum size of a message of a client that sends operations. */
export const OPERATION_BYTES_MAX = 4_096;
/** Smaller messages do not become shorter when compressed. */
const COMPRESSED_BYTES_MIN = 1_024;
/** For clients that send operations. Contexts would take memory per client. */
export const SOCKET_COMPRESSION = {
  threshold: COMPRESSED_BYTES_MIN,
  serverNoContextTakeover: true,
  clientNoContextTakeover: true,
  zlibDeflateOptions: { level: 3, memLevel: 5 },
};
/** A client that does not complete the closing handshake is cut off after this time. */
const GOODBYE_MS = 5_000;

const TOO_SLOW = 'The client reads too slowly.';

export const NOT_A_WEB_SOCKET = 'This path is a WebSocket: open it with an upgrade.';

/** RFC 6455 §7.4.1, and 1013 (try again later) of the IANA registry. */
const CLOSED = { goingAway: 1001, refused: 1008, failed: 1011, slow: 1013 } as const;

export type WebSocketStream<Item> = Omit<StreamClientOptions<Item, Uint8Array>, 'sink'> & {
  /** First message sent; null for none. */
  readonly greeting: string | null;
};

/** What answers the messages of one client. */
export interface Dialog {
  /** Called once the connection is open. */
  greet(): void;
  take(message: Buffer, isBinary: boolean): void;
  end(): void;
}

/** The connection of a dialog. */
export interface DialogSocket {
  /** `onSent` is called when the bytes have left the process, or never will. */
  readonly send: (bytes: Uint8Array, onSent: () => void) => void;
  readonly onSlow: () => void;
  readonly onTooMany: () => void;
}

const SHUTTING_DOWN = 'The service is shutting down.';

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
  /** Whether its key, and its session if it has one, are still valid. */
  readonly isAuthorised: () => boolean;
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
  private readonly dialogs = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: SOCKET_COMPRESSION,
    maxPayload: OPERATION_BYTES_MAX,
  });
  private readonly upgrades = new WeakMap<IncomingMessage, Upgrade>();
  /** Lines of the answer that opens the WebSocket of a request, or refuses its handshake. */
  private readonly heads = new WeakMap<IncomingMessage, readonly string[]>();
  private readonly clients = new Map<WebSocket, Client>();
  private readonly keys: ApiKeys;
  private readonly limit: StreamLimit;
  private readonly tickets: StreamTickets;
  private readonly pings: NodeJS.Timeout;
  private readonly keyChecks: NodeJS.Timeout;
  private isClosing = false;

  constructor(app: FastifyInstance, keys: ApiKeys, limit: StreamLimit, tickets: StreamTickets) {
    this.keys = keys;
    this.limit = limit;
    this.tickets = tickets;
    for (const server of [this.server, this.dialogs]) {
      server.on('wsClientError', (error, socket, request) =>
        refuse(socket as Duplex, error.message, this.heads.get(request)),
      );
      server.on('headers', (lines, request) => lines.push(...(this.heads.get(request) ?? [])));
    }
    app.server.on('upgrade', (request, socket, head) => {
      tickets.moveKeyToHeader(request);
      this.route(app, request, socket, head);
    });
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
    this.upgrade(this.server, request, reply, (client) => this.follow(client, stream));
  }

  /** Like `open`, for a client that sends operations. */
  openDialog(
    request: FastifyRequest,
    reply: FastifyReply,
    createDialog: (socket: DialogSocket) => Dialog,
  ): void {
    this.upgrade(this.dialogs, request, reply, (client) => this.converse(client, createDialog));
  }

  private upgrade(
    server: WebSocketServer,
    request: FastifyRequest,
    reply: FastifyReply,
    onOpen: (client: WebSocket) => void,
  ): void {
    const upgrade = this.upgrades.get(request.raw);
    if (upgrade === undefined) throw new ApiError(400, NOT_A_WEB_SOCKET);
    // Nobody would close it, and the server would wait for it without end.
    if (this.isClosing) throw new ApiError(503, SHUTTING_DOWN);
    const leave = this.limit.enter(keyOf(request).accountId);
    reply.hijack();
    this.heads.set(request.raw, headOf(reply));
    const { socket, head, response } = upgrade;
    response.detachSocket(socket as ServerResponse['socket'] & Duplex);
    socket.once('close', leave);
    server.handleUpgrade(request.raw, socket, head, (client) => {
      const presented = presentedKeyOf(request);
      const isAuthorised = () =>
        presented.isOpen() &&
        this.tickets.isOpen(request.raw) &&
        this.keys.authenticate(presented.text) !== null;
      this.clients.set(client, { isAlive: true, isAuthorised });
      client.on('pong', () => this.alive(client));
      // A connection error closes that connection only.
      client.on('error', () => client.terminate());
      client.on('close', () => this.clients.delete(client));
      onOpen(client);
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
    client.on('close', () => reader.stop());
    if (greeting !== null) client.send(greeting);
    reader.run().then(
      (end) => {
        if (end === 'slow') goodbye(client, CLOSED.slow, TOO_SLOW);
      },
      () => goodbye(client, CLOSED.failed, 'The stream cannot be read at the moment.'),
    );
  }

  private converse(client: WebSocket, createDialog: (socket: DialogSocket) => Dialog): void {
    const dialog = createDialog({
      send: (bytes, onSent) => client.send(bytes, { binary: false }, onSent),
      onSlow: () => goodbye(client, CLOSED.slow, TOO_SLOW),
      onTooMany: () => goodbye(client, CLOSED.refused, 'The client sends too many operations.'),
    });
    client.on('close', () => dialog.end());
    client.on('message', (data: Buffer, isBinary) => {
      // Messages that arrive while the connection closes are not handled.
      if (client.readyState === client.OPEN) dialog.take(data, isBinary);
    });
    dialog.greet();
  }

  private alive(client: WebSocket): void {
    const known = this.clients.get(client);
    if (known !== undefined) known.isAlive = true;
  }

  /** Closes the streams of keys that are no longer valid. */
  private dropKeyless(): void {
    for (const [client, { isAuthorised }] of this.clients) {
      if (isAuthorised()) continue;
      goodbye(client, CLOSED.refused, 'The API key is no longer valid.');
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
    this.isClosing = true;
    clearInterval(this.pings);
    clearInterval(this.keyChecks);
    for (const client of this.clients.keys()) {
      goodbye(client, CLOSED.goingAway, SHUTTING_DOWN);
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

/** Headers of every answer that concern a WebSocket too. */
const OPENING_HEADERS = ['x-request-id', 'x-api-version', 'deprecation', 'sunset', 'link'] as const;

function headOf(reply: FastifyReply): readonly string[] {
  return OPENING_HEADERS.flatMap((name) => {
    const value = reply.getHeader(name);
    return value === undefined ? [] : [`${name}: ${value}`];
  });
}

/** Answers an invalid WebSocket handshake. */
function refuse(socket: Duplex, reason: string, head: readonly string[] = []): void {
  const body = JSON.stringify({ code: 400, message: `Invalid WebSocket handshake: ${reason}.` });
  closeSocket(
    socket,
    'HTTP/1.1 400 Bad Request\r\nconnection: close\r\ncontent-type: application/json\r\n' +
      `content-length: ${Buffer.byteLength(body)}\r\n${head.map((line) => `${line}\r\n`).join('')}` +
      `\r\n${body}`,
  );
}

/**
 * Whether to handle an upgrade request as a WebSocket. Other upgrades are answered as plain
 * requests.
 */
export function asksForWebSocket({ headers, method }: IncomingMessage): boolean {
  return method === 'GET' && headers.upgrade?.toLowerCase() === 'websocket';
}
