import { expect, test } from 'vitest';
import { Engine } from '../../src/engine/engine.ts';
import type { SlotFacts } from '../../src/model/slot-facts.ts';
import { GrowingMarket } from './growing-market.ts';
import { FIRST_SLOT, MAINNET_MARKET } from './market-options.ts';
import { runMarket } from './measured-run.ts';
import type { StateSubject } from './state-subject.ts';

/** A subject that only notes the slots that it gets. */
function notingSubject(slots: number[]): StateSubject {
  return {
    engine: new Engine({ fallbackSolUsd: null }),
    loadedPages: null,
    apply: async ({ slot }: SlotFacts) => {
      slots.push(slot);
    },
  };
}

test('a run applies each slot once, in order, until the market has the swaps that are asked for', async () => {
  const market = new GrowingMarket({ ...MAINNET_MARKET, swapsPerSlot: 20 });
  const slots: number[] = [];
  const samples = await runMarket({
    market,
    subject: notingSubject(slots),
    stored: { store: () => undefined },
    swaps: 10_000,
    onProgress: () => undefined,
  });
  expect(market.counters.swaps).toBeGreaterThanOrEqual(10_000);
  expect(slots).toEqual(Array.from({ length: market.counters.slots }, (_, at) => FIRST_SLOT + at));
  // A piece of 16 slots has about 320 swaps, so that each twentieth of 10,000 gets its sample.
  expect(samples).toHaveLength(20);
  for (const [index, { swaps }] of samples.entries()) {
    expect(swaps).toBeGreaterThanOrEqual((10_000 * (index + 1)) / 20);
    expect(swaps).toBeLessThan((10_000 * (index + 2)) / 20);
  }
});
