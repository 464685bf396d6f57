import { LogicalClock } from '../aggregates/logical-time.ts';
import type { UndoLog } from '../lib/undo-log.ts';
import type { RowSpill } from '../model/row-spill.ts';
import type { PriceE18, Slot } from '../model/units.ts';
import { type Books, createBooks } from './books.ts';
import { createCounters, type EngineCounters, type SlotLink } from './engine-counters.ts';
import { IndicatorMinutes } from './indicator-minutes.ts';
import { createWalletBooks, type WalletBooks } from './wallet-books.ts';

/** Everything that folding changes. */
export interface EngineState {
  readonly clock: LogicalClock;
  readonly books: Books;
  readonly who: WalletBooks;
  readonly minutes: IndicatorMinutes;
  readonly counters: EngineCounters;
  readonly progress: Progress;
}

/** Which slots were folded, and the running hash over their bundles. */
export interface Progress {
  first: Slot | null;
  last: SlotLink | null;
  bundleDigest: string;
}

/** The state before the first slot. What changes it writes to `undo`. */
export function createState(
  fallbackSolUsd: PriceE18 | null,
  undo: UndoLog,
  spill: RowSpill,
): EngineState {
  return {
    clock: new LogicalClock(undo),
    books: createBooks(fallbackSolUsd, undo),
    who: createWalletBooks(undo, spill),
    minutes: new IndicatorMinutes(undo),
    counters: createCounters(),
    progress: { first: null, last: null, bundleDigest: '' },
  };
}
