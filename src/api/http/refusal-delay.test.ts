import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  DELAYED_MAX,
  PROMPT_PER_SECOND_MAX,
  REFUSAL_DELAY_MS,
  RefusalDelay,
} from './refusal-delay.ts';

const NOW_MS = 1_700_000_000_000;

function refuse(delay: RefusalDelay, count: number, address = '192.0.2.1', nowMs = NOW_MS) {
  let sent = 0;
  for (let index = 0; index < count; index++) delay.answer(429, address, nowMs, () => sent++);
  return () => sent;
}

describe('refusals of a client that goes on', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  test('are sent at once up to fifty in a second, further ones a second later', () => {
    const delay = new RefusalDelay();
    const sent = refuse(delay, PROMPT_PER_SECOND_MAX + 3);
    expect([sent(), delay.size]).toEqual([PROMPT_PER_SECOND_MAX, 3]);
    vi.advanceTimersByTime(REFUSAL_DELAY_MS - 1);
    expect(sent()).toBe(PROMPT_PER_SECOND_MAX);
    vi.advanceTimersByTime(1);
    expect([sent(), delay.size]).toEqual([PROMPT_PER_SECOND_MAX + 3, 0]);
  });

  test('are counted by client network and by second', () => {
    const delay = new RefusalDelay();
    refuse(delay, PROMPT_PER_SECOND_MAX);
    expect(refuse(delay, 1, '192.0.2.2')()).toBe(1);
    expect(refuse(delay, 1)()).toBe(0);
    expect(refuse(delay, 1, '192.0.2.1', NOW_MS + 1_000)()).toBe(1);
    refuse(delay, PROMPT_PER_SECOND_MAX, '2001:db8::1');
    expect(refuse(delay, 1, '2001:db8::ffff')()).toBe(0);
    expect(refuse(delay, 1, '2001:db8:0:1::1')()).toBe(1);
  });

  test('are no answers to requests: those are never delayed', () => {
    const delay = new RefusalDelay();
    refuse(delay, PROMPT_PER_SECOND_MAX + 1);
    const send = vi.fn();
    for (const status of [400, 404, 422, 500, 503]) delay.answer(status, '192.0.2.1', NOW_MS, send);
    expect(send).toHaveBeenCalledTimes(5);
  });

  test('wait in a bounded number; beyond it they are sent at once', () => {
    const delay = new RefusalDelay();
    const sent = refuse(delay, PROMPT_PER_SECOND_MAX + DELAYED_MAX + 7);
    expect([sent(), delay.size]).toEqual([PROMPT_PER_SECOND_MAX + 7, DELAYED_MAX]);
    vi.advanceTimersByTime(REFUSAL_DELAY_MS);
    expect(delay.size).toBe(0);
  });
});
