/**
 * Numbers that are never read. Nearly nothing on a decode thread outlives its block, and V8 lets old
 * objects grow to a few times of what lives before it collects them: with the 13 MB that live here
 * that is before every second block, as each brings two texts of its whole size. With 64 MB more,
 * which cost nothing to mark, it is before every sixth. Measured over blocks of 4.5 MB: a third of the
 * processor time of a block less (docs/quality/live.md).
 */
const BALLAST_BYTES = 64 * 2 ** 20;
const BYTES_PER_NUMBER = 8;

/** Holds the ballast for as long as the thread lives. */
export const HEAP_BALLAST: readonly number[] = new Array<number>(
  BALLAST_BYTES / BYTES_PER_NUMBER,
).fill(0.5);
