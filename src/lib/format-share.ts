/**
 * Formats the share `part / whole` with `decimals` decimals, rounded down, so only the whole prints
 * as 1. Both are counts, and `whole` is not zero.
 */
export function formatShare(part: number, whole: number, decimals: number): string {
  const scale = 10 ** decimals;
  return (Math.floor((part * scale) / whole) / scale).toFixed(decimals);
}
