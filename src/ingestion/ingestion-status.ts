import type { SourceStatus } from '../chain/source-status.ts';
import type { Slot } from '../model/units.ts';
import type { BundleAnswers } from './exact-bundles.ts';
import type { Fold } from './fold.ts';
import type { FollowedTail } from './followed-tail.ts';
import type { IngestionRun } from './ingestion-run.ts';
import type { LateHistory } from './late-history.ts';
import type { ShadowSnapshots } from './shadow-snapshots.ts';
import type { WriteFailure, WriteRecovery } from './write-recovery.ts';

/** Where ingestion stands. Counts are since the start. */
export interface IngestionStatus {
  /** Up to here everything stays; null before any. */
  readonly finalSlot: Slot | null;
  /** Slots in memory that may be taken back. */
  readonly tailSlots: number;
  /** Final slots that wait for their write. */
  readonly unwrittenSlots: number;
  readonly undos: number;
  readonly undoneSlots: number;
  /** Slots that came after later ones. */
  readonly lateSlots: number;
  /** Final slots of which a late block proved that what was told of them was of a branch that lost. */
  readonly droppedSlots: number;
  readonly refolds: number;
  readonly isRefolding: boolean;
  /** Resident memory of the process of a shadow fold, as last told; 0 while none runs. */
  readonly shadowResidentBytes: number;
  /** A source that follows the chain is being read. */
  readonly isFollowing: boolean;
  /** Why the last source that followed the chain ended by itself; null while none has. */
  readonly stopReason: string | null;
  /** Since a slot last came from that source; null before any. */
  readonly sinceSlotMs: number | null;
  /** What keeps slots from being stored now; null while nothing does. */
  readonly failure: WriteFailure | null;
  /** Attempts to store something that failed since the start. */
  readonly failedWrites: number;
  /** The newest slot that source knows of; null when it does not say. */
  readonly headSlot: Slot | null;
  /** How that source and its nodes are; null when it does not say. */
  readonly source: SourceStatus | null;
  /** What became of asking for bundles while that source is followed; null while none is. */
  readonly bundleAnswers: Readonly<BundleAnswers> | null;
}

/** What the status is made of. */
export interface IngestionProgress
  extends Pick<IngestionStatus, 'refolds' | 'isRefolding' | 'stopReason'> {
  readonly fold: Fold;
  /** The run of the source that follows the chain; null while none does. */
  readonly following: IngestionRun | null;
  readonly tail: FollowedTail;
  readonly history: LateHistory;
  readonly shadow: Pick<ShadowSnapshots, 'residentBytes'>;
  readonly recovery: Pick<WriteRecovery, 'failure' | 'failedAttempts'>;
}

export function statusOf(progress: IngestionProgress): IngestionStatus {
  const { fold, following, tail, history, shadow, recovery } = progress;
  const { refolds, isRefolding, stopReason } = progress;
  return {
    finalSlot: fold.finalSlot < 0 ? null : (fold.finalSlot as Slot),
    tailSlots: fold.tailSlots.length,
    unwrittenSlots: fold.unwritten.length - fold.tailSlots.length,
    undos: tail.counts.undos,
    undoneSlots: tail.counts.undoneSlots,
    lateSlots: tail.counts.lateSlots + history.counts.lateSlots,
    droppedSlots: history.counts.droppedSlots,
    refolds,
    isRefolding,
    shadowResidentBytes: shadow.residentBytes,
    isFollowing: following !== null,
    stopReason,
    sinceSlotMs: following?.sinceSlotMs ?? null,
    failure: recovery.failure,
    failedWrites: recovery.failedAttempts,
    headSlot: following?.source.headSlot ?? null,
    source: following?.source.status ?? null,
    bundleAnswers: following?.bundles.answers ?? null,
  };
}
