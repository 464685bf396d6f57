/** The least value that at least `share` of the values do not exceed; NaN without values. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((one, other) => one - other);
  const rank = Math.max(1, Math.ceil(share * sorted.length));
  return sorted[rank - 1] ?? Number.NaN;
}

export interface Trend {
  /** Change of y per unit of x. */
  readonly slope: number;
  /** Standard error of the slope, for independent residuals. */
  readonly standardError: number;
}

/** Least squares through points; NaN for fewer than three, and when all x are equal. */
export function trendOf(points: readonly { readonly x: number; readonly y: number }[]): Trend {
  const count = points.length;
  const meanX = points.reduce((sum, { x }) => sum + x, 0) / count;
  const meanY = points.reduce((sum, { y }) => sum + y, 0) / count;
  let [sxx, sxy] = [0, 0];
  for (const { x, y } of points) {
    sxx += (x - meanX) ** 2;
    sxy += (x - meanX) * (y - meanY);
  }
  if (count < 3 || sxx === 0) return { slope: Number.NaN, standardError: Number.NaN };
  const slope = sxy / sxx;
  const strays = points.map(({ x, y }) => (y - meanY - slope * (x - meanX)) ** 2);
  const variance = strays.reduce((sum, stray) => sum + stray, 0) / (count - 2);
  return { slope, standardError: Math.sqrt(variance / sxx) };
}
