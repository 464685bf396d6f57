import type { Slot } from '../../model/units.ts';
import type { StreamEnd } from './stream-end.ts';
import type { StreamStatus } from './update-stream.ts';

/** Servers that restart answer a replay with errors that do not say so; it is not asked for forever. */
const FRUITLESS_MAX = 2;
/** A server that cannot be reached for so many attempts has nothing left to replay. */
const UNREACHED_MAX = 10;
const UNAVAILABLE = 14;

/** Whether the next subscription asks for a replay. */
export class ReplayChoice {
  private isRefused = false;
  private isPending = false;
  /** Replays in a row that ended before they brought anything. */
  private fruitless = 0;
  private unreached = 0;

  get willReplay(): boolean {
    return !this.isRefused && this.fruitless < FRUITLESS_MAX && this.unreached < UNREACHED_MAX;
  }

  /** A subscription begins; returns the slot to ask a replay from, null for none. */
  begin(resumeSlot: Slot | null): Slot | null {
    this.isPending = resumeSlot !== null && this.willReplay;
    return this.isPending ? resumeSlot : null;
  }

  /** Data came: whatever was refused lies behind. */
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
