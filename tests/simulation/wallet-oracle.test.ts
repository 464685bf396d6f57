/**
 * Small simulated markets, through raw blocks and decoders, with attacks, look-alikes, fees on
 * transfers, terminals, sandwiches and routes: what the engine says of wallets and pools at their end
 * and in between is what a recount from the list of all slots gives.
 */
import { describe, expect, test } from 'vitest';
import { toChainBlock } from '../../simulator/faces/to-chain-block.ts';
import { createSimulation } from '../../simulator/simulation.ts';
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
const RUNS = Number(process.env['MINTSCOPE_WALLET_RUNS'] ?? 2);
const SLOTS = 450;
const READ_EVERY = 150;

describe('after a simulated run', () => {
  for (let run = 0; run < RUNS; run++) {
    test(`every figure and wallet is as recounted, with seed ${run}`, () => {
      const simulation = createSimulation({
        ...eventfulMarket(`wallets ${run}`),
        votesPerBlock: 0,
      });
      const engine = new Engine({ fallbackSolUsd: null });
      const naive = new NaiveWallets();
      const pools = new Set<Address>();
      for (let passed = 1; passed <= SLOTS; passed++) {
        const step = simulation.step();
        if (step?.isCanonical === true) {
          const facts = decodeBlock(toChainBlock(step.block));
          const { changes } = foldBoth(engine, naive, facts);
          for (const { pool } of changes.pools) pools.add(pool);
        }
        if (passed % READ_EVERY !== 0) continue;
        expect(walletDifferences(engine, naive)).toEqual([]);
        expect(figureDifferences(engine, naive, pools)).toEqual([]);
      }
      expect(naive.profiles.size).toBeGreaterThan(50);
      const balances = balanceDifferences(engine, naive, pools);
      expect(balances.differences).toEqual([]);
      expect(balances.compared).toBeGreaterThan(100);
    }, 300_000);
  }
});
