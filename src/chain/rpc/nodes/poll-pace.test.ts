import { describe, expect, it } from 'vitest';
import { PollPace } from './poll-pace.ts';

const OPTIONS = { leastMs: 20, mostMs: 1_000 };

describe('the pace of polling', () => {
  it.each([200, 400, 600])('settles on half the time of a block: %i ms', (blockMs) => {
    const pace = new PollPace(OPTIONS);
    for (let block = 1; block <= 50; block++) pace.observe(1, block * blockMs);
    expect(pace.intervalMs).toBeCloseTo(blockMs / 2);
  });

  it('follows the network when blocks arrive faster than before', () => {
    const pace = new PollPace(OPTIONS);
    for (let block = 0; block < 50; block++) pace.observe(1, block * 400);
    for (let block = 1; block <= 50; block++) pace.observe(1, 49 * 400 + block * 200);
    expect(pace.intervalMs).toBeCloseTo(100, 0);
  });

  it('slows down to the longest interval while nothing arrives, and recovers at once', () => {
    const pace = new PollPace(OPTIONS);
    pace.observe(1, 0);
    pace.observe(1, 400);
    const intervals = Array.from({ length: 20 }, () => {
      pace.observe(0, 500);
      return pace.intervalMs;
    });
    expect(intervals[0]).toBe(200);
    expect(intervals.at(-1)).toBe(1_000);
    pace.observe(20, 8_400);
    expect(pace.intervalMs).toBeCloseTo(200);
  });
});
