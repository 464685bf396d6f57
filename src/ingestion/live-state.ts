import type { Engine } from '../engine/engine.ts';
import { isTransientError } from '../lib/transient-error.ts';
import type { RetainedState } from '../model/record-store.ts';
import type { StateStatus } from '../model/state-status.ts';
import type { Slot } from '../model/units.ts';
import type { Cursor } from '../store/control/cursor.ts';
import { assertWholeLog } from '../store/log-start.ts';
import type { Fold } from './fold.ts';
import type { FoldStates } from './fold-states.ts';
import type { IngestionHooks } from './ingestion-run.ts';
import type { IngestionStore } from './ingestion-store.ts';
import type { Incomplete } from './partial-refold.ts';
import type { ChainEnd } from './slot-marks.ts';
import type { FoldProgress, StateCheckpoints } from './state-checkpoints.ts';
import { isDamage, isStateFailure, StateFailure } from './state-failure.ts';
import { messageOf, removedInWords, StateRebuild } from './state-rebuild.ts';
import { awaitWrites, type WaitingRecords } from './waiting-writes.ts';
import type { WriteRecovery } from './write-recovery.ts';

const ENDURED =
  'All stored states contain this damage, and slots before them were dropped (--log-retention), so ' +
  'that nothing is removed: answers that need the damaged record are refused, and the service ends ' +
  'once a slot needs it. Restore a backup of the data folder.';

/** Dependencies of the state of the live fold. */
export interface LiveStateSurroundings {
  readonly states: FoldStates;
  readonly log: IngestionStore['log'];
  readonly logStart: IngestionStore['logStart'];
  readonly recovery: WriteRecovery;
  readonly cursor: () => Cursor;
  readonly nowMs: () => number;
}

/** The progress of the live fold. */
export interface LiveProgress extends FoldProgress {
  readonly fold: Fold;
}

/** A state to fold on from. */
export interface StartState {
  readonly engine: Engine;
  /** The last slot that the engine has applied; null before the first. */
  readonly end: ChainEnd | null;
  /** Number of slots up to it decoded by older decoders. */
  readonly olderSlots: number;
}

/** A refold that failed. */
export interface EndedRefold {
  readonly engine: Engine;
  readonly isWhole: boolean;
}

/** The stored part of the state of the live fold: checkpoints, and a new engine after damage. */
export class LiveState {
  private readonly states: FoldStates;
  private readonly logStart: IngestionStore['logStart'];
  private readonly recovery: WriteRecovery;
  private readonly cursor: () => Cursor;
  private readonly rebuilding: StateRebuild;
  /** The start of the last refold that has to begin earlier, until one has taken over. */
  private movedSlot: Slot | null = null;
  private checkpoints: StateCheckpoints | null = null;
  /** Damage of the engine that nothing stored could replace. */
  private endured: Error | null = null;
  private signal: AbortSignal | undefined;
  private report: (sentence: string) => void = () => undefined;

  constructor({ states, log, logStart, recovery, cursor, nowMs }: LiveStateSurroundings) {
    this.states = states;
    this.logStart = logStart;
    this.recovery = recovery;
    this.cursor = cursor;
    this.rebuilding = new StateRebuild({
      states,
      log,
      logStart,
      recovery,
      cursor,
      nowMs,
      report: (sentence) => this.report(sentence),
      signal: () => this.signal,
    });
  }

  /** Number of states built again since the start because they were damaged or unreadable. */
  get rebuilds(): number {
    return this.rebuilding.rebuilds;
  }

  /** Where the state is, in memory and on disk; null if it is not stored. */
  get status(): StateStatus | null {
    return this.checkpoints?.status ?? null;
  }

  /** The checkpoints from which a late slot can be folded, newest first. */
  get retained(): readonly RetainedState[] {
    return this.checkpoints?.retained ?? [];
  }

  /** Resolves when no checkpoint is being committed: then `retained` is that of the stored state. */
  async settled(): Promise<void> {
    await this.checkpoints?.settled();
  }

  /** Reports states that cannot be used, and ends what takes long, as these hooks say. */
  follow({ signal, onStateProblem }: IngestionHooks): void {
    if (signal !== undefined) this.signal = signal;
    if (onStateProblem !== undefined) this.report = onStateProblem;
  }

  /** An empty state, for a fold of the whole log. Throws StoreError if old slots were dropped. */
  create(epoch: number): StartState {
    assertWholeLog(this.logStart, 'No stored state of this version and these settings can be used');
    return { engine: this.states.create(epoch), end: null, olderSlots: 0 };
  }

  /** The newest stored state, if there is one. */
  restore(cursor: Cursor): Promise<StartState | null> {
    return this.states.restore(cursor, (sentence) => this.report(sentence));
  }

  /** Follows a fold: stores its state, and replaces its engine when its state is damaged. */
  begin(fold: Fold): void {
    this.movedSlot = null;
    fold.rebuildEngine = (own, failure) => this.rebuildEngine(own, failure);
    this.checkpoints = this.checkpointsOf(fold.engine);
  }

  /**
   * Continues or begins a checkpoint, and replaces an engine whose state was found damaged by a
   * reader or by the checkpoint. Call between slots.
   */
  async step(progress: LiveProgress): Promise<void> {
    const { checkpoints } = this;
    await checkpoints?.step(progress);
    if (await this.replaceFailed(progress.fold)) return;
    await awaitWrites(this.recordsOf(progress.fold.engine), this.recovery);
  }

