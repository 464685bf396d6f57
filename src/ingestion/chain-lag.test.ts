import { expect, test } from 'vitest';
import { lagInWords, lagOf } from './chain-lag.ts';
import type { Ingestion } from './ingestion.ts';

const NOW = 1_700_000_000_000;
const HOUR = 3_600_000;

interface Known {
  readonly lastSlot?: number | null;
  readonly timeMs?: number;
  readonly headSlot?: number | null;
  readonly sinceSlotMs?: number | null;
}

function lag(
  { lastSlot = 100, timeMs = NOW - 400, headSlot = null, sinceSlotMs = null }: Known,
  wallMs = NOW,
) {
  const ingestion = { engine: { lastSlot, timeMs }, status: { headSlot, sinceSlotMs } };
  return lagOf(ingestion as unknown as Ingestion, { wallMs, steadyMs: NOW });
}

test('the lag is the age of the newest slot', () => {
  expect(lag({ headSlot: 103, sinceSlotMs: 50 })).toEqual({
    lagMs: 400,
    lagSlots: 3,
    clockStepMs: 0,
  });
});

test('a silent source lags by the time of its silence, regardless of the clock', () => {
  expect(lag({ sinceSlotMs: HOUR }).lagMs).toBe(HOUR);
  expect(lag({ timeMs: NOW + HOUR, sinceSlotMs: 90_000.4 }).lagMs).toBe(90_000);
});

test('an unknown time is neither zero lag nor decades of lag', () => {
  expect(lag({ lastSlot: null, headSlot: 7 })).toMatchObject({ lagMs: null, lagSlots: null });
  expect(lag({ timeMs: 0, sinceSlotMs: 10 }).lagMs).toBeNull();
  expect(lag({ headSlot: 90 }).lagSlots).toBe(0);
  expect(lagInWords(lag({ lastSlot: null }))).toBe('nothing has come from the source yet');
});

test('the lag includes a step of the clock', () => {
  expect(lagInWords(lag({ headSlot: 103 }, NOW - HOUR))).toBe(
    "400 ms, 3 slots behind the chain; this machine's clock was set back by 3600000 ms since the start",
  );
  expect(lagInWords(lag({}))).toBe('400 ms behind the chain');
});
