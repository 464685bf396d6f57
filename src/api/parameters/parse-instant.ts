/**
 * Date, or date and time to the minute, second or fraction, with an optional zone. Query strings
 * decode `+` as a space, so a space is accepted as the sign of a zone.
 */
const ISO_8601 =
  /^([0-9]{4})-([0-9]{2})-([0-9]{2})(?:T([0-9]{2}):([0-9]{2})(?::([0-9]{2})(?:\.([0-9]{1,9}))?)?(Z|[+ -][0-9]{2}(?::?[0-9]{2})?)?)?$/;

const EPOCH_YEAR = 1970;
const MINUTE_MS = 60_000;

/**
 * Parses an ISO 8601 instant to milliseconds since 1970, truncating finer digits. Without a zone,
 * UTC is assumed. Null for anything else: invalid days, week and ordinal dates, epoch numbers,
 * 24:00, leap seconds, zone offsets of 24 hours or more, years before 1970.
 */
export function parseInstant(text: string): number | null {
  const match = ISO_8601.exec(text);
  return match === null ? null : toTimeMs(match);
}

function toTimeMs(match: RegExpExecArray): number | null {
  const year = Number(match[1]);
  const month = Number(match[2]);
  const dayMs = Date.UTC(year, month - 1, Number(match[3]));
  const zoneMs = toZoneMs(match[8]);
  if (year < EPOCH_YEAR || zoneMs === null || !isOfMonth(dayMs, month)) return null;
  const hour = Number(match[4] ?? 0);
  const minute = Number(match[5] ?? 0);
  const second = Number(match[6] ?? 0);
  if (hour > 23 || minute > 59 || second > 59) return null;
  const milliseconds = Number((match[7] ?? '').slice(0, 3).padEnd(3, '0'));
  return dayMs + (hour * 60 + minute) * MINUTE_MS + second * 1_000 + milliseconds - zoneMs;
}

/** False for an invalid day or month, which Date.UTC would roll over into another month. */
function isOfMonth(dayMs: number, month: number): boolean {
  return new Date(dayMs).getUTCMonth() === month - 1;
}

/** Milliseconds east of UTC; null for an invalid zone. */
function toZoneMs(zone: string | undefined): number | null {
  if (zone === undefined || zone === 'Z') return 0;
  const hours = Number(zone.slice(1, 3));
  const minutes = Number(zone.slice(3).replace(':', ''));
  if (hours > 23 || minutes > 59) return null;
  return (zone.startsWith('-') ? -1 : 1) * (hours * 60 + minutes) * MINUTE_MS;
}
