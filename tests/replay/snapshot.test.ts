import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createRecordedSource } from '../../src/chain/recorded/recorded-source.ts';
import { decodeBlock } from '../../src/decoders/decode-block.ts';
import { Engine } from '../../src/engine/engine.ts';
import type { SlotFacts } from '../../src/model/slot-facts.ts';
import type { PriceE18 } from '../../src/model/units.ts';
import { copiedChunks } from '../support/copied-chunks.ts';
import { simulatedSlots } from '../support/simulated-slots.ts';
import { firstDifference, stateImage } from '../support/state-image.ts';
import { hasTestData, testData } from '../support/test-data.ts';

const options = { fallbackSolUsd: (150n * 10n ** 18n) as PriceE18 };
const differenceOf = (one: Engine, other: Engine) =>
  firstDifference(stateImage(one), stateImage(other));

async function recordedSlots(): Promise<SlotFacts[]> {
  const slots: SlotFacts[] = [];
  for await (const item of createRecordedSource([resolve(testData, 'chain')])) {
    if (item.kind === 'block') slots.push(decodeBlock(item.block));
  }
  return slots;
}

/**
 * Folds all slots in one engine, and in one that is restored from a snapshot every `every` slots.
 */
function foldRestoring(slots: readonly SlotFacts[], every: number): Engine {
  const calm = new Engine(options);
  let restarting = new Engine(options);
  for (const [index, facts] of slots.entries()) {
    if (index % every === every - 1) {
      restarting = new Engine(options, copiedChunks(restarting.writeState()));
      expect(differenceOf(restarting, calm)).toBeNull();
      expect(restarting.digest()).toBe(calm.digest());
    }
    expect(restarting.apply(facts)).toEqual(calm.apply(facts));
  }
  expect(differenceOf(restarting, calm)).toBeNull();
  expect(restarting.digest()).toBe(calm.digest());
  return calm;
}

describe('an engine that is restored repeatedly', () => {
  test('processes a simulated market like one that never stopped', () => {
    const { counters, stateSize } = foldRestoring(simulatedSlots('snapshot', 300), 20);
    const { swap, launch } = counters.events;
    process.stdout.write(`simulated: ${JSON.stringify({ swap, launch, ...stateSize })}\n`);
    expect(swap).toBeGreaterThan(500);
    expect(launch).toBeGreaterThanOrEqual(10);
  }, 120_000);

  test('after one restart gives the same changes for a hundred slots as one that never stopped', () => {
    const slots = simulatedSlots('hundred', 260);
    foldRestoring(slots, slots.length - 100);
  }, 60_000);

  test.skipIf(!hasTestData)(
    'processes recorded mainnet data like one that never stopped',
    async () => {
      const slots = await recordedSlots();
      const { counters } = foldRestoring(slots, Math.ceil(slots.length / 6));
      const { swap } = counters.events;
      process.stdout.write(`recorded: ${JSON.stringify({ slots: slots.length, swap })}\n`);
      expect(swap).toBeGreaterThan(200);
    },
    120_000,
  );
});

if (!hasTestData) {
  process.stdout.write(`SKIPPED snapshots of recorded data: ${testData} is absent\n`);
}
