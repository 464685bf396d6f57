import type { Slot } from '../model/units.ts';
import { type ChainPoint, keyOf } from './block-link.ts';

/** Bound on the points remembered as lost. Points up to the final slot are forgotten. */
const LOST_MAX = 1_024;

/** Blocks that no node can supply, each with the reason. Beyond a bound the oldest is forgotten. */
export class LostPoints {
  private readonly lost = new Map<string, { readonly slot: Slot; readonly reason: string }>();

  add(point: ChainPoint, reason: string): void {
    this.lost.set(keyOf(point), { slot: point.slot, reason });
    for (const oldest of this.lost.keys()) {
      if (this.lost.size <= LOST_MAX) break;
      this.lost.delete(oldest);
    }
  }

  /** Why no node can supply the block; null when it is not known as lost. */
  reasonOf(point: ChainPoint): string | null {
    return this.lost.get(keyOf(point))?.reason ?? null;
  }

  /** The block arrived after all. */
  drop(point: ChainPoint): void {
    this.lost.delete(keyOf(point));
  }

  /** Forgets points up to a slot. */
  dropUpTo(slot: Slot): void {
    for (const [key, lost] of this.lost) if (lost.slot <= slot) this.lost.delete(key);
  }
}
