import { absolute } from '../../lib/decimal.ts';
import type { Slot } from '../../model/units.ts';
import { mayPrice, type SettlingTrade } from './settling-trade.ts';

/** Three traded slots over a longer period are not a spike. */
export const SPIKE_SPAN_MS = 10_000;
/** Bounds of |ln ratio| as ratios, in 10^-15: e^0.25 and e^0.05. */
const SCALE = 10n ** 15n;
const JUMP = 1_284_025_416_687_741n;
const CLOSE = 1_051_271_096_376_024n;

/** The sums of the trades of one slot that may set a price; quote / base is their vwap. */
export interface TradedSlot {
  readonly slot: Slot;
  readonly timeMs: number;
  quoteRaw: bigint;
  baseRaw: bigint;
}

/** The latest traded slots of a pool's trades, newest first, at most three. */
export function latestTradedSlots(trades: readonly SettlingTrade[]): TradedSlot[] {
  const slots: TradedSlot[] = [];
  let latest: TradedSlot | undefined;
  for (let index = trades.length - 1; index >= 0; index--) {
    const trade = trades[index] as SettlingTrade;
    if (!mayPrice(trade)) continue;
    const { slot, timeMs, swap } = trade.priced;
    if (latest?.slot !== slot) {
      if (slots.length === 3) break;
      latest = { slot, timeMs, quoteRaw: 0n, baseRaw: 0n };
      slots.push(latest);
    }
    latest.quoteRaw += absolute(swap.poolQuoteDelta);
    latest.baseRaw += absolute(swap.poolBaseDelta);
  }
  return slots;
}

/**
 * True when the middle slot's vwap left both neighbours by more than 25 % in one direction while
 * these agree within 5 %, all within ten seconds (METHODS §5.3 rule 4; shares in logarithms).
 */
export function isSpike(before: TradedSlot, middle: TradedSlot, after: TradedSlot): boolean {
  if (after.timeMs - before.timeMs > SPIKE_SPAN_MS) return false;
  const isUp = exceeds(middle, before, JUMP) && exceeds(middle, after, JUMP);
  const isDown = exceeds(before, middle, JUMP) && exceeds(after, middle, JUMP);
  if (!isUp && !isDown) return false;
  return !exceeds(after, before, CLOSE) && !exceeds(before, after, CLOSE);
}

/** True when the newest slot may be a spike; only a later slot can decide it. */
export function mayBeSpike(before: TradedSlot, newest: TradedSlot): boolean {
  if (newest.timeMs - before.timeMs > SPIKE_SPAN_MS) return false;
  return exceeds(newest, before, JUMP) || exceeds(before, newest, JUMP);
}

/** True when the vwap of `one` is more than `ratio` times that of `other`. */
function exceeds(one: TradedSlot, other: TradedSlot, ratio: bigint): boolean {
  return one.quoteRaw * other.baseRaw * SCALE > other.quoteRaw * one.baseRaw * ratio;
}
