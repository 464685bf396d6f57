/** Formats a share as a percentage: `0.3` is `30.0 %`. */
export function percentText(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}

/** Formats a count with its noun: `1 wallet`, `3 wallets`. */
export function countText(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

const MAGNITUDES = [
  [12, 'trillion'],
  [9, 'billion'],
  [6, 'million'],
  [3, 'thousand'],
] as const;
/** Chances below one in a thousand trillions have no word. */
const WORDLESS_EXPONENT = 15;

/** Formats the chance of 1 in ten to the power of `exponent`: `10.1` is `1 in 13 billion`. */
export function chanceText(exponent: number): string {
  const whole = exponent >= 0 ? Number((10 ** exponent).toPrecision(2)) : 1;
  if (whole >= 10 ** WORDLESS_EXPONENT) return `1 in 10^${exponent.toFixed(1)}`;
  const [power, word] = MAGNITUDES.find(([least]) => whole >= 10 ** least) ?? [0, null];
  const count = whole / 10 ** power;
  return word === null ? `1 in ${Math.round(count)}` : `1 in ${count} ${word}`;
}
