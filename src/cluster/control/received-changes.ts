import type { RowChange } from '../../model/shared-rows.ts';

/** A change in the log that is not stored as a whole yet. */
export interface PendingChange {
  readonly seq: number;
  readonly changes: readonly RowChange[];
}

/** Ids of messages that a writer may still look for. */
const IDS_MAX = 1_000;

/** How far the log was read, and who waits for more of it. */
export class ReceivedChanges {
  /** Read, but not stored as a whole: they count from the step that names them on. */
  readonly pending: PendingChange[] = [];
  private seq: number;
  private readonly ids = new Set<string>();
  private readonly waiting = new Set<() => void>();

  constructor(seq: number) {
    this.seq = seq;
  }

  /** Sequence of the last change that was read. */
  get lastSeq(): number {
    return this.seq;
  }

  has(id: string): boolean {
    return this.ids.has(id);
  }

  add(change: PendingChange, id: string): void {
    this.seq = change.seq;
    this.pending.push(change);
    this.ids.add(id);
    const [oldest] = this.ids;
    if (this.ids.size > IDS_MAX && oldest !== undefined) this.ids.delete(oldest);
    this.wake();
  }

  /** Asks those who wait to look again. */
  wake(): void {
    for (const look of [...this.waiting]) look();
  }

  /** Resolves with true once `isReached`, with false when the signal is aborted first. */
  until(isReached: () => boolean, signal: AbortSignal): Promise<boolean> {
    return new Promise((resolve) => {
      const look = () => {
        if (!isReached() && !signal.aborted) return;
        this.waiting.delete(look);
        signal.removeEventListener('abort', look);
        resolve(isReached());
      };
      this.waiting.add(look);
      signal.addEventListener('abort', look, { once: true });
      look();
    });
  }
}
