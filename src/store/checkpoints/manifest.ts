import { createHash } from 'node:crypto';
import type { CheckpointHead } from '../../model/record-store.ts';
import { asSlot } from '../../model/units.ts';

/**
 * A manifest makes a checkpoint: what it is of, the segments that it needs, and where the leaves of
 * its index lie.
 *
 * Layout, integers lowest byte first: LAYOUT; length of the description (4 bytes) and of the rest
 * (4); SHA-256 over LAYOUT, lengths and description; description as JSON; SHA-256 over the hash
 * before and the rest; the rest: head, then the locations of the leaves of each space. The
 * description can be read without the rest.
 */
const LAYOUT_NAME = 'MINTCKP';
const LAYOUT = Buffer.from(`${LAYOUT_NAME}1`);
const LENGTHS_BYTES = 8;
const HASH_BYTES = 32;
const PREFIX_BYTES = LAYOUT.length + LENGTHS_BYTES + HASH_BYTES;

/** A segment that a checkpoint needs. */
export interface ManifestSegment {
  readonly segment: number;
  /** What follows this byte does not belong to the checkpoint. */
  readonly endBytes: number;
  /** Bytes in use by the checkpoint. */
  readonly liveBytes: number;
}

export interface ManifestDescription extends Omit<CheckpointHead, 'head'> {
  /** Increases with each checkpoint of a folder. */
  readonly sequence: number;
  readonly recordCount: number;
  readonly segments: readonly ManifestSegment[];
  readonly headBytes: number;
  /** Bytes of the locations of each space's leaves, in the order in which they follow. */
  readonly roots: readonly { readonly space: number; readonly sizeBytes: number }[];
}

export interface Manifest {
  readonly description: ManifestDescription;
  readonly head: Uint8Array;
  readonly roots: ReadonlyMap<number, Uint8Array>;
}

/** What is known of a manifest without its rest. */
export type ManifestStart =
  | { readonly kind: 'described'; readonly description: ManifestDescription }
  | { readonly kind: 'other-layout'; readonly layout: string }
  | { readonly kind: 'damaged' };

/** Reads a part of a file; null if the file is shorter. */
export type ReadPart = (position: number, length: number) => Buffer | null;

export function encodeManifest({ description, head, roots }: Manifest): Buffer {
  const text = Buffer.from(JSON.stringify(description));
  const rest = Buffer.concat([head, ...roots.values()]);
  const lengths = Buffer.alloc(LENGTHS_BYTES);
  lengths.writeUInt32LE(text.length, 0);
  lengths.writeUInt32LE(rest.length, 4);
  const hash = hashOf(LAYOUT, lengths, text);
  return Buffer.concat([LAYOUT, lengths, hash, text, hashOf(hash, rest), rest]);
}

/** Reads the description of a manifest. `sizeBytes` is the length of its file. */
export function readManifestStart(read: ReadPart, sizeBytes: number): ManifestStart {
  const prefix = read(0, PREFIX_BYTES);
  const layout = prefix?.subarray(0, LAYOUT.length);
  if (prefix === null || layout === undefined) return { kind: 'damaged' };
  const text = readDescription(read, prefix, sizeBytes);
  if (layout.equals(LAYOUT)) {
    if (text === null) return { kind: 'damaged' };
    return { kind: 'described', description: parseDescription(text) };
  }
  const name = layout.toString('latin1');
  // Where the hash is that of this layout, the name of the layout is what differs.
  if (text !== null || !name.startsWith(LAYOUT_NAME)) return { kind: 'damaged' };
  return { kind: 'other-layout', layout: name.slice(LAYOUT_NAME.length) };
}

/** The description of a manifest of this layout; null if it differs from what was written. */
function readDescription(read: ReadPart, prefix: Buffer, sizeBytes: number): Buffer | null {
  const { textLength, restLength, hash } = splitPrefix(prefix);
  if (PREFIX_BYTES + textLength + HASH_BYTES + restLength !== sizeBytes) return null;
  const text = read(PREFIX_BYTES, textLength);
  const lengths = prefix.subarray(LAYOUT.length, LAYOUT.length + LENGTHS_BYTES);
  return text !== null && hashOf(LAYOUT, lengths, text).equals(hash) ? text : null;
}

/** Reads a whole manifest; null if it differs from what was written. */
export function readManifest(read: ReadPart, sizeBytes: number): Manifest | null {
  const start = readManifestStart(read, sizeBytes);
  const prefix = read(0, PREFIX_BYTES);
  if (start.kind !== 'described' || prefix === null) return null;
  const { textLength, restLength, hash } = splitPrefix(prefix);
  const bytes = read(PREFIX_BYTES + textLength, HASH_BYTES + restLength);
  if (bytes === null) return null;
  const rest = bytes.subarray(HASH_BYTES);
  if (!hashOf(hash, rest).equals(bytes.subarray(0, HASH_BYTES))) return null;
  const { description } = start;
  const roots = new Map<number, Uint8Array>();
  let at = description.headBytes;
  for (const { space, sizeBytes: length } of description.roots) {
    roots.set(space, rest.subarray(at, at + length));
    at += length;
  }
  return { description, head: new Uint8Array(rest.subarray(0, description.headBytes)), roots };
}

function splitPrefix(prefix: Buffer) {
  return {
    textLength: prefix.readUInt32LE(LAYOUT.length),
    restLength: prefix.readUInt32LE(LAYOUT.length + 4),
    hash: prefix.subarray(LAYOUT.length + LENGTHS_BYTES),
  };
}

/** The text was checked before. */
function parseDescription(text: Buffer): ManifestDescription {
  const description: ManifestDescription = JSON.parse(text.toString());
  return { ...description, slot: asSlot(description.slot) };
}

function hashOf(...parts: readonly Uint8Array[]): Buffer {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
}
