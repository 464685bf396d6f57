/** A part of a whole as a statistic; 0 of nothing. */
export function shareOf(part: bigint, whole: bigint): number {
  return whole === 0n ? 0 : Number(part) / Number(whole);
}

/** Standard deviation over mean, of a population; 0 where the mean is 0. */
export function variationOf(amounts: readonly bigint[]): number {
  const sizes = amounts.map(Number).sort((one, other) => one - other);
  const mean = sizes.reduce((sum, size) => sum + size, 0) / sizes.length;
  if (!(mean > 0)) return 0;
  const variance = sizes.reduce((sum, size) => sum + (size - mean) ** 2, 0) / sizes.length;
  return Math.sqrt(variance) / mean;
}
