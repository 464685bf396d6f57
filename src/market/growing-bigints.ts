import { capacityFor } from './row-capacity.ts';

const WORD_BITS = 64n;
const WORD = 2n ** WORD_BITS - 1n;
/** Stands for null; amounts of 128 bits that look like it, or are larger, lie apart. */
const NONE = WORD;
/** Stands for an amount that lies apart. */
const APART = WORD - 1n;

/**
 * An exact amount or null for each index from 0 on, null where none was set: 16 bytes each, where a
 * bigint of its own takes 32 and a reference. Negative amounts and those near or beyond 128 bits are
 * kept too, apart.
 */
export class GrowingBigints {
  /** For each index the low 64 bits, and the high ones, of which the complement is kept. */
  private words = new BigUint64Array(0);
  private readonly apart = new Map<number, bigint>();

  get allocatedBytes(): number {
    return this.words.byteLength;
  }

  get(at: number): bigint | null {
    if (at * 2 >= this.words.length) return null;
    const high = (this.words[at * 2 + 1] as bigint) ^ NONE;
    if (high === NONE) return null;
    if (high === APART) return this.apart.get(at) ?? null;
    const low = this.words[at * 2] as bigint;
    return high === 0n ? low : (high << WORD_BITS) | low;
  }

  set(at: number, amount: bigint | null): void {
    if (at * 2 >= this.words.length) this.grow(capacityFor(at + 1));
    this.apart.delete(at);
    if (amount === null) {
      this.write(at, 0n, NONE);
      return;
    }
    const high = amount >> WORD_BITS;
    if (high >= 0n && high < APART) {
      this.write(at, amount & WORD, high);
      return;
    }
    this.apart.set(at, amount);
    this.write(at, 0n, APART);
  }

  private write(at: number, low: bigint, high: bigint): void {
    this.words[at * 2] = low;
    this.words[at * 2 + 1] = high ^ NONE;
  }

  private grow(capacity: number): void {
    const larger = new BigUint64Array(capacity * 2);
    larger.set(this.words);
    this.words = larger;
  }
}
