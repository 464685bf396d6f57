import type { Slot } from '../../model/units.ts';

/** Requests that wait for a slot at a time; more are answered as if they had waited. */
const WAITING_MAX = 1_000;
/** Several slots of the chain: a replica that is further behind does not catch up in this time. */
export const WAIT_MS = 2_000;

interface Waiting {
  readonly slot: Slot;
  readonly resolve: (isReached: boolean) => void;
  readonly timeout: NodeJS.Timeout;
}

/**
 * The highest slot that answers were as of since the start. It stays when a fork takes slots back:
 * who has seen such a slot has seen nothing that is missing here.
 */
export class ReachedSlots {
  private readonly waitMs: number;
  private readonly waiting = new Set<Waiting>();
  private highest: Slot | null = null;

  constructor(waitMs: number = WAIT_MS) {
    this.waitMs = waitMs;
  }

  /** Null before the first. */
  get slot(): Slot | null {
    return this.highest;
  }

  has(slot: Slot): boolean {
    return this.highest !== null && this.highest >= slot;
  }

  /** Answers are as of this slot from now on. */
  publish(slot: Slot | null): void {
    if (slot === null || this.has(slot)) return;
    this.highest = slot;
    for (const waiting of this.waiting) if (slot >= waiting.slot) this.settle(waiting, true);
  }

  /** Whether answers are as of this slot or a later one, now or within the time limit. */
  until(slot: Slot): Promise<boolean> {
    if (this.has(slot)) return Promise.resolve(true);
    if (this.waiting.size >= WAITING_MAX) return Promise.resolve(false);
    return new Promise((resolve) => {
      const timeout = setTimeout(() => this.settle(waiting, false), this.waitMs);
      const waiting: Waiting = { slot, resolve, timeout };
      this.waiting.add(waiting);
    });
  }

  private settle(waiting: Waiting, isReached: boolean): void {
    clearTimeout(waiting.timeout);
    this.waiting.delete(waiting);
    waiting.resolve(isReached);
  }
}
