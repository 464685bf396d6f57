import { describe, expect, test } from 'vitest';
import type { SlotFacts } from '../../src/model/slot-facts.ts';
import { assertCold, assertManyEnough, swapsToAge } from './cold-swaps.ts';
import { GrowingMarket } from './growing-market.ts';
import { COLD_MINTS_MARKET, FIRST_SLOT, MAINNET_MARKET, SLOTS_PER_HOUR } from './market-options.ts';
import { measuredPartOf } from './measured-part.ts';
import type { RunSample } from './measured-run.ts';

/** A market takes some seconds to age, and more where much else runs. */
const WITHIN_MS = 120_000;

/** Counts swaps on mints without a trade for an hour from what a market publishes. */
class ColdCounter {
  swaps = 0;
  coldSwaps = 0;
  private readonly lastSlots = new Map<string, number>();

  add({ slot, transactions }: SlotFacts): void {
    for (const event of transactions.flatMap(({ events }) => events)) {
      if (event.kind === 'launch') this.lastSlots.set(event.mint, slot);
      else if (event.kind === 'liquidity') this.lastSlots.set(event.baseMint, slot);
      else if (event.kind === 'swap') this.addSwap(event.baseMint, slot);
    }
  }

  private addSwap(mint: string, slot: number): void {
    this.swaps++;
    if (slot - (this.lastSlots.get(mint) ?? FIRST_SLOT) > SLOTS_PER_HOUR) this.coldSwaps++;
    this.lastSlots.set(mint, slot);
  }
}

test(
  'the market of cold mints has no cold swap in its first hour, and half of them once it is old',
  () => {
    const market = new GrowingMarket(COLD_MINTS_MARKET);
    const counter = new ColdCounter();
    const { firstCold, aged } = swapsToAge(COLD_MINTS_MARKET);
    while (market.counters.slots <= SLOTS_PER_HOUR) counter.add(market.next());
    expect(counter.coldSwaps).toBe(0);
    expect(Math.abs(counter.swaps - firstCold)).toBeLessThan(firstCold / 50);
    while (market.counters.swaps < aged) counter.add(market.next());
    const [swaps, coldSwaps] = [counter.swaps, counter.coldSwaps];
    while (market.counters.swaps < aged + 10_000) counter.add(market.next());
    const share = (counter.coldSwaps - coldSwaps) / (counter.swaps - swaps);
    expect(share).toBeGreaterThan(0.47);
    expect(share).toBeLessThan(0.53);
    expect(market.counters).toMatchObject({
      swaps: counter.swaps,
      coldSwaps: counter.coldSwaps,
    });
  },
  WITHIN_MS,
);

function sampleOf(figures: Partial<RunSample>): RunSample {
  return {
    swaps: 0,
    launches: 0,
    wallets: 0,
    swapsPerSecond: 100,
    swapsPerProcessorSecond: 200,
    appliedSwaps: 100,
    coldSwaps: 0,
    loadedPages: 0,
    residentMiB: 0,
    anonymousMiB: 0,
    ...figures,
  };
}

describe('the measured part of a run', () => {
  const samples = [
    sampleOf({ swapsPerSecond: 900 }),
    sampleOf({ swapsPerSecond: 50, coldSwaps: 60, loadedPages: 30 }),
    sampleOf({ appliedSwaps: 300, coldSwaps: 140, loadedPages: 10, swapsPerProcessorSecond: 100 }),
  ];

  test('is the last half where mints have to become cold first', () => {
    expect(measuredPartOf(samples, COLD_MINTS_MARKET)).toEqual({
      swaps: 400,
      // 100 swaps in two seconds, 300 in three.
      swapsPerSecond: 80,
      // 100 swaps in half a second, 300 in three.
      swapsPerProcessorSecond: 400 / 3.5,
      coldShare: 0.5,
      loadedPagesPerSwap: 0.1,
    });
  });

  test('is the last sample else, without what is not known', () => {
    const unknown = [...samples.slice(0, 2), sampleOf({ loadedPages: null })];
    expect(measuredPartOf(unknown, MAINNET_MARKET)).toMatchObject({
      swaps: 100,
      swapsPerSecond: 100,
      loadedPagesPerSwap: null,
    });
    expect(measuredPartOf([], MAINNET_MARKET)).toBeNull();
  });
});

test('a run of cold mints without a cold swap is refused with the number of swaps that it needs', () => {
  const needed = /none in the first 18,000, .* with --swaps 180000$/;
  const part = measuredPartOf([sampleOf({})], COLD_MINTS_MARKET);
  expect(() => assertManyEnough(COLD_MINTS_MARKET, 18_000)).toThrow(needed);
  expect(() => assertManyEnough(COLD_MINTS_MARKET, 18_001)).not.toThrow();
  expect(() => assertCold(COLD_MINTS_MARKET, part)).toThrow(needed);
  expect(() => assertCold(COLD_MINTS_MARKET, part && { ...part, coldShare: 0.1 })).not.toThrow();
  expect(() => assertManyEnough(MAINNET_MARKET, 1)).not.toThrow();
  expect(() => assertCold(MAINNET_MARKET, part)).not.toThrow();
});
