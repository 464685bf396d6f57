import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
import type { BlockAnswers } from './block-answers.ts';
import type { ChainView } from './block-window.ts';
import type { Faults } from './faults.ts';
import { Subscriber, type SubscriberLimits } from './subscriber.ts';

export interface SocketLimits extends SubscriberLimits {
  readonly clients: number;
  /** Maximum length of a client's message. */
  readonly messageBytes: number;
  /** Interval of pings; 0 for none. */
  readonly pingIntervalMs: number;
}

/** The WebSocket interface of a node: connected clients and their notifications. */
export class SocketFace {
  private readonly server: WebSocketServer;
  private readonly subscribers = new Set<Subscriber>();
  private readonly limits: SocketLimits;
  private readonly answers: BlockAnswers;
  private readonly faults: Faults;
  private readonly pings: NodeJS.Timeout | null;
  private lastId = 0;

  constructor(answers: BlockAnswers, faults: Faults, limits: SocketLimits) {
    this.answers = answers;
    this.faults = faults;
    this.limits = limits;
    // Pongs are sent explicitly: a stalled connection must not send any.
    this.server = new WebSocketServer({
      noServer: true,
      autoPong: false,
      maxPayload: limits.messageBytes,
      perMessageDeflate: false,
    });
    this.pings =
      limits.pingIntervalMs > 0 ? setInterval(() => this.ping(), limits.pingIntervalMs) : null;
    this.pings?.unref();
  }

  get clients(): number {
    return this.subscribers.size;
  }

  /** Accepts a connection that requests an upgrade to WebSocket. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    // A connection that fails before the upgrade has no client to notify.
    socket.on('error', () => socket.destroy());
    if (this.subscribers.size >= this.limits.clients) {
      socket.end('HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\n\r\n');
      return;
    }
    this.server.handleUpgrade(request, socket, head, (webSocket) => {
      const subscriber = new Subscriber(webSocket, {
        answers: this.answers,
        faults: this.faults,
        limits: this.limits,
        nextId: () => this.lastId++,
      });
      this.subscribers.add(subscriber);
      webSocket.on('close', () => this.subscribers.delete(subscriber));
    });
  }

  publish(before: ChainView, after: ChainView): void {
    for (const subscriber of this.subscribers) subscriber.publish(before, after);
  }

  close(): void {
    if (this.pings !== null) clearInterval(this.pings);
    for (const socket of this.server.clients) socket.terminate();
    this.server.close();
  }

  private ping(): void {
    for (const subscriber of this.subscribers) subscriber.ping();
  }
}
