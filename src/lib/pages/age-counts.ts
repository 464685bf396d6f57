/** Counts by age, to find the age beyond which there are so many: eight steps per doubling. */
export class AgeCounts {
  private readonly counts = new Float64Array(32 << STEP_BITS);

  /** `age` is a whole number below 2^31. */
  add(age: number, count: number): void {
    const bucket = bucketOf(age);
    this.counts[bucket] = (this.counts[bucket] as number) + count;
  }

  get total(): number {
    return this.counts.reduce((sum, count) => sum + count, 0);
  }

  /** The largest age, within an eighth, such that at least `count` are of it or older; 0 if none. */
  ageOfOldest(count: number): number {
    let older = 0;
    for (let bucket = this.counts.length - 1; bucket >= 0; bucket--) {
      older += this.counts[bucket] as number;
      if (older >= count) return leastAgeOf(bucket);
    }
    return 0;
  }
}

const STEP_BITS = 3;
const STEPS = 1 << STEP_BITS;

/** The exponent of the age in base 2, and the three bits after its first one. */
function bucketOf(age: number): number {
  const shifted = age + STEPS;
  const exponent = 31 - Math.clz32(shifted) - STEP_BITS;
  return (exponent << STEP_BITS) + ((shifted >>> exponent) & (STEPS - 1));
}

function leastAgeOf(bucket: number): number {
  return ((bucket & (STEPS - 1)) + STEPS) * 2 ** (bucket >>> STEP_BITS) - STEPS;
}
