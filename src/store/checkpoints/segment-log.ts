import { isTransientError } from '../../lib/transient-error.ts';
import { StoreError } from '../../model/errors.ts';
import { DamagedRecordError } from '../../model/record-store.ts';
import type { FileAccess } from './file-access.ts';
import {
  isBlank,
  type RecordHeader,
  type RecordKey,
  readHeader,
  readRecord,
  recordSizeBytes,
  type StoredRecord,
  writeRecord,
} from './record-frame.ts';
import { type RecordLocation, type RecordOrigin, SEGMENT_BYTES_MAX } from './record-location.ts';
import { SegmentFiles, segmentName } from './segment-files.ts';
import { orStoreError, toStoreError } from './store-failure.ts';

export interface SegmentSizes {
  /** A segment ends with the record that reaches this. */
  readonly segmentBytes: number;
  /** Records are collected in memory up to this before they are written. */
  readonly bufferBytes: number;
  /** Files of segments that are open at a time, more while they are not durable. */
  readonly openFilesMax: number;
}

/** Bytes of a segment that are not in its file yet. */
interface Chunk {
  readonly segment: number;
  /** Where in the segment it begins. */
  readonly offsetBytes: number;
  readonly bytes: Buffer;
  length: number;
  /** Bytes of it that are in the file. */
  written: number;
}

/**
 * Records in the order in which they were appended, in numbered files of bounded size. A segment is
 * never written again once the next one has begun, and a new log begins with a new segment.
 */
export class SegmentLog {
  private readonly files: SegmentFiles;
  private readonly sizes: SegmentSizes;
  /** Where the records of each segment end. */
  private readonly ends = new Map<number, number>();
  private segment: number;
  private active: Chunk | null = null;
  /** Complete chunks whose write failed, oldest first. */
  private pending: Chunk[] = [];
  /** Why it failed last. */
  private failure: StoreError | null = null;
  private readonly suspects = new Set<number>();
  private scratch = Buffer.alloc(0);
  private scanned = Buffer.alloc(0);
  /** The buffer of a chunk that was written. */
  private spare: Buffer | null = null;

  /** `ends` are the segments that are already there. New ones begin with `firstSegment`. */
  constructor(
    access: FileAccess,
    sizes: SegmentSizes,
    { ends, firstSegment }: { ends: ReadonlyMap<number, number>; firstSegment: number },
  ) {
    if (sizes.segmentBytes > SEGMENT_BYTES_MAX) {
      throw new RangeError(`a segment cannot have ${sizes.segmentBytes} bytes`);
    }
    this.files = new SegmentFiles(access, sizes.openFilesMax);
    this.sizes = sizes;
    this.segment = firstSegment;
    for (const [segment, end] of ends) this.ends.set(segment, end);
  }

  /** The segment that records are appended to. */
  get currentSegment(): number {
    return this.segment;
  }

  /** Bytes that the device refused to take. */
  get unwrittenBytes(): number {
    return this.pending.reduce((sum, { length, written }) => sum + length - written, 0);
  }

  /** Why the device refused to take them; null if there are none. */
  get writeFailure(): StoreError | null {
    return this.pending.length === 0 ? null : this.failure;
  }

  /** Segments that the device failed to make durable: their bytes may be lost, now or later. */
  get suspectSegments(): ReadonlySet<number> {
    return this.suspects;
  }

  /** Where the records of a segment end. */
  endOf(segment: number): number {
    return this.ends.get(segment) ?? 0;
  }

  /** Appends a record. A device that fails leaves it in memory. */
  append(key: RecordKey, content: Uint8Array): RecordLocation {
    const sizeBytes = recordSizeBytes(content.length);
    const chunk = this.chunkFor(sizeBytes);
    const offsetBytes = chunk.offsetBytes + chunk.length;
    const target = chunk.bytes.subarray(chunk.length, chunk.length + sizeBytes);
    writeRecord(target, { ...key, content }, { segment: chunk.segment, offsetBytes });
    chunk.length += sizeBytes;
    this.ends.set(chunk.segment, offsetBytes + sizeBytes);
    const isIndirect = key.kind === 'pieces' || key.kind === 'leafChanges';
    return { segment: chunk.segment, offsetBytes, sizeBytes, isIndirect };
  }

  /**
   * The content of a record, valid until the next call. Throws DamagedRecordError if it is not the
   * one that was written, StoreError if the device fails.
   */
  read(location: RecordLocation, key: RecordKey): Uint8Array {
    const bytes = this.bytesAt(location);
    const record = bytes === null ? null : readRecord(bytes, location);
    if (record?.kind !== key.kind || record.space !== key.space || record.id !== key.id) {
      const subject = `Record ${key.id} (${key.kind}) of space ${key.space}`;
      throw new DamagedRecordError(segmentName(location.segment), location.offsetBytes, subject);
    }
    return record.content;
  }

