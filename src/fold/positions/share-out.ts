/**
 * Splits a total in proportion to weights above zero, to the last unit: the parts add up to it. While
 * the total is at most the sum of the weights, no part is more than its weight.
 */
export function shareOut(total: bigint, weights: readonly bigint[]): bigint[] {
  let left = total;
  let weightLeft = weights.reduce((sum, weight) => sum + weight, 0n);
  return weights.map((weight) => {
    // Of what is left and not of the whole: so rounding carries over to the parts that follow.
    const part = weightLeft === 0n ? 0n : (left * weight) / weightLeft;
    left -= part;
    weightLeft -= weight;
    return part;
  });
}
