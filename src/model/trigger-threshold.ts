import type { TriggerField } from './trigger.ts';

/** Digits of a threshold in all, and of those behind the point. */
const DIGITS_MAX = 30;
const FRACTION_DIGITS_MAX = 18;

/** Whether a text is a threshold for the field: a plain decimal number, whole for counts. */
export function isThreshold(field: TriggerField, text: string): boolean {
  const match = THRESHOLD.exec(text);
  if (match === null) return false;
  const [, whole = '', fraction = ''] = match;
  if (fraction.length > FRACTION_DIGITS_MAX) return false;
  if (whole.length + fraction.length > DIGITS_MAX) return false;
  return !isCount(field) || !/[1-9]/.test(fraction);
}

const THRESHOLD = /^([0-9]+)(?:[.]([0-9]+))?$/;

/** What counts things has no part of one. */
export function isCount(field: TriggerField): boolean {
  return field === 'number_of_buys' || field === 'number_of_sells';
}
