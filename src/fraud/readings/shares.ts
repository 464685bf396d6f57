/** `part` divided by `whole`; 0 if `whole` is 0. */
export function shareOf(part: bigint, whole: bigint): number {
  return whole === 0n ? 0 : Number(part) / Number(whole);
}

/** Coefficient of variation of a population: standard deviation / mean; 0 if the mean is 0. */
export function variationOf(amounts: readonly bigint[]): number {
  const sizes = amounts.map(Number).sort((one, other) => one - other);
  const mean = sizes.reduce((sum, size) => sum + size, 0) / sizes.length;
  if (!(mean > 0)) return 0;
  const variance = sizes.reduce((sum, size) => sum + (size - mean) ** 2, 0) / sizes.length;
  return Math.sqrt(variance) / mean;
}
