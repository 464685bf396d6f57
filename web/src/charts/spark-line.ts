/**
 * The path of a line through evenly spaced values that fills a box, the highest value at the top.
 * Equal values are a line in the middle.
 */
export function sparkLine(
  values: readonly number[],
  { width, height }: { readonly width: number; readonly height: number },
): string {
  const low = Math.min(...values);
  const range = Math.max(...values) - low;
  const step = width / Math.max(1, values.length - 1);
  const points = values.map((value, index) => {
    const share = range === 0 ? 0.5 : (value - low) / range;
    return `${(index * step).toFixed(1)} ${((1 - share) * height).toFixed(1)}`;
  });
  return `M${points.join('L')}`;
}
