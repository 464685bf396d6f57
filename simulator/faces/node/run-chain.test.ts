import { describe, expect, it } from 'vitest';
import { runChain } from './run-chain.ts';

/** A chain of slots of 400 ms, and a clock that jumps to the end of each wait. */
function scene(pace: number, slots: number, slowAt = -1) {
  const stop = new AbortController();
  const shown: number[] = [];
  let nowMs = 5_000;
  const chain = {
    chainTimeMs: 1_000_000,
    advance() {
      this.chainTimeMs += 400;
      shown.push(nowMs - 5_000);
      if (shown.length === slowAt) nowMs += 3_000;
      if (shown.length === slots) stop.abort();
    },
  };
  const clock = {
    nowMs: () => nowMs,
    sleep: async (ms: number) => {
      nowMs += Math.max(0, ms);
    },
  };
  return { shown, run: runChain(chain, pace, stop.signal, clock) };
}

describe('the pace of the chain', () => {
  it('shows a slot of 400 ms every 400 ms at 1, every 40 ms at 10', async () => {
    const real = scene(1, 4);
    await real.run;
    expect(real.shown).toEqual([0, 400, 800, 1_200]);
    const fast = scene(10, 4);
    await fast.run;
    expect(fast.shown).toEqual([0, 40, 80, 120]);
  });

  it('never waits at Infinity', async () => {
    const { shown, run } = scene(Number.POSITIVE_INFINITY, 5);
    await run;
    expect(shown).toEqual([0, 0, 0, 0, 0]);
  });

  it('catches up after a long delay', async () => {
    const { shown, run } = scene(1, 12, 2);
    await run;
    expect(shown).toEqual([
      0, 400, 3_400, 3_400, 3_400, 3_400, 3_400, 3_400, 3_400, 3_600, 4_000, 4_400,
    ]);
  });
});
