import { describe, expect, test } from 'vitest';
import { ageMs, clockStepMs, SteadyClock, steadyNowMs } from './steady-time.ts';

const NOW = 1_700_000_000_000;
const HOUR = 3_600_000;

describe('the age of a block that is 400 ms old', () => {
  test.each([
    ['the clock was not set', NOW, NOW],
    ['the clock jumped an hour ahead', NOW + HOUR, NOW],
    ['the clock was set back an hour', NOW - HOUR, NOW],
    ['the clock was an hour ahead at the start and was corrected', NOW, NOW + HOUR],
    ['the clock was an hour behind at the start and was corrected', NOW, NOW - HOUR],
  ])('is 400 ms when %s', (_, wallMs, steadyMs) => {
    expect(ageMs(NOW - 400, { wallMs, steadyMs })).toBe(400);
  });

  test('is never negative, regardless of both clocks', () => {
    expect(ageMs(NOW, { wallMs: NOW - HOUR, steadyMs: NOW - 2 * HOUR })).toBe(0);
    expect(ageMs(NOW, { wallMs: NOW - 300, steadyMs: NOW - 300 })).toBe(0);
  });
});

test('is large if both clocks say so', () => {
  expect(ageMs(NOW - HOUR, { wallMs: NOW, steadyMs: NOW })).toBe(HOUR);
  expect(ageMs(NOW - HOUR, { wallMs: NOW + HOUR, steadyMs: NOW })).toBe(HOUR);
});

test('a changed system clock is reported with the difference, and drift is not', () => {
  expect(clockStepMs({ wallMs: NOW + HOUR, steadyMs: NOW })).toBe(HOUR);
  expect(clockStepMs({ wallMs: NOW - HOUR, steadyMs: NOW })).toBe(-HOUR);
  expect(clockStepMs({ wallMs: NOW + 900, steadyMs: NOW })).toBe(0);
});

describe('a steady clock', () => {
  function clockOf(uptime: { isKnown: boolean } = { isKnown: true }) {
    const time = { wallMs: NOW, awakeMs: 500, uptimeMs: 90_000, reads: 0 };
    const clock = new SteadyClock({
      wallNowMs: () => time.wallMs,
      awakeNowMs: () => time.awakeMs,
      uptimeMs: () => {
        time.reads++;
        return uptime.isKnown ? time.uptimeMs : null;
      },
    });
    const pass = (ms: number, { isAsleep = false } = {}) => {
      time.wallMs += ms;
      time.uptimeMs += ms;
      if (!isAsleep) time.awakeMs += ms;
    };
    return { clock, time, pass };
  }

  test('includes the time for which the machine slept', () => {
    const { clock, time, pass } = clockOf();
    pass(HOUR, { isAsleep: true });
    pass(1_000);
    expect(clock.nowMs()).toBe(NOW + HOUR + 1_000);
    expect(clockStepMs({ wallMs: time.wallMs, steadyMs: clock.nowMs() })).toBe(0);
    expect(ageMs(NOW - 400, { wallMs: time.wallMs, steadyMs: clock.nowMs() })).toBe(HOUR + 1_400);
  });

  test('does not change when the system time is set', () => {
    const { clock, time, pass } = clockOf();
    time.wallMs += HOUR;
    pass(5_000);
    expect(clock.nowMs()).toBe(NOW + 5_000);
  });

  test('does not jump because of small measurement errors', () => {
    const { clock, time, pass } = clockOf();
    for (const offMs of [10, -300, 200]) {
      time.uptimeMs += offMs;
      pass(1_000);
      clock.nowMs();
    }
    expect(clock.nowMs()).toBe(NOW + 3_000);
  });

  test('reads the uptime at most once a second', () => {
    const { clock, time, pass } = clockOf();
    for (let read = 0; read < 100; read++) {
      pass(20);
      clock.nowMs();
    }
    expect(time.reads).toBe(3);
  });

  test('counts the time awake if the uptime is unknown, and continues when it fails', () => {
    const uptime = { isKnown: false };
    const { clock, pass } = clockOf(uptime);
    pass(5_000);
    expect(clock.nowMs()).toBe(NOW + 5_000);
    uptime.isKnown = true;
    pass(5_000);
    clock.nowMs();
    pass(HOUR, { isAsleep: true });
    pass(1_000);
    expect(clock.nowMs()).toBe(NOW + HOUR + 11_000);
    uptime.isKnown = false;
    pass(1_000);
    expect(clock.nowMs()).toBe(NOW + HOUR + 12_000);
  });
});

test('the steady clock starts with the time of day', () => {
  expect(Math.abs(steadyNowMs() - Date.now())).toBeLessThan(60_000);
});
