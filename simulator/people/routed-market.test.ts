import { expect, test } from 'vitest';
import { decodeBlock } from '../../src/decoders/decode-block.ts';
import { PeopleMarket, SOL } from '../../tests/support/people-market.ts';
import { toChainBlock } from '../faces/to-chain-block.ts';
import { JUPITER_PROGRAM } from '../venues/jupiter-route.ts';

test('some people trade pools through the aggregator, but never curves, and decoders show which', () => {
  const market = new PeopleMarket('routed', { casual: 100 });
  market.planLaunch(100, 0.8, 100n * SOL);
  market.planLaunch(100, 0.8, 0n);
  market.run(300);
  const swaps = market.blocks
    .flatMap((block) => decodeBlock(toChainBlock(block)).transactions)
    .flatMap(({ events }) => events)
    .flatMap((event) => (event.kind === 'swap' ? [event] : []));
  const onPools = swaps.filter(({ venue }) => venue === 'pump_amm');
  const routed = onPools.filter(({ router }) => router === JUPITER_PROGRAM);
  expect(onPools.length).toBeGreaterThan(40);
  // Four in ten of the people; three standard deviations of a hundred are fifteen.
  expect(routed.length / onPools.length).toBeGreaterThan(0.2);
  expect(routed.length / onPools.length).toBeLessThan(0.6);
  for (const { router, venue } of swaps) if (venue === 'pump') expect(router).toBeNull();
  for (const { trader } of routed) {
    const label = trader === null ? undefined : market.world.truth.labels.wallets.get(trader);
    expect(label?.behaviour).toBe('casual');
  }
});
