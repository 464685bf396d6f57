/**
 * Numbers that are never read. Nearly nothing on a decode thread outlives its block, and V8 lets
 * the old generation grow to a few times its live size before it collects it. With the 13 MB that
 * are live here, this happens before every second block, because each block brings two texts of its
 * full size. With 64 MB more, which cost nothing to mark, it happens before every sixth. Measured
 * over blocks of 4.5 MB: a third less processor time per block (docs/quality/live.md).
 */
const BALLAST_BYTES = 64 * 2 ** 20;
const BYTES_PER_NUMBER = 8;

/** Keeps the ballast alive as long as the thread. */
export const HEAP_BALLAST: readonly number[] = new Array<number>(
  BALLAST_BYTES / BYTES_PER_NUMBER,
).fill(0.5);
