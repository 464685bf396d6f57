import { type ChangedLeaf, LocationIndex } from './location-index.ts';
import {
  bytesOfLocations,
  isSameLocation,
  LOCATION_BYTES,
  locationsOf,
  type RecordLocation,
} from './record-location.ts';
import type { RecordVisitor, ScannedHeader, ScannedRecord, SegmentLog } from './segment-log.ts';
import type { SegmentUsage } from './segment-usage.ts';
import { decodeLeafChanges, type StoredLeaf } from './stored-leaf.ts';

export interface IndexedRecordsOptions {
  readonly log: SegmentLog;
  /** As of the checkpoint that was opened. */
  readonly usage: SegmentUsage;
  readonly roots: ReadonlyMap<number, Uint8Array>;
  /** Leaves of the index in memory, more while they are changed. */
  readonly leavesMax: number;
  /** Longer content is split into pieces of this length. */
  readonly pieceBytes: number;
}

interface AsOfReplacement {
  readonly space: number;
  readonly id: number;
  readonly location: RecordLocation | null;
  readonly pieces: RecordLocation[];
}

/** A log of records, the index that finds their newest content, and which bytes of it are in use. */
export class IndexedRecords implements RecordVisitor {
  readonly log: SegmentLog;
  readonly index: LocationIndex;
  /** Of the newest content. */
  readonly usage: SegmentUsage;
  private readonly pieceBytes: number;
  private asOf: SegmentUsage | null = null;

  constructor({ log, usage, roots, leavesMax, pieceBytes }: IndexedRecordsOptions) {
    this.log = log;
    this.usage = usage;
    this.pieceBytes = pieceBytes;
    const readLeaf = (space: number, leaf: number, location: RecordLocation) =>
      this.readLeaf(space, leaf, location);
    this.index = new LocationIndex(readLeaf, leavesMax, roots);
  }

  /** Bytes in use as of the begin of the open checkpoint; null if none is open. */
  get usageAsOf(): SegmentUsage | null {
    return this.asOf;
  }

  read(space: number, id: number): Uint8Array | null {
    const location = this.index.find(space, id);
    return location === null ? null : this.readAt(space, id, location);
  }

