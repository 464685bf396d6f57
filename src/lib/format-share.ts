/**
 * A part of a whole as text with this many decimals, rounded down: only everything is told as 1.
 * Both are counts, and the whole is not zero.
 */
export function formatShare(part: number, whole: number, decimals: number): string {
  const scale = 10 ** decimals;
  return (Math.floor((part * scale) / whole) / scale).toFixed(decimals);
}
