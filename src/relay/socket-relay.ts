import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import type { ResponseIdentity } from '../api/http/client-error.ts';
import { closeSocket } from '../api/http/close-socket.ts';
import { OPERATION_BYTES_MAX, PING_MS, SOCKET_COMPRESSION } from '../api/streams/web-sockets.ts';
import { ApiError } from '../model/errors.ts';
import { type Opened, openUpstream, type Refusal } from './open-upstream.ts';
import { passedRequestHeaders } from './passed-headers.ts';
import { PREPARED_MS, prepareSubscriptions } from './prepare-standby.ts';
import type { RelayCounts } from './relay-counts.ts';
import { errorAnswer } from './relay-error.ts';
import { reopen } from './reopen.ts';
import type { Replica } from './replica.ts';
import type { Replicas } from './replicas.ts';
import { pathOf } from './request-kind.ts';
import { localSecretOf, type SessionHomes } from './session-homes.ts';
import { DialogSession, OneWaySession, type SocketSession } from './socket-session.ts';

export interface SocketRelayOptions {
  readonly replicas: Replicas;
  readonly counts: RelayCounts;
  readonly identity: ResponseIdentity;
  readonly homes: SessionHomes;
  readonly onAdmitted: (request: IncomingMessage) => void;
  readonly streamsMax?: number;
  /** Time in which a stream must go on at another replica. */
  readonly reopenMs?: number | undefined;
}

const STREAMS_MAX = 10_000;
const DIALOG_PATH = '/v1/stream';
/** Bytes that a client may leave unread. */
const BUFFERED_BYTES_MAX = 2 * 1_048_576;
/** Messages of a client that wait while its stream moves. */
const WAITING_MAX = 1_000;
const CLOSE_MS = 5_000;

/** Codes with which a replica ends the stream of a client, rather than itself. */
const OF_CLIENT: ReadonlySet<number> = new Set([1000, 1003, 1007, 1008, 1009, 1013]);

/** WebSockets of clients, each with one to a replica; it moves to another one when that is lost. */
export class SocketRelay {
  private readonly options: SocketRelayOptions;
  private readonly server = new WebSocketServer({
    noServer: true,
    clientTracking: true,
    perMessageDeflate: SOCKET_COMPRESSION,
    maxPayload: OPERATION_BYTES_MAX,
  });
  private readonly alive = new WeakSet<WebSocket>();
  private readonly heads = new WeakMap<IncomingMessage, readonly string[]>();
  private readonly pings: NodeJS.Timeout;

  constructor(options: SocketRelayOptions) {
    this.options = options;
    this.server.on('headers', (lines, request) => lines.push(...(this.heads.get(request) ?? [])));
    this.pings = setInterval(() => this.pingAll(), PING_MS).unref();
  }

  /** Answers an upgrade. Never rejects. */
  async handle(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const { counts, identity, streamsMax = STREAMS_MAX } = this.options;
    socket.on('error', () => socket.destroy());
    const session = sessionOf(request.url ?? '');
    counts.streams++;
    socket.once('close', () => counts.streams--);
    const opened = counts.streams > streamsMax ? null : await this.connect(request, session);
    if (socket.destroyed) {
      if (opened?.kind === 'opened') opened.socket.terminate();
      return;
    }
    if (opened === null) {
      const error = new ApiError(503, 'No replica answers: try again later.');
      const { headers, body } = errorAnswer(identity, request, error);
      closeSocket(socket, `HTTP/1.1 503 Service Unavailable\r\n${linesOf(headers)}\r\n${body}`);
      return;
    }
    if (opened.kind === 'refused') {
      closeSocket(socket, opened.text);
      return;
    }
    this.heads.set(request, opened.headers);
    this.server.handleUpgrade(request, socket, head, (client) => {
      this.options.onAdmitted(request);
      this.alive.add(client);
      client.on('pong', () => this.alive.add(client));
      client.on('error', () => client.terminate());
      void this.converse(client, request, session, opened);
    });
  }

  close(): void {
    clearInterval(this.pings);
    for (const client of this.server.clients) goodbye(client, 1001, 'The node is shutting down.');
  }

  /** Passes messages both ways, at one replica after the other. Never rejects. */
  private async converse(
    client: WebSocket,
    request: IncomingMessage,
    session: SocketSession,
    first: Opened,
  ): Promise<void> {
    const { counts } = this.options;
    const leaving = new AbortController();
    client.once('close', () => leaving.abort());
    const waiting: string[] = [];
    let upstream: WebSocket | null = null;
    client.on('message', (data, isBinary) => {
      // A replica refuses both binary messages and broken JSON, in its own words.
      const text = isBinary ? '\u0000' : String(data);
      if (upstream !== null) {
        session.sent(text);
        upstream.send(isBinary ? data : text, { binary: isBinary });
      } else if (waiting.length < WAITING_MAX) waiting.push(text);
      else goodbye(client, 1008, 'The client sends too many operations.');
    });
    for (let current: Opened | null = first; current !== null; ) {
      upstream = current.socket;
      for (const text of waiting.splice(0)) {
        session.sent(text);
        upstream.send(text);
      }
      const { code, reason } = await this.pass(client, request, session, current);
      upstream = null;
      if (leaving.signal.aborted) return;
      if (OF_CLIENT.has(code)) {
        goodbye(client, code, reason);
        return;
      }
      const { replica: lost }: Opened = current;
      current = await this.move(request, session, lost, leaving.signal);
    }
    if (leaving.signal.aborted) return;
    counts.moves.ended++;
    goodbye(client, 1012, 'The replica of this stream was lost: connect again.');
  }

