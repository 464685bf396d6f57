import type { Socket } from 'node:net';
import { clientNetwork } from './client-network.ts';

/** How many connections may be open at a time. */
export interface ConnectionLimits {
  /** All of them. */
  readonly max: number;
  /** Those of one account that others cannot displace; half of all by default. */
  readonly perAccountMax?: number;
  /** Those of one client network of which no request was let in; half of all by default. */
  readonly unadmittedPerNetworkMax?: number;
}

/**
 * Bounds the connections of a listener. One of which a request was let in for its key stays, up to
 * half of the room for each account; beyond the bound the oldest of all others is closed. So nobody
 * without a key, and no single account, can hold what others need, and the descriptors beyond `max`
 * stay with the store and ingestion.
 */
export class ConnectionBound {
  private readonly limits: Required<ConnectionLimits>;
  /** Connections that may be displaced, the oldest first, by the network they come from. */
  private readonly unadmitted = new Map<Socket, string>();
  private readonly perNetwork = new Map<string, number>();
  /** Connections that stay, by account. */
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

  /** Connections closed for want of room. */
  get refused(): number {
    return this.refusedCount;
  }

  isAdmitted(socket: Socket): boolean {
    return this.admitted.has(socket);
  }

  /** Takes a connection that has just been opened. */
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

  /** A request of the connection was let in for the key of an account: it stays until it ends. */
  admit(socket: Socket, accountId: string): void {
    const network = this.unadmitted.get(socket);
    if (network === undefined) return;
    if ((this.perAccount.get(accountId) ?? 0) >= this.limits.perAccountMax) return;
    this.unadmitted.delete(socket);
    count(this.perNetwork, network, -1);
    this.admitted.set(socket, accountId);
    count(this.perAccount, accountId, 1);
  }

  /** Closes the oldest connection that may be displaced; the newest when there is no other. */
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
