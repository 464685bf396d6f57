import type { EventPosition } from './chain-event.ts';
import type { Candle, HolderBalance } from './derived.ts';
import type { Address, Slot } from './units.ts';

/**
 * A slot that was taken back, and which records went back to what they were before it: those it had
 * named as changed, by key, in the same order. A record that began with the slot is gone. What the
 * slot alone had, its own swaps and bundles, is gone with it.
 */
export interface RevertedSlot {
  readonly slot: Slot;
  /** Swaps of earlier slots that are labelled as before. */
  readonly swaps: readonly SwapKey[];
  /** Mints. */
  readonly tokens: readonly Address[];
  readonly pools: readonly Address[];
  readonly candles: readonly Pick<Candle, 'scope' | 'openTimeMs'>[];
  readonly balances: readonly Pick<HolderBalance, 'mint' | 'owner'>[];
  /** Minutes of SOL prices, in milliseconds since 1970. */
  readonly solPriceMinutesMs: readonly number[];
}

/** Where in the log a swap stands. */
export interface SwapKey extends Pick<EventPosition, 'outerIx' | 'innerIx'> {
  readonly slot: Slot;
  readonly txIndex: number;
}
