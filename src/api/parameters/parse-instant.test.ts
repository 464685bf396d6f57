import fc from 'fast-check';
import { Type } from 'typebox';
import { describe, expect, test } from 'vitest';
import { ApiError } from '../../model/errors.ts';
import { compileRequestPart } from '../requests/compile-request-part.ts';
import { InstantParameter } from '../schemas/parameters.ts';
import { parseInstant } from './parse-instant.ts';

const checkStart = compileRequestPart(
  Type.Object({ start: InstantParameter({ description: 'Start.' }) }),
  'query',
);
const NOON = Date.UTC(2025, 0, 15, 12);

describe('A-06 parseInstant', () => {
  test.each([
    ['2025-01-15', NOON - 12 * 3_600_000],
    ['2025-01-15T12:00', NOON],
    ['2025-01-15T12:00:00', NOON],
    ['2025-01-15T12:00:00Z', NOON],
    ['2025-01-15T12:00:00.5Z', NOON + 500],
    ['2025-01-15T12:00:00.123456789Z', NOON + 123],
    ['2025-01-15T14:00:00+02:00', NOON],
    ['2025-01-15T14:00:00+0200', NOON],
    ['2025-01-15T14:00:00+02', NOON],
    ['2025-01-15T06:30:00-05:30', NOON],
    ['2024-02-29T00:00:00Z', Date.UTC(2024, 1, 29)],
    ['1970-01-01', 0],
    ['9999-12-31', Date.UTC(9999, 11, 31)],
  ])('reads %s', (text, timeMs) => {
    expect(parseInstant(text)).toBe(timeMs);
  });

  test('accepts a space as the plus sign of a zone, as decoded from a query string', () => {
    expect(parseInstant('2025-01-15T14:00:00 02:00')).toBe(NOON);
  });

  test.each([
    ['a day that does not exist', '2024-02-30'],
    ['29 February of a common year', '2025-02-29'],
    ['31 April', '2025-04-31'],
    ['day zero', '2025-01-00'],
    ['month zero', '2025-00-10'],
    ['month thirteen', '2025-13-01'],
    ['a week date', '2025-W03-3'],
    ['an ordinal date', '2025-015'],
    ['an epoch number', '1736942400'],
    ['epoch milliseconds', '1736942400000'],
    ['a date without hyphens', '20250115'],
    ['a year of two digits', '25-01-15'],
    ['a year before 1970', '1969-12-31'],
    ['hour 24', '2025-01-15T24:00:00Z'],
    ['minute 60', '2025-01-15T12:60:00Z'],
    ['a leap second', '2016-12-31T23:59:60Z'],
    ['a zone of a day', '2025-01-15T12:00:00+24:00'],
    ['a zone of 60 minutes', '2025-01-15T12:00:00+02:60'],
    ['a zone by name', '2025-01-15T12:00:00 CET'],
    ['a zone on a date', '2025-01-15Z'],
    ['a space between date and time', '2025-01-15 12:00:00'],
    ['small letters', '2025-01-15t12:00:00z'],
    ['an hour alone', '2025-01-15T12'],
    ['an empty fraction', '2025-01-15T12:00:00.Z'],
    ['a comma', '2025-01-15T12:00:00,5Z'],
    ['surrounding space', ' 2025-01-15'],
    ['digits of another script', '٢٠٢٥-٠١-١٥'],
    ['words', 'yesterday'],
    ['nothing', ''],
    ['a line break at the end', '2025-01-15\n'],
    ['a megabyte', '2'.repeat(1_000_000)],
  ])('refuses %s', (_what, text) => {
    expect(parseInstant(text)).toBeNull();
    expect(checkStart({ start: text })).toEqual({
      error: new ApiError(
        422,
        'start must be an ISO 8601 date or date-time such as 2025-01-15T14:32:08Z.',
      ),
    });
  });

  test('parses every instant formatted by Date', () => {
    const instant = fc.date({
      min: new Date(0),
      max: new Date('9999-12-31T23:59:59.999Z'),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(instant, (date) => {
        expect(parseInstant(date.toISOString())).toBe(date.getTime());
      }),
    );
  });
});
