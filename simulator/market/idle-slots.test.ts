import { describe, expect, test } from 'vitest';
import type { SimulatedBlock } from '../chain/simulated-transaction.ts';
import { createSimulation } from '../simulation.ts';
import { PRESETS } from '../simulation-presets.ts';

const HOURS = 12;

function blocksOf(seed: string): SimulatedBlock[] {
  const config = { ...PRESETS.month, seed, launchesPerHour: 2 };
  const simulation = createSimulation(config);
  const blocks: SimulatedBlock[] = [];
  while (simulation.world.nowMs < config.startMs + HOURS * 3_600_000) {
    const step = simulation.step();
    if (step !== null) blocks.push(step.block);
  }
  return blocks;
}

describe('a market without idle slots', () => {
  const blocks = blocksOf('idle');

  test('produces no empty blocks, except few with failed bundles that left no trace', () => {
    const empty = blocks.filter(({ transactions }) => transactions.length === 0);
    expect(blocks.length).toBeGreaterThan(500);
    expect(empty.length / blocks.length).toBeLessThan(0.01);
  });

  test('links each block to the previous one', () => {
    for (const [index, { parentSlot, previousBlockhash }] of blocks.entries()) {
      const before = blocks[index - 1];
      if (before === undefined) continue;
      expect([parentSlot, previousBlockhash]).toEqual([before.slot, before.blockhash]);
    }
  });

  test('numbers slots as time passes: 400 ms each, within a per cent over half a day', () => {
    const [first, last] = [blocks[0], blocks.at(-1)];
    if (first === undefined || last === undefined) throw new Error('no blocks');
    const seconds = last.blockTime - first.blockTime;
    expect((last.slot - first.slot) / (seconds / 0.4)).toBeCloseTo(1, 2);
  });

  test('is the same for the same seed', () => {
    expect(blocksOf('idle').at(-1)?.blockhash).toBe(blocks.at(-1)?.blockhash);
  });
});
