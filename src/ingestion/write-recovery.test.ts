import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { StoreError } from '../model/errors.ts';
import { type WriteFailure, WriteRecovery } from './write-recovery.ts';

const FULL = new StoreError('The disk is full.', { isTransient: true });

/** Work that fails a number of times, and a recovery whose hooks are recorded. */
function recovering(failures: number) {
  const began: WriteFailure[] = [];
  const over: [attempts: number, durationMs: number][] = [];
  const stopping = new AbortController();
  let changes = 0;
  const recovery = new WriteRecovery(Date.now, () => changes++);
  recovery.enable({
    signal: stopping.signal,
    onFailing: (failure) => began.push(failure),
    onRecovered: ({ attempts }, durationMs) => over.push([attempts, durationMs]),
  });
  let calls = 0;
  const work = async () => {
    calls++;
    if (calls <= failures) throw FULL;
    return calls;
  };
  return { recovery, work, began, over, stopping, changes: () => changes, calls: () => calls };
}

describe('a write that fails temporarily', () => {
  beforeEach(() => {
    vi.useFakeTimers({ now: 1_700_000_000_000 });
  });

  afterEach(() => {
    vi.useRealTimers();
  });

  test('is retried until it succeeds, at least every two seconds, and reported once', async () => {
    const { recovery, work, began, over, calls, changes } = recovering(40);
    const done = recovery.run(work);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(recovery.failure).toMatchObject({
      sinceMs: 1_700_000_000_000,
      reason: 'The disk is full.',
      attempts: calls(),
    });
    expect(calls()).toBeGreaterThanOrEqual(30);
    await vi.advanceTimersByTimeAsync(20_000);
    expect(await done).toBe(41);
    expect(recovery.failure).toBeNull();
    expect([began.length, over.length, changes()]).toEqual([1, 1, 2]);
    expect(over[0]?.[0]).toBe(40);
    expect(recovery.failedAttempts).toBe(40);
  });

  test('ends the failure when the last of several operations succeeds', async () => {
    const { recovery, over } = recovering(0);
    let isFull = true;
    const work = async () => {
      if (isFull) throw FULL;
    };
    const both = Promise.all([recovery.run(work), recovery.run(work)]);
    await vi.advanceTimersByTimeAsync(5_000);
    isFull = false;
    await vi.advanceTimersByTimeAsync(2_000);
    await both;
    expect(over).toHaveLength(1);
  });

  test('does not end the failure while another operation still fails', async () => {
    const { recovery, over, changes } = recovering(0);
    const full = new Set(['one', 'two']);
    const work = (name: string) => async () => {
      if (full.has(name)) throw FULL;
    };
    const one = recovery.run(work('one'));
    const two = recovery.run(work('two'));
    await vi.advanceTimersByTimeAsync(1_000);
    full.delete('one');
    await vi.advanceTimersByTimeAsync(5_000);
    await one;
    expect([over.length, changes()]).toEqual([0, 1]);
    expect(recovery.failure?.sinceMs).toBe(1_700_000_000_000);
    full.delete('two');
    await vi.advanceTimersByTimeAsync(5_000);
    await two;
    expect([over.length, changes(), recovery.failure]).toEqual([1, 2, null]);
  });

  test('is thrown when the process stops, and not reported as recovered', async () => {
    const { recovery, work, over, stopping } = recovering(Number.POSITIVE_INFINITY);
    const done = expect(recovery.run(work)).rejects.toBe(FULL);
    await vi.advanceTimersByTimeAsync(1_000);
    stopping.abort();
    await done;
    expect(over).toEqual([]);
  });

  test('is not retried unless enabled, nor if it is permanent', async () => {
    const idle = new WriteRecovery(Date.now, () => undefined);
    await expect(idle.run(() => Promise.reject(FULL))).rejects.toBe(FULL);
    const { recovery, began } = recovering(0);
    const lost = new StoreError('Another process writes.');
    let refusal: unknown = null;
    recovery
      .run(() => Promise.reject(lost))
      .catch((error: unknown) => {
        refusal = error;
      });
    await vi.advanceTimersByTimeAsync(0);
    expect([refusal, began]).toEqual([lost, []]);
  });

  test('ends with a later permanent error, and is not reported as recovered', async () => {
    const { recovery, over } = recovering(0);
    const lost = new StoreError('Another process writes.');
    let calls = 0;
    const work = () => Promise.reject(calls++ === 0 ? FULL : lost);
    const done = expect(recovery.run(work)).rejects.toBe(lost);
    await vi.advanceTimersByTimeAsync(1_000);
    await done;
    expect(over).toEqual([]);
  });
});
