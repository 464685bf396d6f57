import { LogicalClock } from '../../fold/market/logical-time.ts';
import type { UndoLog } from '../../lib/undo-log.ts';
import type { RowSpill } from '../../model/row-spill.ts';
import type { PriceE18, Slot } from '../../model/units.ts';
import type { SignalModel } from '../../signals/features/signal-model.ts';
import { type Books, createBooks } from '../books/books.ts';
import { IndicatorMinutes } from '../books/indicator-minutes.ts';
import { createWalletBooks, type WalletBooks } from '../books/wallet-books.ts';
import { type CaseBooks, createCaseBooks } from '../cases/case-books.ts';
import { FraudWatch } from '../fraud/fraud-watch.ts';
import { SignalWatch } from '../signals/signal-watch.ts';
import { createCounters, type EngineCounters, type SlotLink } from './engine-counters.ts';

/** Everything that folding changes. */
export interface EngineState {
  readonly clock: LogicalClock;
  readonly books: Books;
  readonly walletBooks: WalletBooks;
  readonly cases: CaseBooks;
  readonly fraud: FraudWatch;
  readonly signals: SignalWatch;
  readonly minutes: IndicatorMinutes;
  readonly counters: EngineCounters;
  readonly progress: Progress;
}

/** What the books of a state are given that is no part of it. */
export interface StateSurroundings {
  readonly fallbackSolUsd: PriceE18 | null;
  readonly undo: UndoLog;
  /** Empty. */
  readonly spill: RowSpill;
  readonly models: readonly SignalModel[];
}

/** Which slots were folded, and the running hash over their bundles. */
export interface Progress {
  first: Slot | null;
  last: SlotLink | null;
  bundleDigest: string;
}

/** The state before the first slot. What changes it writes to `undo`. */
export function createState({
  fallbackSolUsd,
  undo,
  spill,
  models,
}: StateSurroundings): EngineState {
  const walletBooks = createWalletBooks(undo, spill);
  return {
    clock: new LogicalClock(undo),
    books: createBooks(fallbackSolUsd, undo),
    walletBooks,
    cases: createCaseBooks(walletBooks.ids, undo),
    fraud: new FraudWatch(undo),
    signals: new SignalWatch(undo, models),
    minutes: new IndicatorMinutes(undo),
    counters: createCounters(),
    progress: { first: null, last: null, bundleDigest: '' },
  };
}
