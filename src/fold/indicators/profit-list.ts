import { ALWAYS, bucketOfLevel } from './profit-level.ts';
import type { ProfitSums } from './profit-sums.ts';

const CAPACITY_MIN = 8;
const GROWTH = 1.5;

/**
 * The wallets of a small pool by the price above which each is profitable, in arrays that are read
 * from the beginning to the end: some 30 bytes a wallet, where a ProfitTree takes 6 KB an octave.
 */
export class ProfitList {
  private readonly ahead: ProfitSums = { organicWallets: 0, volumeUsd: 0n };
  private members = 0;
  /** The buckets in use, in any order, each with its sums. */
  private buckets = new Uint16Array(CAPACITY_MIN);
  private used = 0;
  private organicWallets: number[] = [];
  private volumesUsd: bigint[] = [];
  /** By ordinal of the member: its row, and its bucket plus one, 0 for none. */
  private rows = new Uint32Array(CAPACITY_MIN);
  private bucketOf = new Uint16Array(CAPACITY_MIN);

  /** Changes the sums of a level. The wallet may or may not be linked there. */
  shift(level: number, organic: number, volumeUsd: bigint): void {
    const bucket = bucketOfLevel(level);
    if (bucket !== null) {
      const place = this.placeOf(bucket);
      this.organicWallets[place] = (this.organicWallets[place] ?? 0) + organic;
      this.volumesUsd[place] = (this.volumesUsd[place] ?? 0n) + volumeUsd;
    } else if (level === ALWAYS) {
      this.ahead.organicWallets += organic;
      this.ahead.volumeUsd += volumeUsd;
    }
  }

  /** Links a wallet to its bucket. `ordinal` is its index among the wallets of the pool. */
  link(level: number, ordinal: number, row: number): void {
    const bucket = bucketOfLevel(level);
    if (bucket === null) return;
    this.members++;
    this.reach(ordinal);
    this.rows[ordinal] = row;
    this.bucketOf[ordinal] = bucket + 1;
  }

  /** Unlinks a wallet from its bucket. */
  unlink(level: number, ordinal: number): void {
    if (bucketOfLevel(level) === null) return;
    this.members--;
    this.bucketOf[ordinal] = 0;
  }

  /** Number of wallets whose profitability depends on the price. */
  get size(): number {
    return this.members;
  }

  /** Sums over the wallets that are profitable at any price. */
  always(): ProfitSums {
    return { ...this.ahead };
  }

  /** Sums over the wallets that are profitable at any price or are in buckets before `bucket`. */
  below(bucket: number): ProfitSums {
    const sums = this.always();
    for (let place = 0; place < this.used; place++) {
      if ((this.buckets[place] ?? 0) >= bucket) continue;
      sums.organicWallets += this.organicWallets[place] ?? 0;
      sums.volumeUsd += this.volumesUsd[place] ?? 0n;
    }
    return sums;
  }

  /** Rows of the wallets in a bucket. */
  *rowsIn(bucket: number): Generator<number> {
    let ordinal = this.bucketOf.indexOf(bucket + 1);
    while (ordinal !== -1) {
      yield this.rows[ordinal] ?? 0;
      ordinal = this.bucketOf.indexOf(bucket + 1, ordinal + 1);
    }
  }

  private placeOf(bucket: number): number {
    const { buckets, used } = this;
    for (let place = 0; place < used; place++) if (buckets[place] === bucket) return place;
    if (this.used === this.buckets.length) this.dropEmpty();
    this.buckets[this.used] = bucket;
    this.organicWallets.push(0);
    this.volumesUsd.push(0n);
    return this.used++;
  }

  /** Drops buckets that became empty; adds room if nearly all are in use. */
  private dropEmpty(): void {
    const { organicWallets, volumesUsd } = this;
    const buckets = Array.from(this.buckets);
    const places = [...buckets.keys()].filter(
      (place) => organicWallets[place] !== 0 || volumesUsd[place] !== 0n,
    );
    const isFull = places.length * GROWTH > buckets.length;
    this.buckets = new Uint16Array(isFull ? Math.ceil(buckets.length * GROWTH) : buckets.length);
    this.buckets.set(places.map((place) => buckets[place] ?? 0));
    this.organicWallets = places.map((place) => organicWallets[place] ?? 0);
    this.volumesUsd = places.map((place) => volumesUsd[place] ?? 0n);
    this.used = places.length;
  }

  private reach(ordinal: number): void {
    const { length } = this.rows;
    if (ordinal < length) return;
    const { rows, bucketOf } = this;
    const wanted = Math.max(ordinal + 1, Math.ceil(length * GROWTH));
    this.rows = new Uint32Array(wanted);
    this.rows.set(rows);
    this.bucketOf = new Uint16Array(wanted);
    this.bucketOf.set(bucketOf);
  }
}
