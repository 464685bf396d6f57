import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** A proxy between a client and a server that simulates network faults. */
export class TcpProxy {
  connections = 0;
  /** Bytes passed on from the server. */
  bytesToClient = 0;
  private readonly targetPort: number;
  private readonly server: Server;
  private readonly sockets = new Set<Socket>();
  private isRefusing = false;
  private isStalled = false;
  private delayMs = 0;
  private damage: ((bytes: Buffer) => Buffer) | null = null;

  constructor(targetPort: number) {
    this.targetPort = targetPort;
    this.server = createServer((socket) => this.join(socket));
  }

  async listen(): Promise<number> {
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
    return (this.server.address() as AddressInfo).port;
  }

  /** Resets every connection, new ones included, until `mend`. */
  cut(): void {
    this.isRefusing = true;
    for (const socket of this.sockets) socket.destroy();
  }

  /** Keeps all connections open, but passes no more bytes of the server. */
  stall(): void {
    this.isStalled = true;
  }

  /** Passes everything on this much later, in both directions. */
  slow(delayMs: number): void {
    this.delayMs = delayMs;
  }

  /** Changes what the server sends. */
  garble(damage: (bytes: Buffer) => Buffer): void {
    this.damage = damage;
  }

  /** Accepts new connections again. Stalled ones remain stalled. */
  mend(): void {
    this.isRefusing = false;
    this.isStalled = false;
    this.delayMs = 0;
    this.damage = null;
  }

  async close(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    const closed = once(this.server, 'close');
    this.server.close();
    await closed;
  }

  private join(client: Socket): void {
    this.connections++;
    if (this.isRefusing) {
      client.destroy();
      return;
    }
    const target = connect(this.targetPort, '127.0.0.1');
    let isSilent = false;
    for (const [socket, other] of [
      [client, target],
      [target, client],
    ] as const) {
      this.sockets.add(socket);
      socket.on('error', () => socket.destroy());
      socket.on('close', () => {
        this.sockets.delete(socket);
        other.destroy();
      });
    }
    client.on('data', this.passOn(client, target));
    client.on('end', () => target.end());
    const answer = this.passOn(target, client);
    target.on('data', (bytes: Buffer) => {
      isSilent ||= this.isStalled;
      if (isSilent) return;
      this.bytesToClient += bytes.length;
      answer(this.damage?.(bytes) ?? bytes);
    });
  }

  /** Passes bytes on in order, each after the delay of the moment when it came. */
  private passOn(from: Socket, to: Socket): (bytes: Buffer) => void {
    let before: Promise<void> | null = null;
    const write = (bytes: Buffer) => {
      if (to.destroyed || to.write(bytes)) return;
      from.pause();
      to.once('drain', () => from.resume());
    };
    return (bytes) => {
      if (this.delayMs === 0 && before === null) {
        write(bytes);
        return;
      }
      const dueMs = performance.now() + this.delayMs;
      const passed: Promise<void> = (before ?? Promise.resolve()).then(async () => {
        const restMs = dueMs - performance.now();
        if (restMs > 0) await new Promise((resolve) => setTimeout(resolve, restMs));
        write(bytes);
        if (before === passed) before = null;
      });
      before = passed;
    };
  }
}
