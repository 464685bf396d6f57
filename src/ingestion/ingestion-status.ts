import type { SourceStatus } from '../chain/source-status.ts';
import type { SourceProblem } from '../model/errors.ts';
import { asSlot, type Slot } from '../model/units.ts';
import type { BundleAnswers } from './exact-bundles.ts';
import type { FollowedTail } from './followed-tail.ts';
import type { IngestionRun } from './ingestion-run.ts';
import type { LateHistory } from './late-history.ts';
import type { LiveFold } from './live-fold.ts';
import type { Refolding } from './refolding.ts';
import type { StateTrust } from './state-trust.ts';
import type { WriteFailure } from './write-recovery.ts';

/** State of ingestion. Counts are since the start. */
export interface IngestionStatus {
  /** Slots up to this one are final; null before the first. */
  readonly finalSlot: Slot | null;
  /** Slots in memory that can be reverted. */
  readonly tailSlots: number;
  /** Final slots waiting to be written. */
  readonly unwrittenSlots: number;
  readonly undos: number;
  readonly undoneSlots: number;
  /** Slots that arrived after later ones. */
  readonly lateSlots: number;
  /** Final slots that a late block proved to be on a lost branch. */
  readonly droppedSlots: number;
  readonly refolds: number;
  readonly isRefolding: boolean;
  /** Whether late slots are in the log and not yet part of the state. */
  readonly isDirty: boolean;
  /** States computed again because what was stored of them was damaged or could not be read. */
  readonly rebuilds: number;
  /** Whether a source that follows the chain is being read. */
  readonly isFollowing: boolean;
  /** Why the last source that followed the chain ended unexpectedly; null if none has. */
  readonly stopReason: string | null;
  /** Whether most replicas have another state, or had one and have not agreed since. */
  readonly isContradicted: boolean;
  /** Why nothing may be answered although a source is followed; null: everything may. */
  readonly suspension: string | null;
  /** Milliseconds since the last slot arrived from that source; null before the first. */
  readonly sinceSlotMs: number | null;
  /** The current failure to store slots; null without one. */
  readonly failure: WriteFailure | null;
  /** Failed attempts to store something since the start. */
  readonly failedWrites: number;
  /** The newest slot known to that source; null if it does not report one. */
  readonly headSlot: Slot | null;
  /** State of that source and its nodes; null if it does not report it. */
  readonly source: SourceStatus | null;
  /** Bundle answers for that source; null while there is none. */
  readonly bundleAnswers: Readonly<BundleAnswers> | null;
}

/** Inputs of the status. */
export interface IngestionProgress {
  readonly live: LiveFold;
  /** The run of the source that follows the chain; null without one. */
  readonly following: IngestionRun | null;
  readonly tail: FollowedTail;
  readonly history: LateHistory;
  readonly refolding: Refolding;
  readonly trust: StateTrust;
  /** Why the last source that followed the chain ended unexpectedly; null if none has. */
  readonly stop: SourceProblem | null;
}

export function statusOf(progress: IngestionProgress): IngestionStatus {
  const { live, following, tail, history, refolding, stop } = progress;
  const { fold, recovery, refolds, state, cursor } = live;
  const { suspension } = progress.trust;
  return {
    finalSlot: fold.finalSlot < 0 ? null : asSlot(fold.finalSlot),
    tailSlots: fold.tailSlots.length,
    unwrittenSlots: fold.unwritten.length - fold.tailSlots.length,
    undos: tail.counts.undos,
    undoneSlots: tail.counts.undoneSlots,
    lateSlots: tail.counts.lateSlots + history.counts.lateSlots,
    droppedSlots: history.counts.droppedSlots,
    refolds,
    isRefolding: refolding.isRunning,
    isDirty: cursor.isDirty,
    rebuilds: state.rebuilds,
    isFollowing: following !== null,
    stopReason: stop?.message ?? null,
    isContradicted: stop?.code === 'state-differs' || suspension !== null,
    suspension,
    sinceSlotMs: following?.sinceSlotMs ?? null,
    failure: recovery.failure,
    failedWrites: recovery.failedAttempts,
    headSlot: following?.source.headSlot ?? null,
    source: following?.source.status ?? null,
    bundleAnswers: following?.bundles.answers ?? null,
  };
}
