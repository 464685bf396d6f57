import { once } from 'node:events';
import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
  request as sendRequest,
} from 'node:http';
import type { AddressInfo } from 'node:net';

export interface BufferingProxyOptions {
  /** Bytes of an answer that are collected before any is passed on. */
  readonly bufferBytes: number;
  /** Whether `X-Accel-Buffering: no` of an answer turns collecting off, as in nginx. */
  readonly honoursHeader: boolean;
  /** Whether every further part is collected as well; otherwise only the first one is. */
  readonly collectsAll: boolean;
  /** An answer of which nothing arrives for longer is cut off (`proxy_read_timeout` of nginx). */
  readonly silenceMsMax: number;
}

/** An answer on its way through the proxy. */
interface Passing {
  readonly upstream: IncomingMessage;
  readonly response: ServerResponse;
  held: Buffer[];
  hasPassed: boolean;
  silentMs: number;
}

/**
 * A reverse proxy that collects answers before it passes them on, as nginx does by default. Its time
 * passes only by `wait`.
 */
export class BufferingProxy {
  /** Bytes received from the service. */
  receivedBytes = 0;
  private readonly options: BufferingProxyOptions;
  private readonly targetPort: number;
  private readonly server: Server;
  private readonly passing = new Set<Passing>();

  constructor(targetPort: number, options: BufferingProxyOptions) {
    this.targetPort = targetPort;
    this.options = options;
    this.server = createServer((request, response) => this.forward(request, response));
  }

  async listen(): Promise<number> {
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
    return (this.server.address() as AddressInfo).port;
  }

  /** What the proxy has received and not passed on. */
  get heldText(): string {
    return [...this.passing].map(({ held }) => Buffer.concat(held).toString()).join('');
  }

  get openAnswers(): number {
    return this.passing.size;
  }

  /** Time passes, and answers that were silent for too long are cut off. */
  wait(ms: number): void {
    for (const one of this.passing) {
      one.silentMs += ms;
      if (one.silentMs > this.options.silenceMsMax) this.end(one);
    }
  }

  async close(): Promise<void> {
    for (const one of this.passing) this.end(one);
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  private forward(request: IncomingMessage, response: ServerResponse): void {
    const { method, url, headers } = request;
    const target = { host: '127.0.0.1', port: this.targetPort, method, path: url, headers };
    const sent = sendRequest(target, (upstream) => this.pass(upstream, response));
    sent.on('error', () => response.destroy());
    response.on('close', () => sent.destroy());
    request.pipe(sent);
  }

  private pass(upstream: IncomingMessage, response: ServerResponse): void {
    // The header is for the proxy, which takes it away.
    const { 'x-accel-buffering': buffering, ...headers } = upstream.headers;
    const isOff = this.options.honoursHeader && buffering === 'no';
    const one: Passing = { upstream, response, held: [], hasPassed: isOff, silentMs: 0 };
    this.passing.add(one);
    response.writeHead(upstream.statusCode ?? 502, headers);
    response.flushHeaders();
    upstream.on('data', (bytes: Buffer) => {
      one.silentMs = 0;
      one.held.push(bytes);
      const isCollected = !isOff && (this.options.collectsAll || !one.hasPassed);
      const size = one.held.reduce((sum, { length }) => sum + length, 0);
      if (!isCollected || size >= this.options.bufferBytes) this.flush(one);
      // Counted once it was passed on or kept.
      this.receivedBytes += bytes.length;
    });
    upstream.on('error', () => undefined);
    upstream.on('close', () => this.end(one));
    response.on('close', () => this.passing.delete(one));
  }

  private flush(one: Passing): void {
    one.response.write(Buffer.concat(one.held));
    one.held = [];
    one.hasPassed = true;
  }

  private end(one: Passing): void {
    if (!this.passing.delete(one)) return;
    if (one.held.length > 0) this.flush(one);
    one.response.end();
    one.upstream.destroy();
  }
}
