import type { Socket } from 'node:net';

/**
 * Bounds the connections of a server. Beyond `max` the one goes that has waited longest without a
 * request that was let in for its key; one with such a request stays. So nobody without a key can
 * hold what others need, and the descriptors beyond `max` stay with the store and ingestion.
 */
export class ConnectionBound {
  private readonly max: number;
  /** Connections of which no request was let in for its key yet, the oldest first. */
  private readonly strangers = new Set<Socket>();
  private readonly known = new Set<Socket>();
  private refusedCount = 0;

  constructor(max: number) {
    this.max = max;
  }

  get size(): number {
    return this.strangers.size + this.known.size;
  }

  /** Connections closed for want of room. */
  get refused(): number {
    return this.refusedCount;
  }

  /** Takes a connection that has just been opened. */
  open(socket: Socket): void {
    this.strangers.add(socket);
    socket.once('close', () => {
      this.strangers.delete(socket);
      this.known.delete(socket);
    });
    if (this.size <= this.max) return;
    const [oldest = socket] = this.strangers;
    this.refusedCount++;
    this.strangers.delete(oldest);
    oldest.destroy();
  }

  /** A request of the connection was let in for its key: it stays until it ends. */
  admit(socket: Socket): void {
    if (this.strangers.delete(socket)) this.known.add(socket);
  }
}
