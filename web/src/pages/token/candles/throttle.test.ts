import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { throttle } from './throttle.ts';

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

test('calls at once, and the last call of a burst is not lost', () => {
  const act = vi.fn();
  const { call } = throttle(100, act);
  call();
  expect(act).toHaveBeenCalledTimes(1);
  call();
  call();
  expect(act).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(100);
  expect(act).toHaveBeenCalledTimes(2);
  vi.advanceTimersByTime(1_000);
  expect(act).toHaveBeenCalledTimes(2);
});

test('calls nothing after its end', () => {
  const act = vi.fn();
  const { call, end } = throttle(100, act);
  call();
  call();
  end();
  vi.advanceTimersByTime(1_000);
  expect(act).toHaveBeenCalledTimes(1);
});
