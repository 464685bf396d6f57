import { describe, expect, test } from 'vitest';
import { ageMs, clockStepMs, steadyNowMs } from './steady-time.ts';

const NOW = 1_700_000_000_000;
const HOUR = 3_600_000;

describe('the age of a block that is 400 ms old', () => {
  test.each([
    ['nobody set the clock', NOW, NOW],
    ['the clock jumped an hour ahead', NOW + HOUR, NOW],
    ['the clock was set back an hour', NOW - HOUR, NOW],
    ['the clock was an hour ahead at the start and put right', NOW, NOW + HOUR],
    ['the clock was an hour behind at the start and put right', NOW, NOW - HOUR],
  ])('is 400 ms when %s', (_, wallMs, steadyMs) => {
    expect(ageMs(NOW - 400, { wallMs, steadyMs })).toBe(400);
  });

  test('is never negative, whatever both clocks say', () => {
    expect(ageMs(NOW, { wallMs: NOW - HOUR, steadyMs: NOW - 2 * HOUR })).toBe(0);
    expect(ageMs(NOW, { wallMs: NOW - 300, steadyMs: NOW - 300 })).toBe(0);
  });
});

test('what is old by both clocks is old', () => {
  expect(ageMs(NOW - HOUR, { wallMs: NOW, steadyMs: NOW })).toBe(HOUR);
  expect(ageMs(NOW - HOUR, { wallMs: NOW + HOUR, steadyMs: NOW })).toBe(HOUR);
});

test('a clock that was set shows by how much, and drift does not', () => {
  expect(clockStepMs({ wallMs: NOW + HOUR, steadyMs: NOW })).toBe(HOUR);
  expect(clockStepMs({ wallMs: NOW - HOUR, steadyMs: NOW })).toBe(-HOUR);
  expect(clockStepMs({ wallMs: NOW + 900, steadyMs: NOW })).toBe(0);
});

test('the steady clock begins with the time of day', () => {
  expect(Math.abs(steadyNowMs() - Date.now())).toBeLessThan(60_000);
});
