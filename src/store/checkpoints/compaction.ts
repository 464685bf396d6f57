import { DamagedRecordError } from '../../model/record-store.ts';
import type { IndexedRecords } from './indexed-records.ts';
import { RECORD_BYTES_MAX } from './record-location.ts';

/** Segments with a smaller share of bytes in use are emptied. */
const LIVE_SHARE_MIN = 0.5;
/** Bytes of a segment in memory at a time while all of it is emptied. */
const EMPTIED_AT_ONCE_BYTES = 1_024 * 1_024;

/**
 * Empties segments that consist mostly of replaced records, the emptiest first, by appending what is
 * in use again. A leaf of the index is moved by the next checkpoint. Files are removed elsewhere,
 * once no checkpoint needs them.
 */
export class Compaction {
  private readonly records: IndexedRecords;
  /** The segment being read, and where to continue. */
  private segment: number | null = null;
  private offsetBytes = 0;
  /** Segments that were read to the end or to a damaged record. */
  private readonly done = new Set<number>();

  constructor(records: IndexedRecords) {
    this.records = records;
  }

  /** Reads at most `maxBytes`, or one record if that is longer; returns the number of bytes. */
  compact(maxBytes: number): number {
    const { log } = this.records;
    // What is not in its file cannot be read as a part of it.
    if (log.unwrittenBytes > 0) return 0;
    this.segment ??= this.nextSegment();
    if (this.segment === null) return 0;
    const before = this.offsetBytes;
    try {
      this.offsetBytes = this.moveFrom(this.segment, before, Math.max(maxBytes, RECORD_BYTES_MAX));
    } catch (error) {
      // Reads and checks report it if it is still in use. What follows it cannot be found.
      if (!(error instanceof DamagedRecordError)) throw error;
      this.offsetBytes = log.endOf(this.segment);
    }
    const read = this.offsetBytes - before;
    if (this.offsetBytes >= log.endOf(this.segment)) this.finish(this.segment);
    return read;
  }

  /** Moves everything that is in use out of a segment. Throws DamagedRecordError, StoreError. */
  empty(segment: number): void {
    for (let at = 0; at < this.records.log.endOf(segment); ) {
      at = this.moveFrom(segment, at, EMPTIED_AT_ONCE_BYTES);
    }
    if (this.segment === segment) this.finish(segment);
  }

  /** Forgets a segment that was removed. */
  forget(segment: number): void {
    if (this.segment === segment) this.finish(segment);
    this.done.delete(segment);
  }

  /** Returns where it ended. */
  private moveFrom(segment: number, offsetBytes: number, maxBytes: number): number {
    return this.records.log.scan({ segment, offsetBytes }, maxBytes, this.records);
  }

  private finish(segment: number): void {
    this.done.add(segment);
    this.segment = null;
    this.offsetBytes = 0;
  }

  private nextSegment(): number | null {
    const { log, usage } = this.records;
    let emptiest: number | null = null;
    let leastShare = LIVE_SHARE_MIN;
    for (const [segment, liveBytes] of usage.segments) {
      const share = liveBytes / log.endOf(segment);
      if (segment === log.currentSegment || this.done.has(segment) || share >= leastShare) continue;
      emptiest = segment;
      leastShare = share;
    }
    return emptiest;
  }
}
