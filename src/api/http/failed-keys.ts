import { clientNetwork } from './client-network.ts';

/** Wrong keys that a client network may present in a minute before it has to wait. */
export const FAILURES_PER_MINUTE_MAX = 120;
const MINUTE_MS = 60_000;
/** Networks remembered; the one that failed longest ago is forgotten first. */
const NETWORKS_MAX = 10_000;

interface Failures {
  count: number;
  sinceMs: number;
}

/**
 * Counts wrong keys by client network, so that keys cannot be guessed at the speed of the machine. Whoever
 * presents a right one is never counted, and a right key is let in from any address.
 */
export class FailedKeys {
  private readonly failures = new Map<string, Failures>();

  /** Counts one; returns after how many seconds its network may try again, 0 where it may now. */
  note(address: string, nowMs: number): number {
    const network = clientNetwork(address);
    const known = this.failures.get(network);
    if (known === undefined || nowMs - known.sinceMs >= MINUTE_MS) {
      this.failures.delete(network);
      this.failures.set(network, { count: 1, sinceMs: nowMs });
      this.forgetOldest();
      return 0;
    }
    known.count++;
    if (known.count <= FAILURES_PER_MINUTE_MAX) return 0;
    return Math.max(1, Math.ceil((known.sinceMs + MINUTE_MS - nowMs) / 1_000));
  }

  get size(): number {
    return this.failures.size;
  }

  private forgetOldest(): void {
    if (this.failures.size <= NETWORKS_MAX) return;
    const [oldest] = this.failures.keys();
    if (oldest !== undefined) this.failures.delete(oldest);
  }
}
