import type { Socket } from 'node:net';
import { clientNetwork } from './client-network.ts';

/** Limits on the number of open connections. */
export interface ConnectionLimits {
  /** Maximum number of connections in total. */
  readonly max: number;
  /** Connections of one account that others cannot displace; half of `max` by default. */
  readonly perAccountMax?: number;
  /** Connections of one client network without an admitted request; half of `max` by default. */
  readonly unadmittedPerNetworkMax?: number;
}

/**
 * Bounds the connections of a listener. A connection with an admitted request of a key stays open,
 * up to half of the capacity per account. Beyond the bound the oldest other connection is closed.
 * Therefore neither clients without a key nor a single account can occupy all connections, and the
 * descriptors beyond `max` stay available to the store and ingestion.
 */
export class ConnectionBound {
  private readonly limits: Required<ConnectionLimits>;
  /** Connections that may be displaced, oldest first, with their network. */
  private readonly unadmitted = new Map<Socket, string>();
  private readonly perNetwork = new Map<string, number>();
  /** Connections that cannot be displaced, with their account. */
  private readonly admitted = new Map<Socket, string>();
  private readonly perAccount = new Map<string, number>();
  private refusedCount = 0;

  constructor(limits: number | ConnectionLimits) {
    const given = typeof limits === 'number' ? { max: limits } : limits;
    const half = Math.ceil(given.max / 2);
    this.limits = { perAccountMax: half, unadmittedPerNetworkMax: half, ...given };
  }

  get size(): number {
    return this.unadmitted.size + this.admitted.size;
  }

  /** Number of connections closed because the limit was reached. */
  get refused(): number {
    return this.refusedCount;
  }

  isAdmitted(socket: Socket): boolean {
    return this.admitted.has(socket);
  }

  /** Registers a newly opened connection. */
  open(socket: Socket): void {
    const network = clientNetwork(socket.remoteAddress ?? '');
    this.unadmitted.set(socket, network);
    count(this.perNetwork, network, 1);
    socket.once('close', () => this.forget(socket));
    if ((this.perNetwork.get(network) ?? 0) > this.limits.unadmittedPerNetworkMax) {
      this.displace(socket, (other) => other === network);
    }
    if (this.size > this.limits.max) this.displace(socket, () => true);
  }

  /** Marks a connection as admitted for an account, which protects it from displacement. */
  admit(socket: Socket, accountId: string): void {
    const network = this.unadmitted.get(socket);
    if (network === undefined) return;
    if ((this.perAccount.get(accountId) ?? 0) >= this.limits.perAccountMax) return;
    this.unadmitted.delete(socket);
    count(this.perNetwork, network, -1);
    this.admitted.set(socket, accountId);
    count(this.perAccount, accountId, 1);
  }

  /** Closes the oldest displaceable connection, or `newest` if there is no other. */
  private displace(newest: Socket, isFrom: (network: string) => boolean): void {
    let oldest = newest;
    for (const [socket, network] of this.unadmitted) {
      if (!isFrom(network)) continue;
      oldest = socket;
      break;
    }
    this.refusedCount++;
    this.forget(oldest);
    oldest.destroy();
  }

  private forget(socket: Socket): void {
    const network = this.unadmitted.get(socket);
    if (network !== undefined && this.unadmitted.delete(socket))
      count(this.perNetwork, network, -1);
    const accountId = this.admitted.get(socket);
    if (accountId !== undefined && this.admitted.delete(socket))
      count(this.perAccount, accountId, -1);
  }
}

function count(counts: Map<string, number>, name: string, change: 1 | -1): void {
  const left = (counts.get(name) ?? 0) + change;
  if (left === 0) counts.delete(name);
  else counts.set(name, left);
}
