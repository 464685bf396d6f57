import { describe, expect, test } from 'vitest';
import { ageMs, clockStepMs, SteadyClock, steadyNowMs } from './steady-time.ts';

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

  test('counts the time that the machine slept', () => {
    const { clock, time, pass } = clockOf();
    pass(HOUR, { isAsleep: true });
    pass(1_000);
    expect(clock.nowMs()).toBe(NOW + HOUR + 1_000);
    expect(clockStepMs({ wallMs: time.wallMs, steadyMs: clock.nowMs() })).toBe(0);
    expect(ageMs(NOW - 400, { wallMs: time.wallMs, steadyMs: clock.nowMs() })).toBe(HOUR + 1_400);
  });

  test('is not moved by who sets the time of day', () => {
    const { clock, time, pass } = clockOf();
    time.wallMs += HOUR;
    pass(5_000);
    expect(clock.nowMs()).toBe(NOW + 5_000);
  });

  test('does not go back or forth for what is measured a little off', () => {
    const { clock, time, pass } = clockOf();
    for (const offMs of [10, -300, 200]) {
      time.uptimeMs += offMs;
      pass(1_000);
      clock.nowMs();
    }
    expect(clock.nowMs()).toBe(NOW + 3_000);
  });

  test('asks the system at most once a second', () => {
    const { clock, time, pass } = clockOf();
    for (let asked = 0; asked < 100; asked++) {
      pass(20);
      clock.nowMs();
    }
    expect(time.reads).toBe(3);
  });

  test('counts the time awake where the uptime is not known, and goes on when it fails', () => {
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

test('the steady clock begins with the time of day', () => {
  expect(Math.abs(steadyNowMs() - Date.now())).toBeLessThan(60_000);
});
