import { hash } from 'node:crypto';

const WORDS = 8;

/**
 * Pseudo-random numbers derived from a text: SHA-256 of the text and a counter. For draws that
 * anyone must be able to repeat; not for secrets.
 */
export class HashDraws {
  private readonly seed: string;
  private words = Buffer.alloc(0);
  private drawn = 0;

  constructor(seed: string) {
    this.seed = seed;
  }

  /** An integer of 32 bits, 0 to 2^32 - 1. */
  uint32(): number {
    const at = this.drawn % WORDS;
    if (at === 0) this.words = hash('sha256', `${this.seed} ${this.drawn / WORDS}`, 'buffer');
    this.drawn++;
    return this.words.readUInt32BE(at * 4);
  }

  /** A number in [0, 1). */
  unit(): number {
    return this.uint32() / 2 ** 32;
  }

  /** An integer in [0, limit), for limits far below 2^32. */
  below(limit: number): number {
    return Math.floor(this.unit() * limit);
  }
}
