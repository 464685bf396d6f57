import { describe, expect, test } from 'vitest';
import { SharedResult } from './shared-result.ts';

function counted(keptMs: number) {
  const state = { nowMs: 0, made: 0, failure: null as Error | null };
  const make = async () => {
    state.made++;
    await Promise.resolve();
    if (state.failure !== null) throw state.failure;
    return state.made;
  };
  return { state, shared: new SharedResult(make, keptMs, () => state.nowMs) };
}

describe('a shared result', () => {
  test('is computed once for all concurrent callers', async () => {
    const { state, shared } = counted(0);
    expect(await Promise.all([shared.get(), shared.get(), shared.get()])).toEqual([1, 1, 1]);
    expect(await shared.get()).toBe(2);
    expect(state.made).toBe(2);
  });

  test('is kept for the given time and no longer', async () => {
    const { state, shared } = counted(250);
    expect(await shared.get()).toBe(1);
    state.nowMs = 249;
    expect(await shared.get()).toBe(1);
    state.nowMs = 250;
    expect(await shared.get()).toBe(2);
  });

  test('is not kept after a failure, which every caller receives', async () => {
    const { state, shared } = counted(250);
    state.failure = new Error('no disk');
    const results = await Promise.allSettled([shared.get(), shared.get()]);
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(state.made).toBe(1);
    state.failure = null;
    expect(await shared.get()).toBe(2);
  });
});
