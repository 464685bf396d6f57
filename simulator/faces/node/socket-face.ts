import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
import type { BlockAnswers } from './block-answers.ts';
import type { ChainView } from './block-window.ts';
import type { Faults } from './faults.ts';
import { Subscriber, type SubscriberLimits } from './subscriber.ts';

export interface SocketLimits extends SubscriberLimits {
  readonly clients: number;
  /** Longest message a client may send. */
  readonly messageBytes: number;
  /** Silence in between; 0 for no pings. */
  readonly pingIntervalMs: number;
}

/** The WebSocket side of a node: who is connected, and telling them of new blocks. */
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
    // Pongs are sent by hand: a stalled connection sends none.
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

  /** Takes over a connection that asks to be a WebSocket. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    // Nobody is left to tell when a connection fails before it is a WebSocket.
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
