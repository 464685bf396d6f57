/**
 * Small simulated markets, through raw blocks and decoders, with attacks, look-alikes, transfer
 * fees, terminals, sandwiches and routes: the engine's figures of wallets and pools at their end
 * and in between equal a recount from the list of all slots.
 */
import { describe, expect, test } from 'vitest';
import { toChainBlock } from '../../simulator/faces/to-chain-block.ts';
import { createSimulation, type Simulation } from '../../simulator/simulation.ts';
import { decodeBlock } from '../../src/decoders/decode-block.ts';
import { Engine } from '../../src/engine/engine.ts';
import type { Address } from '../../src/model/units.ts';
import { eventfulMarket } from '../support/eventful-market.ts';
import { NaiveWallets } from '../support/naive-wallets.ts';
import {
  balanceDifferences,
  figureDifferences,
  foldBoth,
  walletDifferences,
} from '../support/wallet-differences.ts';

/** All 50 are run on demand: each takes seconds. */
const RUNS = Number(process.env.MINTSCOPE_TEST_WALLET_RUNS ?? 1);
const READINGS = 3;
/** In slots. */
const READ_EVERY = 150;

/**
 * Advances slots and applies the canonical ones to engine and oracle. Returns the observed pools.
 */
function pass(simulation: Simulation, engine: Engine, naive: NaiveWallets): Address[] {
  const pools: Address[] = [];
  for (let passed = 0; passed < READ_EVERY; passed++) {
    const step = simulation.step();
    if (step?.isCanonical !== true) continue;
    const { changes } = foldBoth(engine, naive, decodeBlock(toChainBlock(step.block)));
    pools.push(...changes.pools.map(({ pool }) => pool));
  }
  return pools;
}

describe('after a simulated run', () => {
  const seeds = Array.from({ length: RUNS }, (_, seed) => seed);
  test.each(seeds)(
    'every figure and wallet equals the recount, with seed %d',
    (seed) => {
      const config = { ...eventfulMarket(`wallets ${seed}`), votesPerBlock: 0 };
      const simulation = createSimulation(config);
      const engine = new Engine({ fallbackSolUsd: null });
      const naive = new NaiveWallets();
      const pools = new Set<Address>();
      for (let reading = 0; reading < READINGS; reading++) {
        for (const pool of pass(simulation, engine, naive)) pools.add(pool);
        expect(walletDifferences(engine, naive)).toEqual([]);
        expect(figureDifferences(engine, naive, pools)).toEqual([]);
      }
      expect(naive.profiles.size).toBeGreaterThan(50);
      const balances = balanceDifferences(engine, naive, pools);
      expect(balances.differences).toEqual([]);
      expect(balances.compared).toBeGreaterThan(100);
    },
    300_000,
  );
});
