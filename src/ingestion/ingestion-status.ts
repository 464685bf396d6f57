import type { Slot } from '../model/units.ts';
import type { SourceStatus } from '../sources/source-status.ts';

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
  /** A source that follows the chain is being read. */
  readonly isFollowing: boolean;
  /** Why the last source that followed the chain ended by itself; null while none has. */
  readonly stopReason: string | null;
  /** The newest slot that source knows of; null when it does not say. */
  readonly headSlot: Slot | null;
  /** How that source and its nodes are; null when it does not say. */
  readonly source: SourceStatus | null;
}
