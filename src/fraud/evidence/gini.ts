import { shareOf } from '../readings/shares.ts';

/**
 * How unevenly a whole is spread over its holders: (n + 1 − 2 Σ cumᵢ / cumₙ) / n over amounts that
 * rise (METHODS §7.2). 0 when all have the same, towards 1 when one has all; 0 for fewer than two.
 */
export function gini(amounts: readonly bigint[]): number {
  const count = amounts.length;
  const rising = [...amounts].sort((one, other) => (one < other ? -1 : one > other ? 1 : 0));
  let held = 0n;
  let cumulated = 0n;
  for (const amount of rising) {
    held += amount;
    cumulated += held;
  }
  if (count < 2 || held === 0n) return 0;
  return (count + 1 - 2 * shareOf(cumulated, held)) / count;
}
