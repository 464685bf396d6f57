import { type BlockHeap, CLASS_MAX } from './block-heap.ts';
import type { CellTable } from './cell-table.ts';
import { PAGE_WORDS } from './page-layout.ts';

/** The class of the chunk that a table begins with, and its words. */
export const HEADER_CLASS = 2;
const COUNT = 0;
const MARK = 1;
const BUCKETS = 2;
/** By segment: its first page. Segment 0 is bucket 0; segment k, from 1 on, has 2^(k - 1) buckets. */
const STARTS = 3;

/** The second word of a header; other chunks of its space have less there. */
export const HEADER_MARK = 0xffff_ffff;
/** A bucket is split for each so many keys; a page has 127 cells. */
const KEYS_PER_BUCKET = 85;

/**
 * Hash tables of any number of keys in pages of a heap: linear hashing (Litwin, "Linear hashing: a
 * new tool for file and table addressing", 1980). A table grows by splitting one bucket at a time.
 * A bucket is a page, with further pages linked from it when it is full. Tables do not shrink.
 */
export class LinearHash {
  private readonly heap: BlockHeap;
  private readonly bucket: CellTable;

  /** `bucket` must be used by nothing else. */
  constructor(heap: BlockHeap, bucket: CellTable) {
    this.heap = heap;
    this.bucket = bucket;
  }

  /** Creates an empty table and returns its address. */
  create(): number {
    const { heap } = this;
    const address = heap.add(HEADER_CLASS);
    heap.setWord(address, MARK, HEADER_MARK);
    heap.setWord(address, BUCKETS, 1);
    heap.setWord(address, STARTS, heap.addPages(1));
    return address;
  }

  /** The value of a key, 0 if there is none. */
  get(address: number, key: number): number {
    for (let page = this.pageOf(address, key); page !== 0; page = this.bucket.own) {
      const value = this.openPage(page).get(key);
      if (value !== 0) return value;
    }
    return 0;
  }

  /** Sets the value of a key; returns whether the key is new. */
  set(address: number, key: number, value: number): boolean {
    const first = this.pageOf(address, key);
    for (let page = first; page !== 0; page = this.bucket.own) {
      if (this.openPage(page).replace(key, value)) return false;
    }
    this.addTo(first, key, value);
    const { heap } = this;
    const count = heap.word(address, COUNT) + 1;
    heap.setWord(address, COUNT, count);
    if (count > heap.word(address, BUCKETS) * KEYS_PER_BUCKET) this.split(address);
    return true;
  }

  /** Removes a key; returns whether it was there. */
  delete(address: number, key: number): boolean {
    for (let page = this.pageOf(address, key); page !== 0; page = this.bucket.own) {
      if (!this.openPage(page).remove(key)) continue;
      this.heap.setWord(address, COUNT, this.heap.word(address, COUNT) - 1);
      return true;
    }
    return false;
  }

  /** Calls `visit` for each key and value. */
  forEach(address: number, visit: (key: number, value: number) => void): void {
    const buckets = this.heap.word(address, BUCKETS);
    for (let bucket = 0; bucket < buckets; bucket++) {
      for (
        let page = this.pageOfBucket(address, bucket);
        page !== 0;
        page = this.openPage(page).own
      ) {
        this.openPage(page).forEach(visit);
      }
    }
  }

  private openPage(page: number): CellTable {
    return this.bucket.open(page * 32, PAGE_WORDS);
  }

  /** The first page of the bucket of a key. */
  private pageOf(address: number, key: number): number {
    const buckets = this.heap.word(address, BUCKETS);
    return this.pageOfBucket(address, bucketOf(key, buckets));
  }

  private pageOfBucket(address: number, bucket: number): number {
    const segment = 32 - Math.clz32(bucket);
    const first = segment === 0 ? 0 : 1 << (segment - 1);
    return this.heap.word(address, STARTS + segment) + bucket - first;
  }

  /** Adds a key to the first page with room of a bucket. */
  private addTo(first: number, key: number, value: number): void {
    const { heap } = this;
    let page = first;
    while (this.openPage(page).isCrammed) {
      if (this.bucket.own === 0) this.bucket.own = heap.add(CLASS_MAX) / 32;
      page = this.openPage(page).own;
    }
    this.bucket.add(key, value);
  }

  /** Adds a bucket and moves the keys to it that now belong there. */
  private split(address: number): void {
    const { heap } = this;
    const buckets = heap.word(address, BUCKETS);
    const segment = 32 - Math.clz32(buckets);
    if ((buckets & (buckets - 1)) === 0) {
      heap.setWord(address, STARTS + segment, heap.addPages(buckets));
    }
    const from = buckets - (1 << (segment - 1));
    const moved = this.takeAll(this.pageOfBucket(address, from));
    heap.setWord(address, BUCKETS, buckets + 1);
    for (let at = 0; at < moved.length; at += 2) {
      const key = moved[at] as number;
      this.addTo(this.pageOf(address, key), key, moved[at + 1] as number);
    }
  }

  /** Empties a bucket and returns its keys and values in turns. */
  private takeAll(first: number): number[] {
    const taken: number[] = [];
    for (let page = first; page !== 0; ) {
      const table = this.openPage(page);
      const next = table.own;
      table.forEach((key, value) => {
        taken.push(key, value);
      });
      table.clear();
      if (page !== first) this.heap.free(page * 32, CLASS_MAX);
      page = next;
    }
    return taken;
  }
}

function bucketOf(key: number, buckets: number): number {
  const bits = 31 - Math.clz32(buckets);
  const hash = bucketHash(key);
  const bucket = hash & ((2 << bits) - 1);
  return bucket < buckets ? bucket : hash & ((1 << bits) - 1);
}

/** Other bits of a hash than those that place a key within its page. Positive. */
function bucketHash(key: number): number {
  let hash = Math.imul(key ^ (key >>> 15), 0x2c1b3c6d);
  hash = Math.imul(hash ^ (hash >>> 12), 0x297a2d39);
  return (hash ^ (hash >>> 15)) & 0x7fff_ffff;
}
