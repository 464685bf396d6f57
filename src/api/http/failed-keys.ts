import { clientNetwork } from './client-network.ts';

/** Wrong keys that a client network may present per minute before it has to wait. */
export const FAILURES_PER_MINUTE_MAX = 120;
const MINUTE_MS = 60_000;
/** Maximum number of networks tracked; the one whose count started longest ago is dropped first. */
const NETWORKS_MAX = 10_000;

interface Failures {
  count: number;
  sinceMs: number;
}

/**
 * Counts wrong keys by client network to limit key guessing. Requests with a valid key are never
 * counted and are accepted from any address.
 */
export class FailedKeys {
  private readonly failures = new Map<string, Failures>();

  /**
   * Counts one wrong key. Returns the seconds until its network may try again, or 0 if it may now.
   */
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