  /**
   * Visits the records of a segment that are in use, in order, from where one begins, until about
   * `maxBytes` bytes are read or the segment ends; returns where it ended. Records out of use are not
   * checked, except that zeros are none. Contents are valid during the visit. All bytes of the
   * segment must be written. Throws DamagedRecordError, StoreError if the device fails.
   */
  scan({ segment, offsetBytes }: RecordOrigin, maxBytes: number, visitor: RecordVisitor): number {
    const length = Math.min(maxBytes, this.endOf(segment) - offsetBytes);
    if (this.scanned.length < length) this.scanned = Buffer.alloc(length);
    const bytes = this.scanned.subarray(0, length);
    if (!this.readFile(segment, bytes, offsetBytes)) throw damagedSegment(segment, offsetBytes);
    let at = 0;
    while (at < bytes.length) {
      const origin = { segment, offsetBytes: offsetBytes + at };
      const header = wholeHeader(bytes, at, origin);
      if (header === null) {
        // The last one is cut off by the limit.
        if (at > 0 && bytes.length === maxBytes) break;
        throw damagedSegment(segment, origin.offsetBytes);
      }
      if (visitor.isInUse({ ...header, ...origin })) {
        const record = readRecord(bytes.subarray(at), origin);
        if (record === null) throw damagedSegment(segment, origin.offsetBytes);
        visitor.move({ ...record, ...origin });
      }
      at += header.sizeBytes;
    }
    return offsetBytes + at;
  }

  /** Writes everything appended so far. Throws StoreError. */
  flush(): void {
    this.seal();
    this.writePending();
  }

  /**
   * Makes everything durable that was flushed before the call. Throws StoreError; a segment that
   * failed is then a suspect, because its bytes may be gone although a later attempt succeeds.
   */
  async sync(): Promise<void> {
    for (const segment of this.files.unsyncedSegments) {
      if (this.suspects.has(segment)) continue;
      try {
        await this.files.sync(segment);
      } catch (error) {
        this.suspects.add(segment);
        if (segment === this.segment) this.nextSegment();
        throw toStoreError('made durable', error);
      }
    }
  }

  /** Removes the file of a segment. */
  remove(segment: number): void {
    this.files.remove(segment);
    this.ends.delete(segment);
    this.suspects.delete(segment);
  }

  close(): void {
    this.files.close();
  }

  private chunkFor(sizeBytes: number): Chunk {
    const end = this.endOf(this.segment);
    const { active } = this;
    const isFull = active !== null && active.length + sizeBytes > active.bytes.length;
    const isSegmentFull = end > 0 && end + sizeBytes > this.sizes.segmentBytes;
    if (isFull || isSegmentFull) {
      this.seal();
      if (isSegmentFull) this.nextSegment();
      this.tryWriting();
    }
    this.active ??= this.newChunk(sizeBytes);
    return this.active;
  }

  private newChunk(sizeBytes: number): Chunk {
    const size = Math.max(this.sizes.bufferBytes, sizeBytes);
    const { spare } = this;
    this.spare = null;
    return {
      segment: this.segment,
      offsetBytes: this.endOf(this.segment),
      bytes: spare?.length === size ? spare : Buffer.alloc(size),
      length: 0,
      written: 0,
    };
  }

  private nextSegment(): void {
    this.seal();
    this.segment++;
  }

  private seal(): void {
    if (this.active !== null) this.pending.push(this.active);
    this.active = null;
  }

  private tryWriting(): void {
    try {
      this.writePending();
    } catch (error) {
      if (!isTransientError(error)) throw error;
    }
  }

  /** Writes what is complete. Throws StoreError. */
  private writePending(): void {
    try {
      this.writeChunks();
    } catch (error) {
      const failure = toStoreError('written', error);
      if (failure instanceof StoreError) this.failure = failure;
      throw failure;
    }
  }

  private writeChunks(): void {
    for (let chunk = this.pending[0]; chunk !== undefined; chunk = this.pending[0]) {
      while (chunk.written < chunk.length) {
        const bytes = chunk.bytes.subarray(chunk.written, chunk.length);
        const position = chunk.offsetBytes + chunk.written;
        chunk.written += this.files.write(chunk.segment, { bytes, position });
      }
      this.pending.shift();
      this.spare = chunk.bytes;
    }
  }

  /** The bytes of a record, from memory if they are not written; null if the file is too short. */
  private bytesAt(location: RecordLocation): Buffer | null {
    const { segment, offsetBytes, sizeBytes } = location;
    const isIn = (chunk: Chunk) =>
      chunk.segment === segment &&
      offsetBytes >= chunk.offsetBytes &&
      offsetBytes < chunk.offsetBytes + chunk.length;
    const { active } = this;
    const chunk = active !== null && isIn(active) ? active : this.pending.find(isIn);
    if (chunk !== undefined) {
      const at = offsetBytes - chunk.offsetBytes;
      return chunk.bytes.subarray(at, at + sizeBytes);
    }
    if (this.scratch.length < sizeBytes) this.scratch = Buffer.alloc(sizeBytes * 2);
    const bytes = this.scratch.subarray(0, sizeBytes);
    return this.readFile(segment, bytes, offsetBytes) ? bytes : null;
  }

  private readFile(segment: number, bytes: Buffer, position: number): boolean {
    return orStoreError('read', () => this.files.read(segment, { bytes, position }));
  }
}

/** A record and where it begins. */
export type ScannedRecord = StoredRecord & RecordOrigin;
export type ScannedHeader = RecordHeader & RecordOrigin;

/** Receives the records of a segment. */
export interface RecordVisitor {
  /** Whether to pass the record to `move`. */
  isInUse(header: ScannedHeader): boolean;
  move(record: ScannedRecord): void;
}

/** The header of a record that ends in `bytes` as well; null if there is none. */
function wholeHeader(bytes: Buffer, at: number, origin: RecordOrigin): RecordHeader | null {
  const header = isBlank(bytes, at, origin) ? null : readHeader(bytes, at);
  return header === null || at + header.sizeBytes > bytes.length ? null : header;
}

function damagedSegment(segment: number, offsetBytes: number): DamagedRecordError {
  return new DamagedRecordError(segmentName(segment), offsetBytes, 'A record');
}
