import { type Parameter, refusal } from './parse-parameter.ts';

/**
 * Date, or date and time to the minute, second or fraction, with or without a zone. A query string
 * turns `+` into a space, so a space is taken for the sign of a zone.
 */
const ISO_8601 =
  /^([0-9]{4})-([0-9]{2})-([0-9]{2})(?:T([0-9]{2}):([0-9]{2})(?::([0-9]{2})(?:\.([0-9]{1,9}))?)?(Z|[+ -][0-9]{2}(?::?[0-9]{2})?)?)?$/;

const EPOCH_YEAR = 1970;
const MINUTE_MS = 60_000;

/**
 * Reads an ISO 8601 instant as milliseconds since 1970; finer digits are dropped. No zone means
 * UTC. Refused: days that do not exist, week and ordinal dates, epoch numbers, 24:00, leap seconds,
 * zones of a day and more, years before 1970.
 */
export function parseInstant(text: string, parameter: Parameter): number {
  const match = ISO_8601.exec(text);
  const timeMs = match === null ? null : toTimeMs(match);
  if (timeMs !== null) return timeMs;
  throw refusal(parameter, 'an ISO 8601 date or date-time such as 2025-01-15T14:32:08Z');
}

function toTimeMs(match: RegExpExecArray): number | null {
  const [year, month, day, hour, minute, second] = match
    .slice(1, 7)
    .map((part) => Number(part ?? 0));
  const zoneMs = toZoneMs(match[8]);
  if (isOver(hour, 23) || isOver(minute, 59) || isOver(second, 59) || zoneMs === null) return null;
  if (year === undefined || year < EPOCH_YEAR || month === undefined || day === undefined)
    return null;
  const dayMs = Date.UTC(year, month - 1, day);
  // Date.UTC rolls 30 February over into March; a date that rolled never existed.
  if (new Date(dayMs).getUTCDate() !== day || month > 12) return null;
  const milliseconds = Number((match[7] ?? '').slice(0, 3).padEnd(3, '0'));
  const ofDay =
    ((hour ?? 0) * 60 + (minute ?? 0)) * MINUTE_MS + (second ?? 0) * 1_000 + milliseconds;
  return dayMs + ofDay - zoneMs;
}

function isOver(value: number | undefined, most: number): boolean {
  return value !== undefined && value > most;
}

/** Milliseconds east of UTC; null for a zone that cannot be. */
function toZoneMs(zone: string | undefined): number | null {
  if (zone === undefined || zone === 'Z') return 0;
  const hours = Number(zone.slice(1, 3));
  const minutes = Number(zone.slice(3).replace(':', ''));
  if (hours > 23 || minutes > 59) return null;
  return (zone.startsWith('-') ? -1 : 1) * (hours * 60 + minutes) * MINUTE_MS;
}
