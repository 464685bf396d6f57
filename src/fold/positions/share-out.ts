/**
 * Splits a total in proportion to positive weights, exactly: the parts add up to the total. If the
 * total is at most the sum of the weights, no part exceeds its weight.
 */
export function shareOut(total: bigint, weights: readonly bigint[]): bigint[] {
  let left = total;
  let weightLeft = weights.reduce((sum, weight) => sum + weight, 0n);
  return weights.map((weight) => {
    // Shares of the remainder, not of the whole, so rounding carries over to the following parts.
    const part = weightLeft === 0n ? 0n : (left * weight) / weightLeft;
    left -= part;
    weightLeft -= weight;
    return part;
  });
}
