import { setImmediate as nextTurn } from 'node:timers/promises';
import { DECODER_VERSION } from '../decoders/registry.ts';
import type { Engine } from '../engine/engine.ts';
import { isTransientError } from '../lib/transient-error.ts';
import { StoreError } from '../model/errors.ts';
import { asSlot, type Slot } from '../model/units.ts';
import type { Cursor } from '../store/control/cursor.ts';
import { assertWholeLog } from '../store/log-start.ts';
import { Fold } from './fold.ts';
import type { FoldStates } from './fold-states.ts';
import type { IngestionStore } from './ingestion-store.ts';
import { isDamage, isUnread } from './state-failure.ts';
import { awaitWrites } from './waiting-writes.ts';
import type { WriteRecovery } from './write-recovery.ts';

/**
 * Attempts for one slot. Each removes at least one damaged checkpoint, of which there are some eight,
 * unless the device damages what was written a moment ago.
 */
const ATTEMPTS_MAX = 20;
/**
 * States for one slot that the device did not read, before an older one is used; where the service
 * waits for it, only after this time.
 */
const FAILED_STATES = 3;
const LASTING_MS = 60_000;

const ALL_DAMAGED = 'All stored states contain the damage';
const ALL_UNREAD = 'None of the stored states can be read';

/** Dependencies of a rebuild. */
export interface RebuildSurroundings {
  readonly states: FoldStates;
  readonly log: IngestionStore['log'];
  readonly logStart: IngestionStore['logStart'];
  readonly recovery: WriteRecovery;
  readonly cursor: () => Cursor;
  readonly report: (sentence: string) => void;
  /** Ends a rebuild. */
  readonly signal: () => AbortSignal | undefined;
  readonly nowMs: () => number;
}

/** An engine that was given up, and why. */
interface FailedEngine {
  readonly engine: Engine;
  readonly failure: unknown;
}

/**
 * Builds the state of a fold again when what is stored of it is damaged or cannot be read: from the
 * newest stored state without the damage, the log after it, and the slots that are not stored yet.
 * The state is the same, so that no row changes and the fold goes on under its number.
 */
export class StateRebuild {
  private readonly surroundings: RebuildSurroundings;
  private count = 0;
  /** Attempts with damage since the fold was at this slot. */
  private attempts = 0;
  private attemptedAt: number | null = null;
  /** States that were not read since then, or since an older one was chosen, and the time of that. */
  private unreadStates = 0;
  private unreadSinceMs = 0;
  /** Later stored states are not used for this slot; null: all may be. */
  private upTo: Slot | null = null;

  constructor(surroundings: RebuildSurroundings) {
    this.surroundings = surroundings;
  }

  /** Number of states built again. */
  get rebuilds(): number {
    return this.count;
  }

  /**
   * Returns an engine with the state of the fold. Failures of the device are waited for, where they
   * are for writes. Throws StoreError when the state cannot be built.
   */
  async rebuild(fold: Fold, failure: unknown): Promise<Engine> {
    const { recovery, report } = this.surroundings;
    const at = fold.end?.slot ?? -1;
    this.beginAt(at);
    this.countAttempt(failure);
    report(`${messageOf(failure)} It is computed again from what was stored before.`);
    let failed: FailedEngine = { engine: fold.engine, failure };
    // The failure itself counts as the first attempt: the device is given time.
    let isFirst = this.isPassing(failure);
    for (;;) {
      const result = await recovery.run(async () => {
        if (isFirst) {
          isFirst = false;
          throw passing(failure);
        }
        const built = await this.attempt(fold, failed);
        if (built instanceof Fold) return built;
        failed = built;
        if (isUnread(failed.failure)) this.unreadStates++;
        if (this.isPassing(failed.failure)) throw passing(failed.failure);
        return null;
      });
      if (result !== null) {
        this.count++;
        report(`The state after slot ${at} was computed again.`);
        return result.engine;
      }
      this.countAttempt(failed.failure);
    }
  }

  private beginAt(slot: number): void {
    if (slot !== this.attemptedAt) {
      this.attempts = 0;
      this.upTo = null;
      this.giveTime();
    }
    this.attemptedAt = slot;
    this.unreadStates++;
  }

  private giveTime(): void {
    this.unreadStates = 0;
    this.unreadSinceMs = this.surroundings.nowMs();
  }

  /** Whether the device has not read a state for so long that older ones should be tried. */
  private isLasting(failure: unknown): boolean {
    if (!isUnread(failure) || this.unreadStates < FAILED_STATES) return false;
    // Nothing waits: the next state is tried at once.
    if (!isTransientError(failure) && !this.surroundings.recovery.isEnabled) return true;
    return this.surroundings.nowMs() - this.unreadSinceMs >= LASTING_MS;
  }

  /** Whether the device may work if it is given time. */
  private isPassing(failure: unknown): boolean {
    const mayPass = isUnread(failure)
      ? isTransientError(failure) || this.surroundings.recovery.isEnabled
      : isTransientError(failure) && !isDamage(failure);
    return mayPass && !this.isLasting(failure);
  }

