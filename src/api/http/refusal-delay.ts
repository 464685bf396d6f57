import { clientNetwork } from './client-network.ts';

/** Refusals that a client network receives without delay in one second. */
export const PROMPT_PER_SECOND_MAX = 50;
/** Further refusals of that second are sent after this. */
export const REFUSAL_DELAY_MS = 1_000;
/** Refusals that wait at a time, of all networks; beyond it they are sent at once. */
export const DELAYED_MAX = 5_000;
const SECOND_MS = 1_000;
const NETWORKS_MAX = 10_000;

const REFUSALS: ReadonlySet<number> = new Set([401, 429]);

/**
 * Slows down clients that go on after they were refused: a client that repeats each request as soon as
 * it is refused would otherwise take the processor with refusals alone. Its connections are bounded
 * elsewhere, so the delay bounds how many refusals it can cause in a second.
 */
export class RefusalDelay {
  private readonly counts = new Map<string, number>();
  private second = Number.NaN;
  private waiting = 0;

  /** Refusals that wait to be sent. */
  get size(): number {
    return this.waiting;
  }

  /** Calls `send`, which answers with this status: at once, or after the delay. */
  answer(status: number, address: string, nowMs: number, send: () => void): void {
    const isPrompt = !REFUSALS.has(status) || this.isPrompt(clientNetwork(address), nowMs);
    if (isPrompt || this.waiting >= DELAYED_MAX) {
      send();
      return;
    }
    this.waiting++;
    setTimeout(() => {
      this.waiting--;
      send();
    }, REFUSAL_DELAY_MS);
  }

  private isPrompt(network: string, nowMs: number): boolean {
    const second = Math.floor(nowMs / SECOND_MS);
    if (second !== this.second) {
      this.second = second;
      this.counts.clear();
    }
    const count = (this.counts.get(network) ?? 0) + 1;
    if (count > 1 || this.counts.size < NETWORKS_MAX) this.counts.set(network, count);
    return count <= PROMPT_PER_SECOND_MAX;
  }
}