  /** The content of a record that lies somewhere. */
  readAt(space: number, id: number, location: RecordLocation): Uint8Array {
    if (!location.isIndirect) return this.log.read(location, { kind: 'content', space, id });
    const pieces = this.piecesOf(space, id, location);
    const content = new Uint8Array(pieces.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0));
    let length = 0;
    for (const each of pieces) {
      const piece = this.log.read(each, { kind: 'piece', space, id });
      content.set(piece, length);
      length += piece.length;
    }
    return content.subarray(0, length);
  }

  /** A leaf of the index that is stored somewhere. */
  readLeaf(space: number, leaf: number, location: RecordLocation): StoredLeaf {
    const changed = location.isIndirect
      ? decodeLeafChanges(this.log.read(location, { kind: 'leafChanges', space, id: leaf }))
      : null;
    const { base, changes } = changed ?? { base: location, changes: [] };
    return { base, changes, content: this.log.read(base, { kind: 'leaf', space, id: leaf }) };
  }

  put(space: number, id: number, bytes: Uint8Array): void {
    const pieces = this.piecesOf(space, id, this.index.find(space, id));
    const location = this.append(space, id, bytes);
    const before = this.index.set(space, id, location);
    this.release(this.usage, before, pieces);
    this.add(this.usage, location, this.piecesOf(space, id, location));
  }

  delete(space: number, id: number): void {
    const location = this.index.find(space, id);
    if (location === null) return;
    const pieces = this.piecesOf(space, id, location);
    this.index.set(space, id, null);
    this.release(this.usage, location, pieces);
  }

  /** Puts content into the open checkpoint as well. */
  putAsOf(space: number, id: number, bytes: Uint8Array): void {
    if (this.asOf === null) throw new Error('no checkpoint is open');
    const pieces = this.piecesOf(space, id, this.index.find(space, id));
    const location = this.append(space, id, bytes);
    const own = this.piecesOf(space, id, location);
    this.replaceAsOf(this.asOf, { space, id, location, pieces });
    this.add(this.usage, location, own);
    this.add(this.asOf, location, own);
  }

  /** Removes content from the open checkpoint as well. */
  deleteAsOf(space: number, id: number): void {
    if (this.asOf === null) throw new Error('no checkpoint is open');
    const location = this.index.find(space, id);
    if (location === null) return;
    const pieces = this.piecesOf(space, id, location);
    this.replaceAsOf(this.asOf, { space, id, location: null, pieces });
  }

  /** `pieces`: those of the newest content. */
  private replaceAsOf(asOf: SegmentUsage, { space, id, location, pieces }: AsOfReplacement): void {
    const { before, beforeAsOf } = this.index.setAsOf(space, id, location);
    this.release(this.usage, before, pieces);
    // Compaction may have moved the list of pieces since the begin, and pieces with it.
    const isMoved = beforeAsOf !== null && !isSameLocation(before, beforeAsOf);
    this.release(asOf, beforeAsOf, isMoved ? this.piecesOf(space, id, beforeAsOf) : pieces);
  }

  begin(): void {
    this.asOf = this.usage.copy();
    this.index.begin();
  }

  /** Stores changed leaves of the index, at most some; returns whether none is left. */
  writeLeaves(limit: number): boolean {
    return this.index.writeChanged(limit, (leaf) => this.writeLeaf(leaf));
  }

  /** Ends the checkpoint, complete or not. */
  end(): void {
    this.asOf = null;
    this.index.end();
  }

  /** Whether a record is a part of the newest content; of a piece, whether it may be. */
  isInUse(record: ScannedHeader): boolean {
    const { kind, space, id } = record;
    const { index } = this;
    if (kind === 'piece') return index.find(space, id)?.isIndirect === true;
    if (kind === 'leaf') return isSameLocation(index.baseLocation(space, id), record);
    const location = kind === 'leafChanges' ? index.leafLocation(space, id) : index.find(space, id);
    return isSameLocation(location, record);
  }

  /** Appends a record that is in use again, so that its segment becomes free. */
  move(record: ScannedRecord): void {
    const { kind, space, id, content } = record;
    if (kind === 'leaf' || kind === 'leafChanges') {
      this.index.moveLeaf(space, id);
      return;
    }
    const location = this.index.find(space, id);
    if (location === null) return;
    if (kind === 'piece') this.movePiece(record, location);
    else this.replaceOnly(record, this.log.append({ kind, space, id }, content), location);
  }

  private movePiece(record: ScannedRecord, list: RecordLocation): void {
    const { space, id, content } = record;
    const pieces = this.piecesOf(space, id, list);
    const index = pieces.findIndex((piece) => isSameLocation(piece, record));
    const piece = pieces[index];
    if (piece === undefined) return;
    const moved = this.log.append({ kind: 'piece', space, id }, content);
    const bytes = bytesOfLocations(pieces.with(index, moved));
    const movedList = this.log.append({ kind: 'pieces', space, id }, bytes);
    // After both writes, which may fail.
    this.usage.release(piece);
    this.usage.add(moved);
    this.replaceOnly(record, movedList, list);
  }

  /** Replaces a record with an equal one elsewhere. */
  private replaceOnly(
    { space, id }: ScannedRecord,
    location: RecordLocation,
    before: RecordLocation,
  ): void {
    this.index.set(space, id, location);
    this.usage.release(before);
    this.usage.add(location);
  }

  private append(space: number, id: number, bytes: Uint8Array): RecordLocation {
    if (bytes.length <= this.pieceBytes) {
      return this.log.append({ kind: 'content', space, id }, bytes);
    }
    const piecesMax = Math.floor(this.pieceBytes / LOCATION_BYTES);
    if (bytes.length > piecesMax * this.pieceBytes) {
      throw new RangeError(`a record of ${bytes.length} bytes is too long`);
    }
    const pieces: RecordLocation[] = [];
    for (let at = 0; at < bytes.length; at += this.pieceBytes) {
      const piece = bytes.subarray(at, at + this.pieceBytes);
      pieces.push(this.log.append({ kind: 'piece', space, id }, piece));
    }
    return this.log.append({ kind: 'pieces', space, id }, bytesOfLocations(pieces));
  }

  private piecesOf(space: number, id: number, list: RecordLocation | null): RecordLocation[] {
    if (list?.isIndirect !== true) return NO_PIECES;
    return locationsOf(this.log.read(list, { kind: 'pieces', space, id }));
  }

  private add(usage: SegmentUsage, location: RecordLocation, pieces: RecordLocation[]): void {
    usage.recordCount++;
    usage.add(location);
    for (const piece of pieces) usage.add(piece);
  }

  private release(
    usage: SegmentUsage,
    location: RecordLocation | null,
    pieces: RecordLocation[],
  ): void {
    if (location === null) return;
    usage.recordCount--;
    usage.release(location);
    for (const piece of pieces) usage.release(piece);
  }

  private writeLeaf({ space, leaf, kind, content, replaced }: ChangedLeaf): RecordLocation | null {
    // Before what it replaces is released: a write may fail, and is repeated by the next commit.
    const location = content === null ? null : this.log.append({ kind, space, id: leaf }, content);
    const usages = this.asOf === null ? [this.usage] : [this.usage, this.asOf];
    for (const usage of usages) {
      for (const each of replaced) usage.release(each);
      if (location !== null) usage.add(location);
    }
    return location;
  }
}

const NO_PIECES: RecordLocation[] = [];
