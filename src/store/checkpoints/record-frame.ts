import { crc32 } from 'node:zlib';
import { type RecordOrigin, UNIT_BYTES } from './record-location.ts';

/**
 * A record in a segment: a header of 16 bytes, the content, zeros up to a multiple of 8 bytes.
 *
 * Header, integers lowest byte first: CRC-32 (4 bytes) over the rest of the header and the content,
 * begun with a value derived from segment and offset, so that bytes of another place are refused as
 * well; length of the content (4); id (5); kind (1); space (2).
 */
export const HEADER_BYTES = 16;

/**
 * `piece` is a part of content that is too long for one record, `pieces` lists their locations.
 * `leaf` has the locations of an index' leaf, `leafChanges` what has changed in it since.
 */
export const RECORD_KINDS = ['content', 'pieces', 'piece', 'leaf', 'leafChanges'] as const;
export type RecordKind = (typeof RECORD_KINDS)[number];

/** Which record it is. A leaf of the index has the number of the leaf as its id. */
export interface RecordKey {
  readonly kind: RecordKind;
  readonly space: number;
  readonly id: number;
}

/** What the header of a record says. */
export interface RecordHeader extends RecordKey {
  /** Header, content and padding. */
  readonly sizeBytes: number;
}

/** `content` is a view. */
export interface StoredRecord extends RecordHeader {
  readonly content: Uint8Array;
}

const CHECKSUM_BYTES = 4;
const WORD = 2 ** 32;

/** The size of a record with content of `length` bytes. */
export function recordSizeBytes(length: number): number {
  return Math.ceil((HEADER_BYTES + length) / UNIT_BYTES) * UNIT_BYTES;
}

/** Writes a record to the start of `target`, which must be as long as the record. */
export function writeRecord(
  target: Buffer,
  { kind, space, id, content }: RecordKey & { readonly content: Uint8Array },
  origin: RecordOrigin,
): void {
  const end = HEADER_BYTES + content.length;
  target.writeUInt32LE(content.length, 4);
  target.writeUInt32LE(id % WORD, 8);
  target[12] = Math.floor(id / WORD);
  target[13] = RECORD_KINDS.indexOf(kind);
  target.writeUInt16LE(space, 14);
  target.set(content, HEADER_BYTES);
  target.fill(0, end);
  target.writeUInt32LE(checksumOf(target.subarray(CHECKSUM_BYTES, end), origin), 0);
}

/** Reads the header of the record at `at`, unchecked; null if no record begins there. */
export function readHeader(bytes: Buffer, at: number): RecordHeader | null {
  if (bytes.length < at + HEADER_BYTES) return null;
  const kind = RECORD_KINDS[bytes[at + 13] ?? RECORD_KINDS.length];
  if (kind === undefined) return null;
  return {
    kind,
    space: bytes.readUInt16LE(at + 14),
    id: (bytes[at + 12] ?? 0) * WORD + bytes.readUInt32LE(at + 8),
    sizeBytes: recordSizeBytes(bytes.readUInt32LE(at + 4)),
  };
}

/**
 * Whether zeros lie at `at` that no writer wrote: what was lost is read as zeros, which have the form
 * of an empty record. The checksum of one is zero at few places only, and then it was written.
 */
export function isBlank(bytes: Buffer, at: number, origin: RecordOrigin): boolean {
  const end = at + HEADER_BYTES;
  if (bytes.length < end) return false;
  for (let word = at; word < end; word += 4) if (bytes.readUInt32LE(word) !== 0) return false;
  return readRecord(bytes.subarray(at, end), origin) === null;
}

/**
 * Reads the record at the start of `bytes`, which may be longer. Returns null when it differs from
 * what was written there, or is longer than `bytes`.
 */
export function readRecord(bytes: Buffer, origin: RecordOrigin): StoredRecord | null {
  if (bytes.length < HEADER_BYTES) return null;
  const end = HEADER_BYTES + bytes.readUInt32LE(4);
  if (end > bytes.length) return null;
  const checksum = checksumOf(bytes.subarray(CHECKSUM_BYTES, end), origin);
  const header = readHeader(bytes, 0);
  if (checksum !== bytes.readUInt32LE(0) || header === null) return null;
  // Not a Buffer: its `slice` would not copy.
  const content = new Uint8Array(bytes.buffer, bytes.byteOffset + HEADER_BYTES, end - HEADER_BYTES);
  return { ...header, content };
}

/** Different initial values give different checksums for equal bytes. */
function checksumOf(bytes: Uint8Array, { segment, offsetBytes }: RecordOrigin): number {
  return crc32(bytes, (Math.imul(segment, 0x9e3779b1) ^ offsetBytes) >>> 0);
}
