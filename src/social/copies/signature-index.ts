import { HASH_BYTES, SIGNATURE_BYTES } from './text-signature.ts';

const BAND_BYTES = 3;
const BANDS = HASH_BYTES / BAND_BYTES;
/** Texts are similar from a Jaccard similarity of 0.5 on: half of the bytes are equal. */
const EQUAL_BYTES_MIN = Math.ceil(0.5 * HASH_BYTES);
/** With fewer shingles than this, about seven words, unrelated posts are as similar by chance. */
const SHORT_SHINGLES = 20;
const EQUAL_BYTES_MIN_SHORT = Math.ceil(0.55 * HASH_BYTES);
/**
 * Maximum signatures of one bucket that are compared, the newest first. Unrelated posts rarely share
 * a bucket; an attacker could fill one and slow every search down.
 */
const COMPARED_MAX = 64;
const NONE = -1;

/**
 * Finds similar signatures by locality-sensitive hashing: two that are similar have, with a
 * probability of 94 % at a similarity of 0.5 and above 99 % from 0.6 on, at least one band of three
 * bytes in common. Buckets are lists over numbered entries in flat arrays, since a million small
 * objects would take ten times the memory.
 */
export class SignatureIndex {
  private readonly signatures: Uint8Array;
  private readonly bucketCount: number;
  /** For each band and bucket, the newest entry. */
  private readonly newest: Int32Array;
  /** For each entry and band, the neighbours in its bucket. */
  private readonly older: Int32Array;
  private readonly newer: Int32Array;
  private readonly visits: Uint32Array;
  private readonly free: number[] = [];
  private used = 0;
  private visit = 0;

  constructor(entriesMax: number) {
    this.bucketCount = 2 ** Math.max(6, Math.ceil(Math.log2(entriesMax)));
    this.signatures = new Uint8Array(entriesMax * SIGNATURE_BYTES);
    this.newest = new Int32Array(BANDS * this.bucketCount).fill(NONE);
    this.older = new Int32Array(entriesMax * BANDS);
    this.newer = new Int32Array(entriesMax * BANDS);
    this.visits = new Uint32Array(entriesMax);
  }

  /** Adds a signature and returns the number of its entry, the lowest free one. */
  add(signature: Uint8Array): number {
    const entry = this.free.pop() ?? this.used++;
    this.signatures.set(signature, entry * SIGNATURE_BYTES);
    for (let band = 0; band < BANDS; band++) {
      const bucket = this.bucketOf(signature, 0, band);
      const before = this.newest[bucket] as number;
      const link = entry * BANDS + band;
      this.older[link] = before;
      this.newer[link] = NONE;
      if (before !== NONE) this.newer[before * BANDS + band] = entry;
      this.newest[bucket] = entry;
    }
    return entry;
  }

  remove(entry: number): void {
    for (let band = 0; band < BANDS; band++) {
      const link = entry * BANDS + band;
      const older = this.older[link] as number;
      const newer = this.newer[link] as number;
      if (older !== NONE) this.newer[older * BANDS + band] = newer;
      if (newer !== NONE) this.older[newer * BANDS + band] = older;
      else {
        this.newest[this.bucketOf(this.signatures, entry * SIGNATURE_BYTES, band)] = older;
      }
    }
    this.free.push(entry);
  }

  /** The entries that are similar to a signature, each once. */
  similar(signature: Uint8Array): number[] {
    this.nextVisit();
    const found: number[] = [];
    for (let band = 0; band < BANDS; band++) {
      let entry = this.newest[this.bucketOf(signature, 0, band)] as number;
      for (let compared = 0; entry !== NONE && compared < COMPARED_MAX; compared++) {
        if (this.visits[entry] !== this.visit) {
          this.visits[entry] = this.visit;
          if (this.isSimilar(signature, entry)) found.push(entry);
        }
        entry = this.older[entry * BANDS + band] as number;
      }
    }
    return found;
  }

  private isSimilar(signature: Uint8Array, entry: number): boolean {
    const from = entry * SIGNATURE_BYTES;
    let equal = 0;
    for (let at = 0; at < HASH_BYTES; at++) {
      if (this.signatures[from + at] === signature[at]) equal++;
    }
    const shingles = Math.min(
      signature[HASH_BYTES] as number,
      this.signatures[from + HASH_BYTES] as number,
    );
    return equal >= (shingles < SHORT_SHINGLES ? EQUAL_BYTES_MIN_SHORT : EQUAL_BYTES_MIN);
  }

  private bucketOf(bytes: Uint8Array, from: number, band: number): number {
    const at = from + band * BAND_BYTES;
    const key =
      ((bytes[at] as number) << 16) | ((bytes[at + 1] as number) << 8) | (bytes[at + 2] as number);
    const mixed = Math.imul(key ^ (key >>> 11), 0x9e3779b1) >>> 0;
    return band * this.bucketCount + ((mixed ^ (mixed >>> 15)) & (this.bucketCount - 1));
  }

  private nextVisit(): void {
    if (this.visit === 0xffffffff) {
      this.visits.fill(0);
      this.visit = 0;
    }
    this.visit++;
  }
}
