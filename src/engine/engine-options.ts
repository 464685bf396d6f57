import type { RowSpill } from '../model/row-spill.ts';
import type { PriceE18 } from '../model/units.ts';
import type { SignalModel } from '../signals/features/signal-model.ts';

/** What an engine is told at its start. */
export interface EngineOptions {
  /** SOL/USD to use where the chain gives none; null: USD values stay unknown there. */
  readonly fallbackSolUsd: PriceE18 | null;
  readonly bounds?: Partial<EngineBounds>;
  /** What is asked at the end of each minute; the registry's models unless told. */
  readonly models?: readonly SignalModel[];
  /** How many slots that are not final may be folded at a time; DEFAULT_UNDO_SLOTS_MAX unless told. */
  readonly undoSlotsMax?: number;
  /**
   * Makes what profiles of wallets lie in that memory has no room for, for rows of so many bytes; in
   * memory unless told. It is the engine's own, from the first call to `close`.
   */
  readonly createSpill?: (rowBytes: number) => RowSpill;
}

/** Over three minutes of slots: finality that takes longer is an outage, not a backlog. */
export const DEFAULT_UNDO_SLOTS_MAX = 512;

/**
 * How much the process is meant to hold. Going over is counted and reported; nothing is dropped, and
 * of all kinds only profiles leave memory.
 */
export interface EngineBounds {
  readonly tokens: number;
  readonly pools: number;
  readonly poolTraders: number;
  readonly holderMints: number;
  readonly holderAccounts: number;
  readonly locks: number;
  /** Profiles of wallets in memory: when there are more, those go to the spill that traded longest ago. */
  readonly profiles: number;
  /** Signals whose outcome can still change, the control's among them. */
  readonly openSignals: number;
  /** Pools that were traded in the last six hours. */
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
  profiles: 1_000_000,
  openSignals: 200_000,
  signalPools: 200_000,
};
