import { describe, expect, test } from 'vitest';
import { assertNeverInvents } from '../../../tests/support/decoder-laws.ts';
import { PURCHASE } from '../../../tests/support/pool-legs.ts';
import { payOut } from '../../../tests/support/pool-transaction.ts';
import {
  BOUGHT,
  decodeWitness,
  describeSwapWitnesses,
  type SwapWitness,
} from '../../../tests/support/swap-witness.ts';
import { raydiumStable } from './raydium-stable.ts';

const SWAP_BASE_IN: SwapWitness = {
  venue: 'raydium_stable',
  program: '5quBtoiQqxF9Jv6KYKctB59NT3gtJD2Y65kdnB1Uev3h',
  source: 'the instruction that Raydium publishes for its stable pools',
  data: '0940420f000000000010cd0e0000000000',
  accountCount: 18,
  accounts: {
    ...{ 1: 'pool', 4: 'quote vault', 5: 'base vault', 6: 'model data' },
    ...{ 12: 'market sol', 13: 'market base', 15: 'user sol', 16: 'user base', 17: 'wallet' },
  },
};
const SWAP_BASE_OUT: SwapWitness = {
  ...SWAP_BASE_IN,
  source: `${SWAP_BASE_IN.source}, by what it pays out`,
  data: '0b40420f000000000010cd0e0000000000',
};

describeSwapWitnesses([SWAP_BASE_IN, SWAP_BASE_OUT]);

describe('a swap of a stable Raydium pool', () => {
  test('leaves out what the pool fetched from its market orders', () => {
    const fetched = payOut('market base', 'base vault', 9n);
    const legs = [fetched, ...PURCHASE.legs];
    const { events } = decodeWitness(SWAP_BASE_IN, legs, {
      base: [100n, 69n],
      quote: [100n, 130n],
    });
    expect(events).toMatchObject([BOUGHT]);
  });

  test('is never invented', () => {
    const instructions = {
      swap_base_in: { discriminator: '09', accounts: {} },
      swap_base_out: { discriminator: '0b', accounts: {} },
    };
    expect(() => assertNeverInvents(raydiumStable, { instructions, events: {} })).not.toThrow();
  });
});
