import { parseDecimal, partsOf, shiftDecimal } from '../../format/decimal.ts';

/** How a limit is written: `10k`, `2.5m`; `30m`, `2h`, `1d`; whole numbers; percentages. */
export type Unit = 'amount' | 'age' | 'count' | 'percent' | 'score';

const POWERS: Readonly<Record<string, number>> = { k: 3, m: 6, b: 9 };
const SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400 };
const SCORE_MAX = 100;

/** What is expected of a limit, for people. */
export const EXPECTED: Readonly<Record<Unit, string>> = {
  amount: 'A number, such as 1500, 10k or 2.5m.',
  age: 'A time, such as 30s, 10m, 2h or 1d.',
  count: 'A whole number, such as 50 or 2k.',
  percent: 'A percentage from 0 to 100.',
  score: 'A whole number from 0 to 100.',
};

/** A limit as the API wants it; null for text that is none. */
export function parseBound(unit: Unit, text: string): string | null {
  const [, number = '', suffix = ''] =
    /^\$?\s*(\d{1,12}(?:\.\d{1,6})?)\s*([a-z%]?)$/i.exec(text.trim()) ?? [];
  if (number === '') return null;
  return PARSERS[unit](number, suffix.toLowerCase());
}

const PARSERS: Readonly<Record<Unit, (number: string, suffix: string) => string | null>> = {
  amount: scaled,
  count: (number, suffix) => whole(scaled(number, suffix)),
  age(number, suffix) {
    const seconds = SECONDS[suffix];
    return seconds === undefined ? null : String(Math.round(Number(number) * seconds));
  },
  percent(number, suffix) {
    const isPercentage = (suffix === '' || suffix === '%') && Number(number) <= 100;
    const share = isPercentage ? shifted(number, -2) : null;
    return share !== null && (share.split('.')[1] ?? '').length <= 4 ? share : null;
  },
  score: (number, suffix) => (suffix === '' && Number(number) <= SCORE_MAX ? whole(number) : null),
};

function scaled(number: string, suffix: string): string | null {
  const power = suffix === '' ? 0 : POWERS[suffix];
  return power === undefined ? null : shifted(number, power);
}

function whole(number: string | null): string | null {
  return number !== null && /^\d+$/.test(number) ? number : null;
}

function shifted(number: string, power: number): string | null {
  const value = parseDecimal(number);
  if (value === null) return null;
  const { whole: digits, fraction } = partsOf(shiftDecimal(value, power));
  const kept = fraction.replace(/0+$/, '');
  return kept === '' ? digits : `${digits}.${kept}`;
}
