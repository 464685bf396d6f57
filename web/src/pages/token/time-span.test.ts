import { expect, test, vi } from 'vitest';

vi.mock('../../state/router.ts', () => ({ choiceInQuery: () => '1h' }));
const { rangeOf } = await import('./time-span.ts');

const NOW = Date.UTC(2026, 10, 26, 21, 0, 8);

test('a span ends with this minute', () => {
  expect(rangeOf('1h', null, NOW)).toEqual({
    from: '2026-11-26T20:01:00.000Z',
    to: '2026-11-26T21:01:00.000Z',
  });
});

test('a span does not begin before the token', () => {
  expect(rangeOf('24h', '2026-11-26T20:52:40.000Z', NOW).from).toBe('2026-11-26T20:52:00.000Z');
});

test('a range is never empty, whatever the clock of this machine says', () => {
  expect(rangeOf('1h', '2026-11-26T23:00:00.000Z', NOW).from).toBe('2026-11-26T21:00:00.000Z');
});
