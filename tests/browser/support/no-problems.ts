import { expect } from 'vitest';

/**
 * Expects that a page reported nothing but what `unexpected` leaves out; what a busy service
 * refused may still be answered, as `watch` describes.
 */
export async function noProblems(
  problems: readonly string[],
  unexpected = (reported: readonly string[]) => reported,
): Promise<void> {
  await expect.poll(() => unexpected(problems)).toEqual([]);
}
