// Loops here count places: over as many numbers the others take twice the time.

const WORD = 2 ** 32;
/** So many parts of 32 bits add up to what a double still holds. */
const ADDED_MAX = 2 ** 20;

/** Adds whole numbers that doubles hold, and never rounds. */
export class ExactSum {
  private settled = 0n;
  private high = 0;
  private low = 0;
  private added = 0;

  /** Takes a whole number that a double holds exactly. */
  add(value: number): void {
    const high = Math.floor(value / WORD);
    this.high += high;
    this.low += value - high * WORD;
    if (++this.added === ADDED_MAX) this.settle();
  }

  /** Of all so far. */
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

/** So many numbers of less than so much add up to what a double still holds. */
const SMALL_COUNT = 2 ** 8;
const SMALL = 2 ** 45;

/** The sum of whole numbers; those that a double does not hold exactly are left out. */
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
