import type { InstalledDetector } from '../fraud/contract/installed-detector.ts';
import type { PagePool } from '../lib/pages/page-pool.ts';
import type { PriceE18 } from '../model/units.ts';
import type { SignalModel } from '../signals/features/signal-model.ts';

/** Options of an engine. */
export interface EngineOptions {
  /** SOL/USD to use where the chain gives none; if null, USD values are unknown there. */
  readonly fallbackSolUsd: PriceE18 | null;
  /** Models evaluated at the end of each minute. Default: the models of the registry. */
  readonly models?: readonly SignalModel[];
  /**
   * Detectors of modules whose judgements are published, by name. The state of an engine with any has
   * one part more. Default: none.
   */
  readonly detectors?: readonly InstalledDetector[];
  /** Maximum number of applied slots that are not final. Default: DEFAULT_UNDO_SLOTS_MAX. */
  readonly undoSlotsMax?: number;
  /** Memory and store of the state. Default: everything in memory, beginning with nothing. */
  readonly pages?: PagePool;
  /** What `beginCheckpoint` returned when the state that the pages have was stored. */
  readonly sums?: Uint32Array;
  /** Called by `close`: releases what the pages are stored in. */
  readonly onClose?: () => void;
}

/** More than three minutes of slots: if finality takes longer, that is an outage. */
export const DEFAULT_UNDO_SLOTS_MAX = 512;
