import type { InstalledDetector } from '../fraud/contract/installed-detector.ts';
import type { PagePool } from '../lib/pages/page-pool.ts';
import type { PriceE18 } from '../model/units.ts';
import type { SignalModel } from '../signals/features/signal-model.ts';

/** Options of an engine. */
export interface EngineOptions {
  /** SOL/USD to use where the chain gives none; if null, USD values are unknown there. */
  readonly fallbackSolUsd: PriceE18 | null;
  readonly bounds?: Partial<EngineBounds>;
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

/** Intended limits of the state. Exceeding one is counted and reported; no data is dropped. */
export interface EngineBounds {
  readonly tokens: number;
  readonly pools: number;
  readonly poolTraders: number;
  readonly holderMints: number;
  readonly holderAccounts: number;
  readonly locks: number;
  /** Signals whose outcome can still change, including those of the control. */
  readonly openSignals: number;
  /** Pools traded in the last six hours. */
  readonly signalPools: number;
}

/** Sized for ARCHITECTURE §7: 100 k live pools and 2 M wallets within 2 GiB. */
export const DEFAULT_BOUNDS: EngineBounds = {
  tokens: 500_000,
  pools: 200_000,
  poolTraders: 5_000_000,
  holderMints: 500_000,
  holderAccounts: 5_000_000,
  locks: 500_000,
  openSignals: 200_000,
  signalPools: 200_000,
};
