import { LogicalClock } from '../../fold/market/logical-time.ts';
import type { InstalledDetector } from '../../fraud/contract/installed-detector.ts';
import { StateValue } from '../../lib/state-value.ts';
import type { UndoLog } from '../../lib/undo-log.ts';
import type { PriceE18, Slot } from '../../model/units.ts';
import type { SignalModel } from '../../signals/features/signal-model.ts';
import { type Books, createBooks } from '../books/books.ts';
import { IndicatorMinutes } from '../books/indicator-minutes.ts';
import { createWalletBooks, type WalletBooks } from '../books/wallet-books.ts';
import { type CaseBooks, createCaseBooks } from '../cases/case-books.ts';
import { DetectorWatch } from '../fraud/detector-watch.ts';
import { FraudWatch } from '../fraud/fraud-watch.ts';
import { RuleWatch } from '../rules/rule-watch.ts';
import { SignalWatch } from '../signals/signal-watch.ts';
import {
  COUNTERS_FORMAT,
  createCounters,
  type EngineCounters,
  type SlotLink,
} from './engine-counters.ts';

/** All state that the fold changes. */
export interface EngineState {
  readonly clock: LogicalClock;
  readonly books: Books;
  readonly walletBooks: WalletBooks;
  readonly cases: CaseBooks;
  readonly fraud: FraudWatch;
  readonly signals: SignalWatch;
  readonly rules: RuleWatch;
  readonly minutes: IndicatorMinutes;
  readonly counters: EngineCounters;
  readonly progress: Progress;
}

/** Dependencies of the books that are not part of the state. */
export interface StateSurroundings {
  readonly fallbackSolUsd: PriceE18 | null;
  readonly undo: UndoLog;
  readonly models: readonly SignalModel[];
  readonly detectors: readonly InstalledDetector[];
}

/** First and last applied slot, and the running hash over all bundles. */
export interface Progress {
  first: Slot | null;
  last: SlotLink | null;
  bundleDigest: string;
}

/** Creates the state before the first slot. Its changes are recorded in `undo`. */
export function createState({
  fallbackSolUsd,
  undo,
  models,
  detectors: installed,
}: StateSurroundings): EngineState {
  const walletBooks = createWalletBooks(undo);
  const { ids } = walletBooks;
  const start: Progress = { first: null, last: null, bundleDigest: '' };
  const rules = new RuleWatch(undo, ids);
  // A part of the state only with installed detectors, so that it is the same without them.
  const detectors = installed.length === 0 ? null : new DetectorWatch(installed, undo, rules.times);
  return {
    clock: new LogicalClock(undo),
    books: createBooks(fallbackSolUsd, ids, undo),
    walletBooks,
    cases: createCaseBooks(ids, undo),
    fraud: new FraudWatch(undo, ids, { rules: rules.cases, detectors }),
    signals: new SignalWatch({ undo, ids, models, rules }),
    rules,
    minutes: new IndicatorMinutes(undo),
    counters: new StateValue(createCounters(), undo, 'counters', COUNTERS_FORMAT).now,
    progress: new StateValue(start, undo, 'progress').now,
  };
}
