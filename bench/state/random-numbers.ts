/** A whole number of 32 bits that looks random; a different one for each `number` of a `salt`. */
export function mixed(number: number, salt: number): number {
  let value = (Math.imul(number, 0x9e3779b1) + salt) | 0;
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
  return (value ^ (value >>> 16)) >>> 0;
}

/** The same as a number in [0, 1). */
export function mixedShare(number: number, salt: number): number {
  return mixed(number, salt) / 2 ** 32;
}

const WARM_UP = 12;

/** Pseudo-random numbers (sfc32) whose state is four words that can be stored and restored. */
export class RandomNumbers {
  /** The state; it may be stored, and overwritten with a stored one. */
  readonly words = new Uint32Array(4);

  constructor(seed: number) {
    this.words.set([mixed(seed, 1), mixed(seed, 2), mixed(seed, 3), 1]);
    for (let drawn = 0; drawn < WARM_UP; drawn++) this.word();
  }

  /** A number in [0, 1). */
  share(): number {
    return this.word() / 2 ** 32;
  }

  /** A whole number in [0, limit). */
  below(limit: number): number {
    return Math.floor((this.word() / 2 ** 32) * limit);
  }

  /** True with this probability. */
  isWithin(share: number): boolean {
    return this.word() < share * 2 ** 32;
  }

  /** A whole number of which each power of two up to `limit` has the same weight; 1 at least. */
  log(limit: number): number {
    const powers = 32 - Math.clz32(limit);
    const start = 1 << Math.min(30, this.below(powers));
    return Math.min(limit, Math.floor(start * (1 + this.share())));
  }

  private word(): number {
    const { words } = this;
    const [a, b, c, count] = [words[0], words[1], words[2], words[3]] as number[] as [
      number,
      number,
      number,
      number,
    ];
    const result = (a + b + count) >>> 0;
    words[3] = count + 1;
    words[0] = b ^ (b >>> 9);
    words[1] = c + (c << 3);
    words[2] = ((c << 21) | (c >>> 11)) + result;
    return result;
  }
}
