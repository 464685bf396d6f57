import { describe, expect, test } from 'vitest';
import type { Clock } from '../../src/lib/clock.ts';
import { SmallMarket } from '../../tests/support/small-market.ts';
import { PacedSource } from './paced-source.ts';

/** A clock that jumps to the end of each wait. */
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

const PAST_MS = 4_000;

interface SeenBlock {
  readonly slot: number;
  /** The clock's time, and how far the chain has advanced. */
  readonly clockMs: number;
  readonly chainMs: number;
}

/** Reads blocks; the reader takes `pastBlockMs` for each of the past. */
async function follow(blocks: number, pastBlockMs: number) {
  const market = new SmallMarket({ seed: 'paced', wallets: 4, ordersPerSlot: 1 });
  const clock = new JumpingClock();
  const [startMs, beganMs] = [market.world.nowMs, clock.timeMs];
  const stopping = new AbortController();
  const seen: SeenBlock[] = [];
  let past: number | null = null;
  const source = new PacedSource({
    chain: { world: market.world, step: () => market.step() },
    ...{ pastMs: PAST_MS, signal: stopping.signal, clock },
    onPresent: () => {
      past = seen.length;
    },
  });
  for await (const item of source) {
    if (item.kind !== 'block') throw new Error(item.kind);
    const chainMs = market.world.nowMs - startMs;
    seen.push({ slot: item.block.slot, clockMs: clock.timeMs - beganMs, chainMs });
    if (past === null) clock.timeMs += pastBlockMs;
    if (seen.length === blocks) stopping.abort();
  }
  return { past: seen.slice(0, past ?? 0), present: seen.slice(past ?? 0) };
}

describe('a live simulation', () => {
  test('emits its past immediately and then each block when its time has come', async () => {
    const { past, present } = await follow(30, 0);
    expect(past.length).toBeGreaterThan(5);
    expect(past.every(({ clockMs }) => clockMs === 0)).toBe(true);
    expect(past.at(-1)?.chainMs).toBeLessThan(PAST_MS + 700);
    expect(present.map(({ clockMs }) => clockMs)).toEqual(
      present.map(({ chainMs }) => chainMs - PAST_MS),
    );
    const slots = [...past, ...present].map(({ slot }) => slot);
    expect(slots).toEqual([...slots].sort((a, b) => a - b));
  });

  test('catches up with the clock if its past took long to emit', async () => {
    const { past, present } = await follow(60, 500);
    const lateMs = past.length * 500;
    expect(present[0]?.clockMs).toBe(lateMs);
    const onTime = present.filter(({ chainMs }) => chainMs - PAST_MS > lateMs);
    expect(onTime.length).toBeGreaterThan(10);
    for (const { clockMs, chainMs } of onTime) expect(clockMs).toBe(chainMs - PAST_MS);
  });
});