  private countAttempt(failure: unknown): void {
    const isOver = isDamage(failure) || this.isLasting(failure);
    if (!isOver || ++this.attempts <= ATTEMPTS_MAX) return;
    const message = `The state cannot be built in ${ATTEMPTS_MAX} attempts: ${messageOf(failure)}`;
    throw new StoreError(message, { cause: failure });
  }

  /** Attempts to return the rebuilt fold; otherwise an engine whose state was not read either. */
  private async attempt(fold: Fold, { engine, failure }: FailedEngine) {
    if (isDamage(failure)) await this.removeDamaged(fold, engine);
    else if (this.isLasting(failure)) await this.chooseOlder(fold, { engine, failure });
    let failing = engine;
    try {
      const rebuilt = await this.restored(fold);
      failing = rebuilt.fold.engine;
      await this.applyAll(rebuilt.fold, fold, rebuilt.olderSlots);
      return rebuilt.fold;
    } catch (error) {
      if (failing !== engine) failing.close();
      if (!isDamage(error) && !isUnread(error)) throw error;
      return { engine: failing, failure: error };
    }
  }

  private async removeDamaged({ epoch }: Fold, engine: Engine): Promise<void> {
    const { states, logStart, report } = this.surroundings;
    const removed = await states.removeDamaged(epoch, engine);
    if (removed === null) assertWholeLog(logStart, ALL_DAMAGED);
    for (const slot of removed ?? []) report(removedInWords(slot));
  }

  /**
   * Uses stored states only up to the newest that the device reads. Nothing is removed: what is
   * stored may be right. Throws the failure while the device may read them again, and where none
   * can be read and the log does not suffice.
   */
  private async chooseOlder(fold: Fold, { engine, failure }: FailedEngine): Promise<void> {
    const { states, logStart, report } = this.surroundings;
    const newest = this.newestOf(fold);
    const older = newest === null ? null : await states.newestReadable(fold.epoch, engine, newest);
    if (older === null && isTransientError(failure)) throw failure;
    if (older === null) assertWholeLog(logStart, ALL_UNREAD);
    const before = older === null ? 'from the start of the log' : `from that after slot ${older}`;
    report(`Stored states cannot be read. The state is computed ${before}.`);
    this.upTo = older ?? asSlot(0);
    this.giveTime();
  }

  /** A fold that has the newest stored state before the first slot that is not stored. */
  private async restored(fold: Fold) {
    const { states, cursor, logStart, report, nowMs } = this.surroundings;
    const { epoch } = fold;
    const slot = this.newestOf(fold);
    const from = { ...cursor(), epoch, slot };
    const restored = await states.restore(from, report, { isUnreadPassedOver: false });
    if (restored === null) {
      assertWholeLog(logStart, 'No stored state before the damage can be used');
      return { fold: new Fold(states.create(epoch), epoch, nowMs), olderSlots: 0 };
    }
    const { engine, end: stored, olderSlots } = restored;
    return { fold: new Fold(engine, epoch, nowMs, stored), olderSlots };
  }

  /** The newest slot after which a stored state can be used; null: none is. */
  private newestOf({ end }: Fold): Slot | null {
    const { slot } = this.surroundings.cursor();
    if (slot === null || end === null) return null;
    return asSlot(Math.min(slot, end.slot, this.upTo ?? end.slot));
  }

  private async applyAll(rebuilt: Fold, fold: Fold, older: number): Promise<void> {
    const { states, log, cursor, recovery, report, signal } = this.surroundings;
    const { unwritten, tailSlots, end } = fold;
    const isTail = new Set(tailSlots);
    const before = unwritten[0]?.facts.slot ?? (end === null ? 0 : end.slot + 1);
    const checkpoints = states.checkpointsOf(rebuilt.engine, report);
    let olderSlots = older;
    try {
      for await (const facts of log.read((rebuilt.end?.slot ?? -1) + 1)) {
        if (facts.slot >= before) break;
        signal()?.throwIfAborted();
        if (facts.decoderVersion < DECODER_VERSION) olderSlots++;
        await rebuilt.addWritten(facts);
        await checkpoints?.step({ fold: rebuilt, cursor: cursor(), olderSlots });
        await awaitWrites(states.recordsOf(rebuilt.engine), recovery);
        await nextTurn();
      }
    } finally {
      checkpoints?.abort();
      await checkpoints?.settled();
    }
    for (const folded of unwritten) {
      rebuilt.engine.apply(folded.facts, { isFinal: !isTail.has(folded) });
    }
  }
}

/** A failure that is waited for: a refusal (ESTALE, EACCES) may end as a failing device does. */
function passing(failure: unknown): unknown {
  if (isTransientError(failure)) return failure;
  return new StoreError(messageOf(failure), { cause: failure, isTransient: true });
}

/** A sentence about a stored state that was removed. */
export function removedInWords(slot: Slot): string {
  return `The state after slot ${slot} was removed: it contains the damage.`;
}

/** The message of an error, as a sentence. */
export function messageOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.endsWith('.') ? message : `${message}.`;
}
