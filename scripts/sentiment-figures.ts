/** Measures of how well moods are classified. */

/** Mean over the moods of the harmonic mean of precision and recall. */
export function macroF1(told: readonly number[], meant: readonly number[]): number {
  const scores = [...new Set(meant)].map((mood) => {
    const both = told.filter((value, at) => value === mood && meant[at] === mood).length;
    const either =
      told.filter((value) => value === mood).length +
      meant.filter((value) => value === mood).length;
    return either === 0 ? 0 : (2 * both) / either;
  });
  return scores.reduce((sum, score) => sum + score, 0) / scores.length;
}

/** Share of correct ones. */
export function accuracy(told: readonly number[], meant: readonly number[]): number {
  return told.filter((value, at) => value === meant[at]).length / told.length;
}

/** Pearson's correlation. */
export function correlation(one: readonly number[], other: readonly number[]): number {
  const [meanOne, meanOther] = [mean(one), mean(other)];
  let [both, squaresOne, squaresOther] = [0, 0, 0];
  for (let at = 0; at < one.length; at++) {
    const [a, b] = [(one[at] ?? 0) - meanOne, (other[at] ?? 0) - meanOther];
    both += a * b;
    squaresOne += a * a;
    squaresOther += b * b;
  }
  return both / Math.sqrt(squaresOne * squaresOther);
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
