import { describe, expect, it } from 'vitest';
import { QuickClock } from '../../../tests/support/collector-run.ts';
import { RequestPace } from './request-pace.ts';

const SIGNAL = new AbortController().signal;

describe('the pace of requests', () => {
  it('allows a burst, and then the rate per minute', async () => {
    const clock = new QuickClock(0);
    const pace = new RequestPace(clock, { perMinute: 30, burst: 3 });
    const timesMs: number[] = [];
    for (let n = 0; n < 8; n++) {
      await pace.take(SIGNAL);
      timesMs.push(clock.nowMs());
    }
    // 30 a minute is one in two seconds.
    expect(timesMs).toEqual([0, 0, 0, 2_000, 4_000, 6_000, 8_000, 10_000]);
  });

  it('accumulates no more than a burst', async () => {
    const clock = new QuickClock(0);
    const pace = new RequestPace(clock, { perMinute: 60, burst: 2 });
    await clock.sleep(3_600_000);
    await pace.take(SIGNAL);
    await pace.take(SIGNAL);
    expect(pace.waitMs()).toBe(1_000);
  });
});