  private async move(
    request: IncomingMessage,
    session: SocketSession,
    lost: Replica,
    signal: AbortSignal,
  ): Promise<Opened | null> {
    const connected = await reopen(
      (tried) => this.connectAgain(request, session, tried),
      ({ kind }) => kind === 'opened',
      { lost, signal, withinMs: this.options.reopenMs },
    );
    if (connected?.kind !== 'opened') return null;
    if (signal.aborted) {
      connected.socket.terminate();
      return null;
    }
    this.options.counts.moves.moved++;
    for (const text of session.resume()) connected.socket.send(text);
    return connected;
  }

  /** Sends on what a replica sends until its connection ends. */
  private pass(
    client: WebSocket,
    request: IncomingMessage,
    session: SocketSession,
    { socket, early, replica }: Opened,
  ): Promise<{ readonly code: number; readonly reason: string }> {
    const { replicas } = this.options;
    const prepare = (isAll: boolean) => this.prepare(request, session, replica, isAll);
    const again = setInterval(() => prepare(true), PREPARED_MS).unref();
    const take = (text: string) => {
      const { text: passed, slot } = session.received(text);
      if (slot !== null) replicas.show(slot);
      prepare(false);
      if (passed === null || client.readyState !== client.OPEN) return;
      client.send(passed, { binary: false });
      if (client.bufferedAmount > BUFFERED_BYTES_MAX) {
        goodbye(client, 1013, 'The client reads too slowly.');
      }
    };
    for (const text of early.splice(0)) take(text);
    socket.removeAllListeners('message');
    socket.on('message', (data) => take(String(data)));
    const leave = () => socket.terminate();
    client.once('close', leave);
    return new Promise((resolve) => {
      const end = (code: number, reason: Buffer | string) => {
        client.off('close', leave);
        clearInterval(again);
        if (code === 1006) replica.failed('the connection of a stream ended');
        resolve({ code, reason: String(reason) });
      };
      if (socket.readyState === socket.CLOSED) end(1006, '');
      else socket.once('close', end);
    });
  }

  /** Lets other replicas keep what the client wants. */
  private prepare(
    request: IncomingMessage,
    session: SocketSession,
    replica: Replica,
    isAll: boolean,
  ): void {
    const wanted = session.unprepared(isAll);
    if (wanted.length === 0) return;
    const headers = passedRequestHeaders(request, { minSlot: null });
    for (const other of this.options.replicas.others(replica)) {
      void prepareSubscriptions(other, session.path(), headers, wanted);
    }
  }

  /** Opens the stream at the next replica that answers; null without one. */
  private async connect(
    request: IncomingMessage,
    session: SocketSession,
    tried: Set<Replica> = new Set(),
  ): Promise<Opened | Refusal | null> {
    const { replicas, homes } = this.options;
    const secret = localSecretOf(request);
    const home = secret === null ? null : homes.find(secret);
    const next = () => {
      const isUsable = home !== null && !tried.has(home) && home.report.state !== 'silent';
      return isUsable ? home : replicas.choose(tried);
    };
    const headers = passedRequestHeaders(request, { minSlot: replicas.seenSlot });
    let refused: Refusal | null = null;
    for (let replica = next(); replica !== null; replica = next()) {
      tried.add(replica);
      const result = await openUpstream(replica, session.path(), headers);
      if (result === null) {
        replica.failed('a stream could not be opened');
        continue;
      }
      if (result.kind === 'opened') return result;
      refused = result;
      const isElsewhere = result.status === 401 && secret !== null;
      if (result.status !== 503 && !isElsewhere) return result;
    }
    return refused;
  }

  /** As `connect`; null too if all refuse for now, such as those that are behind. */
  private async connectAgain(
    request: IncomingMessage,
    session: SocketSession,
    tried: Set<Replica>,
  ): Promise<Opened | Refusal | null> {
    const result = await this.connect(request, session, tried);
    return result?.kind === 'refused' && result.status === 503 ? null : result;
  }

  /** Cuts off clients that did not answer the last ping. */
  private pingAll(): void {
    for (const client of this.server.clients) {
      if (!this.alive.delete(client)) client.terminate();
      else client.ping();
    }
  }
}

function sessionOf(url: string): SocketSession {
  return pathOf(url) === DIALOG_PATH ? new DialogSession(url) : new OneWaySession(url);
}

function linesOf(headers: Readonly<Record<string, string>>): string {
  return Object.entries({ ...headers, connection: 'close' })
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('');
}

function goodbye(client: WebSocket, code: number, reason: string): void {
  client.close(code, reason);
  setTimeout(() => client.terminate(), CLOSE_MS).unref();
}
