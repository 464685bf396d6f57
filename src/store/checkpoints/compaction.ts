import { StoreError } from '../../model/errors.ts';
import { DamagedRecordError } from '../../model/record-store.ts';
import type { IndexedRecords } from './indexed-records.ts';
import { RECORD_BYTES_MAX } from './record-location.ts';
import { segmentName } from './segment-files.ts';
import type { RecordVisitor } from './segment-log.ts';

/** Segments with a smaller share of bytes in use are emptied. */
const LIVE_SHARE_MIN = 0.5;
/** Bytes of a segment in memory at a time while all of it is emptied. */
const EMPTIED_AT_ONCE_BYTES = 1_024 * 1_024;
/**
 * Calls after which a segment that could not be read is tried again: with one per slot, some ten
 * minutes. A read that fails may occupy the device for seconds.
 */
const RETRY_CALLS = 1_000;

/** Why a segment could not be read, and the call from which on it is tried again. */
interface Unreadable {
  readonly reason: StoreError;
  readonly retryAtCall: number;
}

/**
 * Empties segments that consist mostly of replaced records, the emptiest first, by appending what is
 * in use again. A leaf of the index is moved by the next checkpoint. Files are removed elsewhere,
 * once no checkpoint needs them. A segment that cannot be read is left as it is for a number of
 * calls, and the others are emptied meanwhile: it only takes space.
 */
export class Compaction {
  private readonly records: IndexedRecords;
  /** The segment being read, and where to continue. */
  private segment: number | null = null;
  private offsetBytes = 0;
  /** Segments that were read to the end or to a damaged record. */
  private readonly done = new Set<number>();
  private readonly unreadable = new Map<number, Unreadable>();
  private calls = 0;

  constructor(records: IndexedRecords) {
    this.records = records;
  }

  /** Why a segment cannot be emptied; null if none was left because of that. */
  get failure(): StoreError | null {
    for (const { reason } of this.unreadable.values()) return reason;
    return null;
  }

  /**
   * Reads at most `maxBytes`, or one record if that is longer; returns the number of bytes, 0 if they
   * could not be read.
   */
  compact(maxBytes: number): number {
    const { log } = this.records;
    this.calls++;
    // What is not in its file cannot be read as a part of it.
    if (log.unwrittenBytes > 0) return 0;
    this.segment ??= this.nextSegment();
    if (this.segment === null) return 0;
    const before = this.offsetBytes;
    try {
      this.offsetBytes = this.moveFrom(this.segment, before, Math.max(maxBytes, RECORD_BYTES_MAX));
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      if (!(error instanceof DamagedRecordError)) {
        this.leave(this.segment, error);
        return 0;
      }
      // Reads and checks report it if it is still in use. What follows it cannot be found.
      this.offsetBytes = log.endOf(this.segment);
    }
    const read = this.offsetBytes - before;
    if (this.offsetBytes >= log.endOf(this.segment)) this.finish(this.segment);
    return read;
  }

  /**
   * Moves everything that is in use out of a segment, leaves of the index with the next checkpoint.
   * Throws DamagedRecordError, also when not all that is in use was found, and StoreError.
   */
  empty(segment: number): void {
    const { records } = this;
    const { log, usage } = records;
    let leafBytes = 0;
    const visitor: RecordVisitor = {
      isInUse: (header) => records.isInUse(header),
      move: (record) => {
        if (record.kind === 'leaf' || record.kind === 'leafChanges') leafBytes += record.sizeBytes;
        records.move(record);
      },
    };
    for (let offsetBytes = 0; offsetBytes < log.endOf(segment); ) {
      offsetBytes = log.scan({ segment, offsetBytes }, EMPTIED_AT_ONCE_BYTES, visitor);
    }
    // Bytes that were lost may have the form of records out of use.
    if (usage.bytesIn(segment) !== leafBytes) {
      throw new DamagedRecordError(segmentName(segment), 0, 'A record');
    }
    if (this.segment === segment) this.finish(segment);
  }

  /** Forgets a segment that was removed. */
  forget(segment: number): void {
    if (this.segment === segment) this.finish(segment);
    this.done.delete(segment);
    this.unreadable.delete(segment);
  }

  /** Returns where it ended. */
  private moveFrom(segment: number, offsetBytes: number, maxBytes: number): number {
    return this.records.log.scan({ segment, offsetBytes }, maxBytes, this.records);
  }

  /** Goes on with another segment. */
  private leave(segment: number, reason: StoreError): void {
    this.unreadable.set(segment, { reason, retryAtCall: this.calls + RETRY_CALLS });
    this.segment = null;
    this.offsetBytes = 0;
  }

  private finish(segment: number): void {
    this.done.add(segment);
    this.unreadable.delete(segment);
    this.segment = null;
    this.offsetBytes = 0;
  }

  private isLeft(segment: number): boolean {
    if (this.done.has(segment)) return true;
    const unreadable = this.unreadable.get(segment);
    return unreadable !== undefined && this.calls < unreadable.retryAtCall;
  }

  private nextSegment(): number | null {
    const { log, usage } = this.records;
    let emptiest: number | null = null;
    let leastShare = LIVE_SHARE_MIN;
    for (const [segment, liveBytes] of usage.segments) {
      const share = liveBytes / log.endOf(segment);
      if (segment === log.currentSegment || this.isLeft(segment) || share >= leastShare) continue;
      emptiest = segment;
      leastShare = share;
    }
    return emptiest;
  }
}
