import type { PassedBlock } from './live-node-process.ts';
import type { Read } from './live-reads.ts';

/** The reports of the node that the watch needs. */
export interface WatchedNode {
  readonly tip: PassedBlock | null;
  readonly passed: readonly PassedBlock[];
  readonly served: ReadonlyMap<number, { readonly askedAtMs: number; readonly sentAtMs: number }>;
}

/** Delays of slots in milliseconds, each slot once. */
export interface SlotDelays {
  /** From the time when the node made the block available until an answer showed it. */
  readonly producedToVisible: readonly number[];
  /** From the time when its bytes had been passed to the service's connection until the same. */
  readonly receivedToVisible: readonly number[];
  /** Delivered slots that no answer showed. */
  readonly unseen: number;
}

/**
 * Measures when slots become visible in answers. A slot counts as visible when the first answer
 * with an `x-slot` of it or of a later one has arrived completely, so that delays are never
 * underestimated: they include the read itself and up to one interval between reads.
 */
export class LiveWatch {
  /** Answered reads since the last call. */
  private reads: Read[] = [];
  private lags: number[] = [];
  private readonly node: WatchedNode;
  private readonly visibleAtMs = new Map<number, number>();
  private newest: number | null = null;

  constructor(node: WatchedNode) {
    this.node = node;
  }

  /** The newest slot that any answer has shown. */
  get visibleSlot(): number | null {
    return this.newest;
  }

  /** Slots between the node's confirmed slot and the visible one; null before both are known. */
  get lagSlots(): number | null {
    const { tip } = this.node;
    return tip === null || this.newest === null
      ? null
      : Math.max(0, tip.confirmedSlot - this.newest);
  }

  /** A restarted service begins at its stored slot. */
  restart(): void {
    this.newest = null;
    this.visibleAtMs.clear();
  }

  onRead(read: Read): void {
    this.reads.push(read);
    const { slot, answeredAtMs } = read;
    if (slot === null || slot <= (this.newest ?? -1)) return;
    for (let shown = (this.newest ?? slot - 1) + 1; shown <= slot; shown++) {
      this.visibleAtMs.set(shown, answeredAtMs);
    }
    this.newest = slot;
  }

  sampleLag(): void {
    const { lagSlots } = this;
    if (lagSlots !== null) this.lags.push(lagSlots);
  }

  takeReads(): readonly Read[] {
    const { reads } = this;
    this.reads = [];
    return reads;
  }

  takeLags(): readonly number[] {
    const { lags } = this;
    this.lags = [];
    return lags;
  }

  /** Delays of the slots that the node began to deliver in a period. */
  delays(fromMs: number, toMs: number): SlotDelays {
    const producedToVisible: number[] = [];
    const receivedToVisible: number[] = [];
    let unseen = 0;
    for (const { confirmedSlot: slot, atMs } of this.node.passed) {
      if (atMs < fromMs || atMs >= toMs) continue;
      const visibleMs = this.visibleAtMs.get(slot);
      if (visibleMs === undefined) {
        unseen++;
        continue;
      }
      producedToVisible.push(visibleMs - atMs);
      const served = this.node.served.get(slot);
      if (served !== undefined) receivedToVisible.push(visibleMs - served.sentAtMs);
    }
    return { producedToVisible, receivedToVisible, unseen };
  }

  /** Forgets the times of earlier slots. */
  forgetBefore(slot: number): void {
    for (const known of this.visibleAtMs.keys()) if (known < slot) this.visibleAtMs.delete(known);
  }
}
