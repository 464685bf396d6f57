import { createHash } from 'node:crypto';
import { cosineOfTurn, exp, log } from './portable-math.ts';

export interface Range {
  readonly least: number;
  readonly most: number;
}

/**
 * A stream of random numbers determined by its seed (sfc32 by Chris Doty-Humphrey, seeded with
 * SHA-256). Each part of a simulation uses its own stream from `fork`, so additional draws in one
 * part do not change the others.
 */
export class Random {
  /** The initial seed. */
  readonly seed: string;
  private a: number;
  private b: number;
  private c: number;
  private counter: number;

  constructor(seed: string) {
    this.seed = seed;
    const digest = createHash('sha256').update(seed).digest();
    this.a = digest.readInt32LE(0);
    this.b = digest.readInt32LE(4);
    this.c = digest.readInt32LE(8);
    this.counter = digest.readInt32LE(12) | 1;
  }

  /** The stream determined by this stream's seed and the label, regardless of previous draws. */
  fork(label: string): Random {
    return new Random(`${this.seed}/${label}`);
  }

  /** An integer of 32 bits, 0 to 2^32 - 1. */
  uint32(): number {
    const sum = (this.a + this.b + this.counter) | 0;
    this.counter = (this.counter + 1) | 0;
    this.a = this.b ^ (this.b >>> 9);
    this.b = (this.c + (this.c << 3)) | 0;
    this.c = ((this.c << 21) | (this.c >>> 11)) + sum;
    return sum >>> 0;
  }

  /** A number in [0, 1) with 53 random bits. */
  unit(): number {
    return ((this.uint32() >>> 5) * 67_108_864 + (this.uint32() >>> 6)) / 9_007_199_254_740_992;
  }

  /** An integer in [0, limit). */
  below(limit: number): number {
    return Math.floor(this.unit() * limit);
  }

  /** A number in [low, high). */
  between(low: number, high: number): number {
    return low + this.unit() * (high - low);
  }

  /** A number in [least, most). */
  within({ least, most }: Range): number {
    return this.between(least, most);
  }

  /** A number within the range, rounded to a whole one. */
  wholeWithin(range: Range): number {
    return Math.round(this.within(range));
  }

  /** An integer in [least, least + more). */
  count({ least, more }: { readonly least: number; readonly more: number }): number {
    return least + this.below(more);
  }

  chance(probability: number): boolean {
    return this.unit() < probability;
  }

  /** Waiting time of a Poisson process with this mean. */
  exponential(mean: number): number {
    return -mean * log(1 - this.unit());
  }

  /** Standard normal (Box and Muller, one of the pair). */
  normal(): number {
    return Math.sqrt(-2 * log(1 - this.unit())) * cosineOfTurn(this.unit());
  }

  logNormal(median: number, sigma: number): number {
    return median * exp(sigma * this.normal());
  }

  /** Throws RangeError for an empty list. */
  pick<Item>(items: readonly Item[]): Item {
    if (items.length === 0) throw new RangeError('nothing to pick from');
    return items[this.below(items.length)] as Item;
  }

  /** A new list in random order (Fisher and Yates). */
  shuffle<Item>(items: readonly Item[]): Item[] {
    const shuffled = [...items];
    for (let index = shuffled.length - 1; index > 0; index--) {
      const other = this.below(index + 1);
      [shuffled[index], shuffled[other]] = [shuffled[other] as Item, shuffled[index] as Item];
    }
    return shuffled;
  }

  bytes(count: number): Uint8Array {
    const bytes = new Uint8Array(count);
    for (let index = 0; index < count; index++) bytes[index] = this.uint32() & 0xff;
    return bytes;
  }
}
