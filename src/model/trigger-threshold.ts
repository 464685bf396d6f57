import { type TriggerField, unitOf } from './trigger.ts';

/** Maximum digits of a threshold in total, and after the decimal point. */
const DIGITS_MAX = 30;
const FRACTION_DIGITS_MAX = 18;

/**
 * Whether a text is a valid threshold for the field: a plain decimal number, an integer for counts.
 */
export function isThreshold(field: TriggerField, text: string): boolean {
  return isDecimal(text) && !(isCount(field) && /[.].*[1-9]/.test(text));
}

/** Whether a text is a plain decimal number of the digits that a threshold may have. */
export function isDecimal(text: string): boolean {
  const match = THRESHOLD.exec(text);
  if (match === null) return false;
  const [, whole = '', fraction = ''] = match;
  return fraction.length <= FRACTION_DIGITS_MAX && whole.length + fraction.length <= DIGITS_MAX;
}

const THRESHOLD = /^([0-9]+)(?:[.]([0-9]+))?$/;

/** True for fields that are counts, which have no fraction. */
export function isCount(field: TriggerField): boolean {
  return unitOf(field) === 'count';
}
