import { expect, test } from 'vitest';
import { toChainBlock } from '../simulator/faces/to-chain-block.ts';
import { createSimulation } from '../simulator/simulation.ts';
import { PRESETS } from '../simulator/simulation-presets.ts';
import { decodeBlock } from '../src/decoders/decode-block.ts';
import { Engine } from '../src/engine/engine.ts';
import type { SlotFacts } from '../src/model/slot-facts.ts';
import { PoolSpread } from './spread-pools.ts';

const COPIES = 5;

test('spreads the trades of a market over more pools, each of which folds as any other', () => {
  const simulation = createSimulation({ ...PRESETS.busy, seed: 'spread', votesPerBlock: 0 });
  const spread = new PoolSpread(COPIES);
  const engine = new Engine({ fallbackSolUsd: null });
  const [plain, spreadPools] = [new Set<string>(), new Set<string>()];
  let [trades, spreadTrades] = [0, 0];
  const creations = new Set<string>();
  let priced = 0;
  for (let slots = 0; slots < 250; slots++) {
    const step = simulation.step();
    if (step?.isCanonical !== true) continue;
    const facts = decodeBlock(toChainBlock(step.block));
    const many = spread.spread(facts);
    for (const { pool } of swapsIn(facts)) plain.add(pool);
    for (const { pool } of swapsIn(many)) spreadPools.add(pool);
    trades += swapsIn(facts).length;
    spreadTrades += swapsIn(many).length;
    for (const { signature } of many.transactions) creations.add(signature);
    const { swaps, pools } = engine.apply(many);
    priced += swaps.filter(({ exclusion }) => exclusion === null).length;
    expect(pools.every(({ priceUsd }) => priceUsd === null || priceUsd > 0n)).toBe(true);
  }
  expect(creations.size).toBe(engine.counters.transactions);
  expect(spreadPools.size).toBeGreaterThan(3 * plain.size);
  // Only what comes with a creation is there more than once.
  expect(spreadTrades).toBeLessThan(2 * trades);
  expect(priced).toBeGreaterThan(0.8 * trades);
});

function swapsIn({ transactions }: SlotFacts) {
  return transactions.flatMap(({ events }) =>
    events.flatMap((event) => (event.kind === 'swap' ? [event] : [])),
  );
}
