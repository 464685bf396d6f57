import { shareOf } from '../readings/shares.ts';

/**
 * The Gini coefficient: (n + 1 − 2 Σ cumᵢ / cumₙ) / n over amounts in ascending order (METHODS
 * §7.2). 0 when all amounts are equal, close to 1 when one holder has everything, 0 for fewer than
 * two.
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
