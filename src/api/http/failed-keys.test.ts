import { describe, expect, test } from 'vitest';
import { FAILURES_PER_MINUTE_MAX, FailedKeys } from './failed-keys.ts';

const START_MS = 1_000_000;

describe('A-01 wrong keys', () => {
  test('of an address are answered 401 up to 120 times per minute, then with the time to wait', () => {
    const failed = new FailedKeys();
    for (let count = 0; count < FAILURES_PER_MINUTE_MAX; count++) {
      expect(failed.note('192.0.2.1', START_MS + count)).toBe(0);
    }
    // The minute began with the first wrong key: half of it is left.
    expect(failed.note('192.0.2.1', START_MS + 30_000)).toBe(30);
    expect(failed.note('192.0.2.1', START_MS + 59_999)).toBe(1);
    expect(failed.note('192.0.2.1', START_MS + 60_000)).toBe(0);
  });

  test('of one address do not affect another', () => {
    const failed = new FailedKeys();
    for (let count = 0; count < 200; count++) failed.note('192.0.2.1', START_MS);
    expect(failed.note('192.0.2.2', START_MS)).toBe(0);
  });

  test('of one IPv6 /64 are counted together, since one customer has all its addresses', () => {
    const failed = new FailedKeys();
    for (let count = 0; count < 200; count++) failed.note(`2001:db8:1:2::${count}`, START_MS);
    expect(failed.note('2001:db8:1:2::beef', START_MS)).toBeGreaterThan(0);
    expect(failed.note('2001:db8:1:3::beef', START_MS)).toBe(0);
  });

  test('are tracked for the newest ten thousand addresses at most', () => {
    const failed = new FailedKeys();
    for (let count = 0; count < 200; count++) failed.note('kept', START_MS);
    for (let at = 0; at < 9_999; at++) failed.note(`address ${at}`, START_MS);
    expect([failed.size, failed.note('kept', START_MS) > 0]).toEqual([10_000, true]);
    failed.note('one more', START_MS);
    expect([failed.size, failed.note('kept', START_MS)]).toEqual([10_000, 0]);
  });
});
