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
import { isDamage, isLoss, isStateFailure } from './state-failure.ts';
import { awaitWrites } from './waiting-writes.ts';
import type { WriteRecovery } from './write-recovery.ts';

/**
 * Attempts for one slot. Each removes at least one damaged checkpoint, of which there are some eight,
 * unless the device damages what was written a moment ago.
 */
const ATTEMPTS_MAX = 20;
/**
 * States that were built for one slot, each of which failed at it again, before a record that cannot
 * be read counts as damaged; where the device may work again, only after this time.
 */
const FAILED_STATES = 3;
const LASTING_MS = 60_000;

const ALL_DAMAGED = 'All stored states contain the damage';

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
  /** States that failed since then, or since checkpoints were removed, and the time of that. */
  private failedStates = 0;
  private failingSinceMs = 0;

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
    let isFirst = isTransientError(failure) && !this.isAsDamage(failure);
    for (;;) {
      const result = await recovery.run(() => {
        if (isFirst) {
          isFirst = false;
          throw failure;
        }
        return this.attempt(fold, failed);
      });
      if (result instanceof Fold) {
        this.count++;
        report(`The state after slot ${at} was computed again.`);
        return result.engine;
      }
      failed = result;
      this.countAttempt(failed.failure);
    }
  }

  private beginAt(slot: number): void {
    if (slot !== this.attemptedAt) {
      this.attempts = 0;
      this.giveTime();
    }
    this.attemptedAt = slot;
    this.failedStates++;
  }

  private giveTime(): void {
    this.failedStates = 0;
    this.failingSinceMs = this.surroundings.nowMs();
  }

  /**
   * Whether stored states with the cause of a failure are of no use: damage, or a record that stays
   * unreadable although the rest can be read. What the device did not confirm is in none of them.
   */
  private isAsDamage(failure: unknown): boolean {
    if (isDamage(failure)) return true;
    if (!isStateFailure(failure) || isLoss(failure)) return false;
    if (this.failedStates < FAILED_STATES) return false;
    if (!isTransientError(failure)) return true;
    return this.surroundings.nowMs() - this.failingSinceMs >= LASTING_MS;
  }

  private countAttempt(failure: unknown): void {
    if (!this.isAsDamage(failure) || ++this.attempts <= ATTEMPTS_MAX) return;
    const message = `The state cannot be built in ${ATTEMPTS_MAX} attempts: ${messageOf(failure)}`;
    throw new StoreError(message, { cause: failure });
  }

  /** The rebuilt fold, or an engine that turned out to be damaged as well. */
  private async attempt(fold: Fold, { engine, failure }: FailedEngine) {
    if (this.isAsDamage(failure)) await this.removeDamaged(fold, engine);
    const rebuilt = await this.restored(fold);
    try {
      await this.applyAll(rebuilt.fold, fold, rebuilt.olderSlots);
      return rebuilt.fold;
    } catch (error) {
      rebuilt.fold.engine.close();
      if (!isDamage(error)) throw error;
      return { engine: rebuilt.fold.engine, failure: error };
    }
  }

  private async removeDamaged({ epoch }: Fold, engine: Engine): Promise<void> {
    const { states, logStart, report } = this.surroundings;
    const removed = await states.removeDamaged(epoch, engine);
    if (removed === null) assertWholeLog(logStart, ALL_DAMAGED);
    for (const slot of removed ?? []) report(removedInWords(slot));
    // An outage of minutes must not cost one checkpoint after the other.
    this.giveTime();
  }

  /** A fold that has the newest stored state before the first slot that is not stored. */
  private async restored({ end, epoch }: Fold) {
    const { states, cursor, logStart, report, nowMs } = this.surroundings;
    const { slot } = cursor();
    const newest = slot === null || end === null ? null : asSlot(Math.min(slot, end.slot));
    const restored = await states.restore({ ...cursor(), epoch, slot: newest }, report);
    if (restored === null) {
      assertWholeLog(logStart, 'No stored state before the damage can be used');
      return { fold: new Fold(states.create(epoch), epoch, nowMs), olderSlots: 0 };
    }
    const { engine, end: stored, olderSlots } = restored;
    return { fold: new Fold(engine, epoch, nowMs, stored), olderSlots };
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

/** A sentence about a stored state that was removed. */
export function removedInWords(slot: Slot): string {
  return `The state after slot ${slot} was removed: it contains the damage.`;
}

/** The message of an error, as a sentence. */
export function messageOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.endsWith('.') ? message : `${message}.`;
}
