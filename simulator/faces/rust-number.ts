/** A JSON value that is written to the text verbatim. */
export interface RawJson {
  readonly rawJSON: string;
}

declare global {
  interface JSON {
    /** Of the JSON.parse source text access proposal; in V8 since 11.4. */
    rawJSON(text: string): RawJson;
  }
}

/**
 * A float as nodes write it: the shortest digits that identify it, integers with `.0`, and
 * exponents below 1e-5 and from 1e16 on (Rust's `ryu`, through `serde_json`). A plain number if
 * JavaScript writes the same.
 */
export function floatJson(value: number): number | RawJson {
  const text = floatText(value);
  return text === String(value) ? value : JSON.rawJSON(text);
}

function floatText(value: number): string {
  const [mantissa = '0', exponent = '0'] = value.toExponential().split('e');
  const power = Number(exponent);
  if (value !== 0 && (power < -5 || power > 15)) return `${mantissa}e${power}`;
  const plain = plainText(mantissa.replace('.', ''), power);
  return plain.includes('.') ? plain : `${plain}.0`;
}

/** Decimal text of d.ddd… times ten to the power. */
function plainText(digits: string, power: number): string {
  if (power < 0) return `0.${'0'.repeat(-power - 1)}${digits}`;
  const whole = digits.slice(0, power + 1).padEnd(power + 1, '0');
  const fraction = digits.slice(power + 1);
  return fraction === '' ? whole : `${whole}.${fraction}`;
}

/** An integer as JSON without loss of precision. */
export function integerJson(value: bigint): number | RawJson {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : JSON.rawJSON(value.toString());
}