  /** Stores the state, in which everything is final and stored. Nothing may be folded meanwhile. */
  async complete(progress: LiveProgress): Promise<void> {
    do await this.checkpoints?.complete(progress);
    while (await this.replaceFailed(progress.fold));
  }

  /**
   * Removes the stored states of the current fold after a slot, which are wrong; null: all. No more
   * are stored until there is another fold.
   */
  async removeAfter(slot: Slot | null): Promise<void> {
    await this.endCheckpoints();
    const { epoch } = this.cursor();
    const removed = await this.recovery.run(() => this.states.removeAfter(epoch, slot));
    if (removed.length > 0) this.report(distrustedInWords(removed));
  }

  /** The checkpoints of a fold that is not followed; null if its state is not stored. */
  checkpointsOf(engine: Engine): StateCheckpoints | null {
    return this.states.checkpointsOf(engine, (sentence) => this.report(sentence));
  }

  /** The records of an engine's state; null if it is not stored. */
  recordsOf(engine: Engine): WaitingRecords | null {
    return this.states.recordsOf(engine);
  }

  /** Releases an engine that `begin` was called for. */
  async close(engine: Engine): Promise<void> {
    await this.endCheckpoints();
    engine.close();
  }

  /** Removes the states of all folds but one. */
  async retain(epoch: number): Promise<void> {
    await this.recovery.run(() => this.states.retain(epoch));
  }

  /**
   * Decides what follows the error that ended a refold. Where its state failed, the whole log is
   * folded into new records, once the device works; damage of those is no passing failure. A log
   * that is not whole is folded from the same state once the device works, and after damage from an
   * earlier state without it. Throws any other error.
   */
  async afterRefold(error: unknown, { engine, isWhole }: EndedRefold): Promise<'repeat' | 'again'> {
    if (!isStateFailure(error) || (isWhole && isDamage(error))) throw error;
    if (this.logStart.slot !== null) {
      if (!isDamage(error) && isTransientError(error)) {
        this.report(`${messageOf(error)} The end of the log is folded again.`);
        await this.waitAfter(error);
        return 'again';
      }
      if (isDamage(error) && (await this.removeDamaged(engine)) > 0) return 'again';
    }
    assertWholeLog(this.logStart, messageOf(error).slice(0, -1));
    this.report(`${messageOf(error)} The log is folded again from its start.`);
    if (!isDamage(error)) await this.waitAfter(error);
    return 'repeat';
  }

  /** Waits as after the first of attempts that failed. */
  private async waitAfter(error: unknown): Promise<void> {
    let isFirst = true;
    await this.recovery.run(() => {
      if (!isFirst) return;
      isFirst = false;
      throw error;
    });
  }

  /** Decides what follows a refold of the end of the log whose rows are not complete. */
  async afterIncomplete(ended: Incomplete): Promise<'repeat' | 'again'> {
    if (ended.kind === 'moved') {
      const isEarlier = this.movedSlot === null || ended.startSlot < this.movedSlot;
      this.movedSlot = ended.startSlot;
      return isEarlier ? 'again' : 'repeat';
    }
    if (ended.kind !== 'damaged' || this.logStart.slot === null) return 'repeat';
    const { engine, error } = ended;
    const failure = isStateFailure(error) ? error : new StateFailure(error);
    return this.afterRefold(failure, { engine, isWhole: false });
  }

  /** Removes the states of the current fold with the damage that a refold met; returns how many. */
  private async removeDamaged(engine: Engine): Promise<number> {
    const { epoch } = this.cursor();
    const removed = await this.recovery.run(() => this.states.removeDamaged(epoch, engine));
    const slots = removed ?? [];
    for (const slot of slots) this.report(removedInWords(slot));
    return slots.length;
  }

  /** Whether the engine of a fold had failed and was replaced. */
  private async replaceFailed(fold: Fold): Promise<boolean> {
    const failure = this.checkpoints?.engineFailure ?? (await this.damageToReplace(fold.engine));
    if (failure === null) return false;
    await fold.replaceEngine(failure);
    return true;
  }

  /**
   * Damage for which an engine is replaced. Nothing replaces what all stored states have once slots
   * of the log were dropped: the fold goes on until it needs the record.
   */
  private async damageToReplace(engine: Engine): Promise<Error | null> {
    const damage = this.states.damageOf(engine);
    if (damage === null || damage === this.endured) return null;
    if (this.logStart.slot === null) return damage;
    const { epoch } = this.cursor();
    const removed = await this.recovery.run(() => this.states.removeDamaged(epoch, engine));
    if (removed !== null) {
      for (const slot of removed) this.report(removedInWords(slot));
      return damage;
    }
    this.endured = damage;
    this.report(`${messageOf(damage)} ${ENDURED}`);
    return null;
  }

  private async rebuildEngine(fold: Fold, failure: unknown): Promise<Engine> {
    await this.endCheckpoints();
    const engine = await this.rebuilding.rebuild(fold, failure);
    // Until here it answered what it could.
    fold.engine.close();
    this.checkpoints = this.checkpointsOf(engine);
    return engine;
  }

  private async endCheckpoints(): Promise<void> {
    this.checkpoints?.abort();
    await this.checkpoints?.settled();
    this.checkpoints = null;
  }
}

function distrustedInWords(slots: readonly Slot[]): string {
  const named = slots.toSorted((one, other) => one - other).join(', ');
  return `The states after these slots were removed, because they may be wrong: ${named}.`;
}
