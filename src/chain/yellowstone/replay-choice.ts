import type { Slot } from '../../model/units.ts';
import type { StreamEnd } from './stream-end.ts';
import type { StreamStatus } from './update-stream.ts';

/**
 * Restarting servers answer a replay with unspecific errors; after this many, no replay is
 * requested.
 */
const FRUITLESS_MAX = 2;
/** A server that was unreachable for this many attempts has nothing left to replay. */
const UNREACHED_MAX = 10;
const UNAVAILABLE = 14;

/** Decides whether the next subscription requests a replay. */
export class ReplayChoice {
  private isRefused = false;
  private isPending = false;
  /** Consecutive replays that ended without data. */
  private fruitless = 0;
  private unreached = 0;

  get willReplay(): boolean {
    return !this.isRefused && this.fruitless < FRUITLESS_MAX && this.unreached < UNREACHED_MAX;
  }

  /** Begins a subscription; returns the slot to replay from, null for none. */
  begin(resumeSlot: Slot | null): Slot | null {
    this.isPending = resumeSlot !== null && this.willReplay;
    return this.isPending ? resumeSlot : null;
  }

  /** Data arrived: earlier refusals no longer apply. */
  noteData(): void {
    this.isRefused = false;
    this.isPending = false;
    this.fruitless = 0;
    this.unreached = 0;
  }

  end(end: StreamEnd, { code }: StreamStatus): void {
    if (end === 'replay-refused') this.isRefused = true;
    if (!this.isPending) return;
    if (code === UNAVAILABLE) this.unreached++;
    else this.fruitless++;
  }
}
