import { createServer, type Server as NetServer, type Socket } from 'node:net';
import { Server, type ServerCredentials, type ServerOptions } from '@grpc/grpc-js';
import { ConnectionBound, type ConnectionLimits } from '../../http/connection-bound.ts';

/** Default of the connection limit. */
const CONNECTIONS_MAX = 5_000;
/** Connections without an admitted call are closed after this time. */
const UNADMITTED_MS = 120_000;
/** A peer that does not end its half of a connection is cut off after this time. */
const CLOSE_MS = 1_000;
/** Interval at which the traffic of connections is checked against these limits. */
const TRAFFIC_CHECKED_MS = 250;
/**
 * Requests are small: excess bytes are pings, settings and window updates, each of which costs CPU
 * time.
 */
const UNADMITTED_TRAFFIC = { burstBytes: 65_536, bytesPerSecond: 16_384 };
const ADMITTED_TRAFFIC = { burstBytes: 1_048_576, bytesPerSecond: 262_144 };

interface Connection {
  readonly socket: Socket;
  readonly openedAtMs: number;
  /** Bytes the connection may still send at once. */
  allowanceBytes: number;
  countedBytes: number;
  isAdmitted: boolean;
}

/**
 * A gRPC server that owns its connections. They are bounded like HTTP connections; connections
 * without an admitted call are closed after a while, and connections that send more data than
 * requests need are cut off, regardless of the frame types.
 */
export class BoundedGrpcServer extends Server {
  private readonly bound: ConnectionBound;
  /** Keyed by address and port, which is how calls name their peer. */
  private readonly connections = new Map<string, Connection>();
  private readonly listeners: NetServer[] = [];
  private traffic: NodeJS.Timeout | null = null;

  constructor(options: ServerOptions, limits: ConnectionLimits = { max: CONNECTIONS_MAX }) {
    super(options);
    this.bound = new ConnectionBound(limits);
  }

  /** Number of open connections. */
  get size(): number {
    return this.bound.size;
  }

  /** Starts listening and resolves with the port. Rejects with the system error if that fails. */
  async listen(host: string, port: number, credentials: ServerCredentials): Promise<number> {
    const injector = this.createConnectionInjector(credentials);
    const listener = createServer((socket) => {
      this.open(socket);
      if (!socket.destroyed) injector.injectConnection(socket);
    });
    await new Promise<void>((resolve, reject) => {
      listener.once('error', reject);
      listener.listen(port, host, resolve);
    });
    this.listeners.push(listener);
    this.traffic ??= setInterval(
      () => this.checkTraffic(performance.now()),
      TRAFFIC_CHECKED_MS,
    ).unref();
    return (listener.address() as { readonly port: number }).port;
  }

  /** Marks the connection of a call as admitted for an account. */
  admit(peer: string, accountId: string): void {
    const connection = this.connections.get(peer);
    if (connection === undefined || connection.isAdmitted) return;
    this.bound.admit(connection.socket, accountId);
    if (!this.bound.isAdmitted(connection.socket)) return;
    connection.isAdmitted = true;
    connection.allowanceBytes += ADMITTED_TRAFFIC.burstBytes - UNADMITTED_TRAFFIC.burstBytes;
  }

  override forceShutdown(): void {
    if (this.traffic !== null) clearInterval(this.traffic);
    for (const listener of this.listeners.splice(0)) listener.close();
    super.forceShutdown();
    for (const { socket } of this.connections.values()) socket.destroy();
  }

  private open(socket: Socket): void {
    const peer = `${socket.remoteAddress}:${socket.remotePort}`;
    this.connections.set(peer, {
      socket,
      openedAtMs: performance.now(),
      allowanceBytes: UNADMITTED_TRAFFIC.burstBytes,
      countedBytes: 0,
      isAdmitted: false,
    });
    socket.on('error', () => socket.destroy());
    socket.once('finish', () => setTimeout(() => socket.destroy(), CLOSE_MS).unref());
    socket.once('close', () => this.connections.delete(peer));
    this.bound.open(socket);
  }

  private checkTraffic(nowMs: number): void {
    for (const connection of this.connections.values()) {
      const { socket, isAdmitted, openedAtMs } = connection;
      const { burstBytes, bytesPerSecond } = isAdmitted ? ADMITTED_TRAFFIC : UNADMITTED_TRAFFIC;
      const earned = (bytesPerSecond * TRAFFIC_CHECKED_MS) / 1_000;
      const sent = socket.bytesRead - connection.countedBytes;
      connection.countedBytes = socket.bytesRead;
      connection.allowanceBytes = Math.min(burstBytes, connection.allowanceBytes + earned) - sent;
      const isTooOld = !isAdmitted && nowMs - openedAtMs > UNADMITTED_MS;
      if (connection.allowanceBytes < 0 || isTooOld) socket.destroy();
    }
  }
}
