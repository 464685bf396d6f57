// Loops here use an index: `for…of` over this many numbers takes twice the time.

const WORD = 2 ** 32;
/** The number of 32-bit parts whose sum a double still represents exactly. */
const ADDED_MAX = 2 ** 20;

/** Adds integers that doubles represent exactly, without rounding. */
export class ExactSum {
  private settled = 0n;
  private high = 0;
  private low = 0;
  private added = 0;

  /** Adds an integer that a double represents exactly. */
  add(value: number): void {
    const high = Math.floor(value / WORD);
    this.high += high;
    this.low += value - high * WORD;
    if (++this.added === ADDED_MAX) this.settle();
  }

  /** The sum so far. */
  get total(): bigint {
    this.settle();
    return this.settled;
  }

  private settle(): void {
    this.settled += BigInt(this.high) * BigInt(WORD) + BigInt(this.low);
    this.high = 0;
    this.low = 0;
    this.added = 0;
  }
}

/** A double represents the sum of this many numbers below the bound exactly. */
const SMALL_COUNT = 2 ** 8;
const SMALL = 2 ** 45;

/** The sum of integers; those that a double does not represent exactly are skipped. */
export function sumOf(values: Float64Array): bigint {
  const total = new ExactSum();
  for (let from = 0; from < values.length; from += SMALL_COUNT) {
    const end = Math.min(values.length, from + SMALL_COUNT);
    let sum = 0;
    for (let at = from; at < end; at++) {
      const value = values[at] ?? 0;
      if (Math.abs(value) < SMALL) sum += value;
      else if (Number.isSafeInteger(value)) total.add(value);
    }
    total.add(sum);
  }
  return total.total;
}
