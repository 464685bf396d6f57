import { BUCKETS_PER_OCTAVE, OCTAVES } from './profit-buckets.ts';
import { ALWAYS, bucketOfLevel } from './profit-level.ts';
import type { ProfitSums } from './profit-sums.ts';

/**
 * The wallets of one pool by the price above which each is profitable, with counts and volumes
 * summed on two levels: 72 octaves of 128 buckets. An insertion or removal changes one sum per
 * level, where a Fenwick tree over all buckets would change thirteen. A reading adds at most 72 and
 * 127 sums. Empty octaves take no memory. The members of a bucket are linked, so the one bucket
 * that contains a price can be iterated.
 */
export class ProfitTree {
  private readonly octaves: (Octave | null)[] = Array.from({ length: OCTAVES }, () => null);
  private readonly ahead: ProfitSums = { organicWallets: 0, volumeUsd: 0n };
  private members = 0;
  /**
   * By ordinal of the member: its row, and the ordinals of its neighbours in the bucket plus one.
   */
  private rows = new Uint32Array(ORDINALS_MIN);
  private next = new Uint32Array(ORDINALS_MIN);
  private previous = new Uint32Array(ORDINALS_MIN);

  /** Changes the sums of a level. The wallet may or may not be linked there. */
  shift(level: number, organic: number, volumeUsd: bigint): void {
    const bucket = bucketOfLevel(level);
    if (bucket !== null) this.octaveOf(bucket).shift(bucket, organic, volumeUsd);
    else if (level === ALWAYS) shift(this.ahead, organic, volumeUsd);
  }

  /** Links a wallet to its bucket. `ordinal` is its index among the wallets of the pool. */
  link(level: number, ordinal: number, row: number): void {
    const bucket = bucketOfLevel(level);
    if (bucket === null) return;
    this.members++;
    this.reach(ordinal);
    this.rows[ordinal] = row;
    const { firsts } = this.octaveOf(bucket);
    const first = firsts[bucket % BUCKETS_PER_OCTAVE] ?? 0;
    this.next[ordinal] = first;
    this.previous[ordinal] = 0;
    if (first !== 0) this.previous[first - 1] = ordinal + 1;
    firsts[bucket % BUCKETS_PER_OCTAVE] = ordinal + 1;
  }

  /** Unlinks a wallet from its bucket. */
  unlink(level: number, ordinal: number): void {
    const bucket = bucketOfLevel(level);
    if (bucket === null) return;
    this.members--;
    const next = this.next[ordinal] ?? 0;
    const previous = this.previous[ordinal] ?? 0;
    if (next !== 0) this.previous[next - 1] = previous;
    if (previous !== 0) this.next[previous - 1] = next;
    else this.octaveOf(bucket).firsts[bucket % BUCKETS_PER_OCTAVE] = next;
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
    const last = Math.floor(bucket / BUCKETS_PER_OCTAVE);
    for (let index = 0; index < last; index++) {
      const octave = this.octaves[index];
      if (octave != null) shift(sums, octave.sums.organicWallets, octave.sums.volumeUsd);
    }
    this.octaves[last]?.addBefore(bucket % BUCKETS_PER_OCTAVE, sums);
    return sums;
  }

  /** Rows of the wallets in a bucket. */
  *rowsIn(bucket: number): Generator<number> {
    const octave = this.octaves[Math.floor(bucket / BUCKETS_PER_OCTAVE)];
    let at = octave?.firsts[bucket % BUCKETS_PER_OCTAVE] ?? 0;
    while (at !== 0) {
      yield this.rows[at - 1] ?? 0;
      at = this.next[at - 1] ?? 0;
    }
  }

  private octaveOf(bucket: number): Octave {
    const index = Math.floor(bucket / BUCKETS_PER_OCTAVE);
    const known = this.octaves[index];
    if (known != null) return known;
    const octave = new Octave();
    this.octaves[index] = octave;
    return octave;
  }

  private reach(ordinal: number): void {
    if (ordinal < this.rows.length) return;
    const length = Math.max(ordinal + 1, Math.ceil(this.rows.length * GROWTH));
    this.rows = grown(this.rows, length);
    this.next = grown(this.next, length);
    this.previous = grown(this.previous, length);
  }
}

/** Sums over an octave and over each of its buckets. */
class Octave {
  readonly sums: ProfitSums = { organicWallets: 0, volumeUsd: 0n };
  /** By bucket: the ordinal of its first member plus one, 0 for none. */
  readonly firsts = new Uint32Array(BUCKETS_PER_OCTAVE);
  private readonly organicWallets = new Uint32Array(BUCKETS_PER_OCTAVE);
  // Not a BigInt64Array: the volume of a large pool may exceed 64 bits.
  private readonly volumesUsd: bigint[] = new Array(BUCKETS_PER_OCTAVE).fill(0n);

  shift(bucket: number, organic: number, volumeUsd: bigint): void {
    const index = bucket % BUCKETS_PER_OCTAVE;
    shift(this.sums, organic, volumeUsd);
    this.organicWallets[index] = (this.organicWallets[index] ?? 0) + organic;
    this.volumesUsd[index] = (this.volumesUsd[index] ?? 0n) + volumeUsd;
  }

  addBefore(bucket: number, sums: ProfitSums): void {
    for (let index = 0; index < bucket; index++) {
      shift(sums, this.organicWallets[index] ?? 0, this.volumesUsd[index] ?? 0n);
    }
  }
}

function shift(sums: ProfitSums, organic: number, volumeUsd: bigint): void {
  sums.organicWallets += organic;
  sums.volumeUsd += volumeUsd;
}

function grown(values: Uint32Array<ArrayBuffer>, length: number): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(length);
  larger.set(values);
  return larger;
}

const ORDINALS_MIN = 1_024;
const GROWTH = 1.25;
