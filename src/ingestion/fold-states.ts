import type { Engine } from '../engine/engine.ts';
import type { Slot } from '../model/units.ts';
import type { LinkedState } from '../store/checkpoints/state-folders.ts';
import type { Cursor } from '../store/control/cursor.ts';
import type { EngineFactory } from './engine-factory.ts';
import type { EarlierState, RestoreAt } from './partial-refold.ts';
import type { ChainEnd } from './slot-marks.ts';
import type { StateCheckpoints } from './state-checkpoints.ts';
import type { WaitingRecords } from './waiting-writes.ts';

/** A state that was stored, and its last slot. */
export interface RestoredFold extends EarlierState {
  readonly end: ChainEnd;
}

/** What an earlier state is restored for. */
export interface StateUse {
  /** Number of the fold that continues from it, or whose rows are completed with it. */
  readonly target: number;
  readonly isForRows: boolean;
}

/** The engines of folds, and where their states are between runs. */
export interface FoldStates {
  /** An engine for a fold from the first slot of the log. */
  create(fold: number): Engine;
  /**
   * The newest state that cursor and log confirm; null if the log must be folded from its start.
   * `onRefused` receives a sentence for each state that is passed over. Those that the device does
   * not read are, unless `isUnreadPassedOver` is false; where there is no other, its failure is thrown.
   */
  restore(
    cursor: Cursor,
    onRefused: (sentence: string) => void,
    unread?: { readonly isUnreadPassedOver: boolean },
  ): Promise<RestoredFold | null>;
  /** The newest state of a fold up to a slot, null if there is none. */
  restoreAt(slot: Slot, fold: number, use: StateUse): Promise<EarlierState | null>;
  /**
   * The newest state of a fold up to a slot that the log confirms, for another thread; null if there
   * is none. The caller removes it with `removePast`.
   */
  linkPast(slot: Slot, fold: number): Promise<LinkedState | null>;
  /** A state before the first slot of the log, for another thread; null if states are not stored. */
  createPast(): LinkedState | null;
  /** Removes a state that no thread has open. Throws StoreError. */
  removePast(state: LinkedState): void;
  /** The checkpoints of one of these engines; null if its state is not stored. */
  checkpointsOf(engine: Engine, report: (sentence: string) => void): StateCheckpoints | null;
  /** The records of the state of one of these engines; null if it is not stored. */
  recordsOf(engine: Engine): WaitingRecords | null;
  /** The first damage that was found in the state of an engine; null while there is none. */
  damageOf(engine: Engine): Error | null;
  /**
   * Removes stored states of a fold that contain the damage found in an engine of it; where it is
   * not known what is damaged, the newest one. Resolves to their slots. Once slots of the log were
   * dropped, nothing could replace the last states of a fold: where none without the damage can be
   * used, none is removed, and the result is null.
   */
  removeDamaged(fold: number, engine: Engine): Promise<readonly Slot[] | null>;
  /**
   * The slot of the newest stored state of a fold up to a slot that can be used, and in which the
   * device reads the record that it last failed to read for an engine; null if there is none.
   */
  newestReadable(fold: number, engine: Engine, maxSlot: Slot): Promise<Slot | null>;
  /** Removes stored states of a fold after a slot; null: all of it. Resolves to their slots. */
  removeAfter(fold: number, slot: Slot | null): Promise<readonly Slot[]>;
  /** Removes the states of all folds but one. */
  retain(fold: number): void;
}

/** Engines whose states are not stored. */
export function unstoredStates(createEngine: EngineFactory, restoreAt?: RestoreAt): FoldStates {
  return {
    create: createEngine,
    restore: async () => null,
    restoreAt: async (slot) => restoreAt?.(slot) ?? null,
    linkPast: async () => null,
    createPast: () => null,
    removePast: () => undefined,
    checkpointsOf: () => null,
    recordsOf: () => null,
    damageOf: () => null,
    removeDamaged: async () => [],
    newestReadable: async () => null,
    removeAfter: async () => [],
    retain: () => undefined,
  };
}
