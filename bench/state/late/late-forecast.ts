/** A refold that was measured. */
export interface MeasuredRefold {
  /** From the delivery of the slot until the first slot was folded again. */
  readonly beganMs: number;
  /** Chain time that was folded again. */
  readonly spanMs: number;
  /** Swaps folded again in a second. */
  readonly swapsPerSecond: number;
}

/**
 * Seconds until answers would have the slot if the chain had so many swaps a second: calculated. The
 * same thread folds each new slot, and folds it again, so that as many swaps less are left of its
 * speed twice. Infinity if nothing is left.
 */
export function secondsAt(chainSwapsPerSecond: number, refold: MeasuredRefold): number {
  const { beganMs, spanMs, swapsPerSecond } = refold;
  const left = swapsPerSecond - 2 * chainSwapsPerSecond;
  if (left <= 0) return Number.POSITIVE_INFINITY;
  return (beganMs + (spanMs * chainSwapsPerSecond) / left) / 1_000;
}
