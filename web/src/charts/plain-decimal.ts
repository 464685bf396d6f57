/** A number of a chart in plain decimal notation, with at most 18 fraction digits. */
export function plainDecimal(value: number): string {
  const text = String(value);
  return text.includes('e') ? value.toFixed(18).replace(/\.?0+$/, '') : text;
}
