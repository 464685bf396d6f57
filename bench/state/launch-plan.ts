import { SLOTS_PER_HOUR } from './market-options.ts';
import { mixedShare } from './random-numbers.ts';

/**
 * How long launches trade, by share of the launches: four of five stop within 48 hours, a third
 * within ten minutes. Within a step the time doubles at an even pace.
 */
const LIVES = [
  { share: 0.35, fromSlots: SLOTS_PER_HOUR / 360, toSlots: SLOTS_PER_HOUR / 6 },
  { share: 0.25, fromSlots: SLOTS_PER_HOUR / 6, toSlots: SLOTS_PER_HOUR * 2 },
  { share: 0.2, fromSlots: SLOTS_PER_HOUR * 2, toSlots: SLOTS_PER_HOUR * 48 },
] as const;

/** Slots after its launch in which a mint trades; Infinity for one that lives on. */
export function tradingSlotsOf(row: number): number {
  let drawn = mixedShare(row, 0x11fe);
  for (const { share, fromSlots, toSlots } of LIVES) {
    if (drawn < share) return between(fromSlots, toSlots, drawn / share);
    drawn -= share;
  }
  return Number.POSITIVE_INFINITY;
}

/** How likely a trader who notices a launch buys it, 0 to 1. One of a hundred attracts ten times
 * as many as the others do on average. */
export function attractionOf(row: number): number {
  const drawn = mixedShare(row, 0xa77);
  const square = drawn * drawn;
  const fourth = square * square;
  // Unlike a power, products are rounded alike on every machine.
  return 0.03 + 0.97 * fourth * fourth * fourth * fourth;
}

/** Between two bounds, piecewise linear in each doubling. */
function between(from: number, to: number, share: number): number {
  let low = from;
  let doublings = 1;
  while (low * 2 < to) {
    low *= 2;
    doublings++;
  }
  const step = Math.floor(share * doublings);
  const start = from * 2 ** step;
  return start + (Math.min(start * 2, to) - start) * (share * doublings - step);
}
