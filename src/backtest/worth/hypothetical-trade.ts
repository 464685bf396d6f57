import { type ExitTerms, isTriggered } from '../../signals/execution/exit-rules.ts';
import type { PoolDepth } from '../../signals/execution/fill.ts';

/** The pool when a hypothetical trade bought and when it sold. */
export interface RoundTrip {
  readonly entry: PoolDepth;
  readonly exit: PoolDepth;
  readonly exitMs: number;
}

/** States of a pool in order of time, each valid until the next; the last until `endMs`. */
export interface PricePath {
  readonly points: readonly PoolDepth[];
  readonly endMs: number;
}

/** When a hypothetical trade is made. */
export interface TradeTiming {
  readonly entryMs: number;
  /** From the price that triggers an exit to its execution. */
  readonly exitDelayMs: number;
  readonly exit: ExitTerms;
}

/**
 * The trade that is entered at a time, at the pool's state of that time, and left by an exit rule as
 * signals are (`signals/execution/position.ts`). Null if the path ends before the exit.
 */
export function roundTrip(
  { points, endMs }: PricePath,
  { entryMs, exitDelayMs, exit: terms }: TradeTiming,
): RoundTrip | null {
  let at = pointAt(points, entryMs);
  let depth = points[at];
  if (depth === undefined || entryMs > endMs) return null;
  const entry = depth;
  const prices = { entryPrice: entry.priceUsd, peakPrice: entry.priceUsd };
  let dueMs = entryMs + terms.holdMs;
  for (at++; at < points.length; at++) {
    const next = points[at] as PoolDepth;
    if (next.timeMs > dueMs) break;
    depth = next;
    prices.peakPrice = Math.max(prices.peakPrice, depth.priceUsd);
    if (isTriggered(terms, depth.priceUsd, prices)) {
      dueMs = Math.min(dueMs, depth.timeMs + exitDelayMs);
    }
  }
  return dueMs < endMs ? { entry, exit: depth, exitMs: dueMs } : null;
}

/** Index of the last point up to a time; -1 before the first. */
function pointAt(points: readonly PoolDepth[], timeMs: number): number {
  let low = 0;
  let high = points.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((points[middle]?.timeMs ?? 0) <= timeMs) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
