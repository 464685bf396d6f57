import { UNKNOWN } from './numbers.ts';

const UNITS = [
  ['d', 86_400],
  ['h', 3_600],
  ['m', 60],
  ['s', 1],
] as const;

/** A duration in its largest unit, or two for less than ten of it: `3h 20m`, `12d`, `8s`, `0s`. */
export function formatDuration(durationMs: number | null): string {
  if (durationMs === null) return UNKNOWN;
  const seconds = Math.max(0, Math.floor(durationMs / 1_000));
  const index = UNITS.findIndex(([, size]) => seconds >= size);
  if (index === -1) return '0s';
  const [unit, size] = UNITS[index] ?? ['s', 1];
  const count = Math.floor(seconds / size);
  const smaller = UNITS[index + 1];
  if (count >= 10 || smaller === undefined) return `${count}${unit}`;
  const rest = Math.floor((seconds % size) / smaller[1]);
  return rest === 0 ? `${count}${unit}` : `${count}${unit} ${rest}${smaller[0]}`;
}

/** The age of an instant of the API, as `formatDuration` writes it. */
export function formatAge(instant: string | null, nowMs: number): string {
  return instant === null ? UNKNOWN : formatDuration(nowMs - Date.parse(instant));
}

/** The time zone of this browser, as `Europe/Berlin`. */
export function timeZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** Date and time of an instant in a time zone, which it says: `2026-11-26 21:23:08 GMT+1`. */
export function formatTime(instant: string | null, zone: string = timeZone()): string {
  if (instant === null) return UNKNOWN;
  const at = new Date(instant);
  if (Number.isNaN(at.getTime())) return instant;
  const parts = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
    timeZoneName: 'short',
  }).formatToParts(at);
  const part = (type: string) => parts.find((one) => one.type === type)?.value ?? '';
  const date = `${part('year')}-${part('month')}-${part('day')}`;
  return `${date} ${part('hour')}:${part('minute')}:${part('second')} ${part('timeZoneName')}`;
}
