import { describe, expect, test } from 'vitest';
import { SmallMarket } from '../../tests/support/small-market.ts';
import type { Clock } from './node/clock.ts';
import { PacedSource } from './paced-source.ts';

/** A clock that jumps to whatever time it is asked to wait for. */
class JumpingClock implements Clock {
  timeMs = 5_000;
  readonly waits: number[] = [];

  nowMs(): number {
    return this.timeMs;
  }

  async sleep(ms: number): Promise<void> {
    this.waits.push(ms);
    this.timeMs += Math.max(ms, 0);
    await Promise.resolve();
  }
}

describe('a simulation that lives', () => {
  test('tells its past at once and then each block when its time has come', async () => {
    const market = new SmallMarket({ seed: 'paced', wallets: 4, ordersPerSlot: 1 });
    const clock = new JumpingClock();
    const stopping = new AbortController();
    const startMs = market.world.nowMs;
    let presentAfter: number | null = null;
    const source = new PacedSource({
      chain: { world: market.world, step: () => market.step() },
      pastMs: 4_000,
      signal: stopping.signal,
      clock,
      onPresent: () => {
        presentAfter = source.summary.blocks;
      },
    });
    const seenAtMs: number[] = [];
    const slots: number[] = [];
    for await (const item of source) {
      if (item.kind !== 'block') throw new Error(item.kind);
      seenAtMs.push(clock.timeMs);
      slots.push(item.block.slot);
      if (slots.length === 30) stopping.abort();
    }
    const past = presentAfter ?? 0;
    expect(past).toBeGreaterThan(5);
    expect(past).toBeLessThan(13);
    expect(new Set(seenAtMs.slice(0, past))).toEqual(new Set([5_000]));
    expect(clock.timeMs - 5_000).toBe(market.world.nowMs - startMs - pastOf(market.world.nowMs));
    expect(slots).toEqual([...slots].sort((a, b) => a - b));

    function pastOf(nowMs: number): number {
      const waited = clock.waits.filter((ms) => ms > 0).reduce((sum, ms) => sum + ms, 0);
      return nowMs - startMs - waited;
    }
  });
});
