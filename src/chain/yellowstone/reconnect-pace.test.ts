import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ReconnectPace } from './reconnect-pace.ts';

const LONGEST = { random: () => 0.999_999, delayMinMs: 500, delayMaxMs: 8_000 };

describe('ReconnectPace', () => {
  test('does not wait before the first attempt', () => {
    expect(new ReconnectPace({ ...LONGEST, attemptsPerMinute: 10 }).delayMs(0)).toBe(0);
  });

  test('doubles the longest wait with each attempt without data, up to a limit', () => {
    const pace = new ReconnectPace({ ...LONGEST, attemptsPerMinute: 1_000 });
    const waits: number[] = [];
    for (let attempt = 0; attempt < 7; attempt++) {
      pace.noteAttempt(0);
      waits.push(pace.delayMs(0));
    }
    expect(waits).toEqual([500, 1_000, 2_000, 4_000, 8_000, 8_000, 8_000]);
  });

  test('starts over after data, not after a connection', () => {
    const pace = new ReconnectPace({ ...LONGEST, attemptsPerMinute: 1_000 });
    for (let attempt = 0; attempt < 5; attempt++) pace.noteAttempt(0);
    expect(pace.delayMs(0)).toBe(8_000);
    pace.noteData();
    expect(pace.delayMs(0)).toBe(500);
  });

  test('draws the wait from the whole range, so clients return at different times', () => {
    const pace = new ReconnectPace({ ...LONGEST, random: () => 0.25, attemptsPerMinute: 1_000 });
    pace.noteAttempt(0);
    expect(pace.delayMs(0)).toBe(125);
  });

  test('waits longest after a denial', () => {
    const pace = new ReconnectPace({ ...LONGEST, attemptsPerMinute: 1_000 });
    pace.noteAttempt(0);
    pace.noteDenial();
    expect(pace.delayMs(0)).toBe(8_000);
  });

  test('never exceeds the attempts per minute, for any sequence of ends', () => {
    const step = fc.record({
      isData: fc.boolean(),
      livedMs: fc.nat(20_000),
      random: fc.double({ min: 0, max: 0.999, noNaN: true }),
    });
    fc.assert(
      fc.property(
        fc.array(step, { minLength: 40, maxLength: 80 }),
        fc.integer({ min: 1, max: 12 }),
        (steps, attemptsPerMinute) => {
          let random = 0;
          const pace = new ReconnectPace({ ...LONGEST, random: () => random, attemptsPerMinute });
          const attempts: number[] = [];
          let nowMs = 1_000;
          for (const each of steps) {
            random = each.random;
            nowMs += pace.delayMs(nowMs);
            pace.noteAttempt(nowMs);
            attempts.push(nowMs);
            if (each.isData) pace.noteData();
            nowMs += each.livedMs;
          }
          for (const start of attempts) {
            const within = attempts.filter((at) => at >= start && at < start + 60_000);
            expect(within.length).toBeLessThanOrEqual(attemptsPerMinute);
          }
        },
      ),
    );
  });
});
