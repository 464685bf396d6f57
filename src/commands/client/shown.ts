import { displayText } from '../../lib/terminal/display-text.ts';

/** Stands for what is unknown, or not there. */
export const NOTHING = '-';

/** A value of an answer in a cell. */
export function shown(value: string | number | boolean | null | undefined): string {
  if (value === null || value === undefined || value === '') return NOTHING;
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return displayText(String(value));
}

/** US dollars. */
export function shownUsd(value: string | null | undefined): string {
  return value === null || value === undefined ? NOTHING : `$${displayText(value)}`;
}

/** An instant without its fraction: 2025-01-15 14:32:08Z. */
export function shownTime(value: string | null | undefined): string {
  return shown(value).replace(/^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)\.\d+Z$/, '$1 $2Z');
}
