import { expect, test } from 'vitest';
import { assertNeverInvents } from '../../../tests/support/decoder-laws.ts';
import {
  decodeWitness,
  describeSwapWitnesses,
  type SwapWitness,
} from '../../../tests/support/swap-witness.ts';
import { futarchy } from './futarchy.ts';

const SPOT_SWAP: SwapWitness = {
  venue: 'futarchy',
  program: 'FUTARELBfJfQ8RDGhg1wdhddq1odMAJUePHFuBYfUxKq',
  source: 'the spot swap of a public client',
  data: 'a7610ce7ed4ea6fb6400000000000000000000000000000000',
  accountCount: 9,
  accounts: {
    ...{ 0: 'pool', 1: 'user base', 2: 'user sol', 3: 'base vault', 4: 'quote vault' },
    ...{ 5: 'wallet' },
  },
};

describeSwapWitnesses([SPOT_SWAP]);

test('another instruction of a futarchy that moves tokens is unknown', () => {
  const { problems } = decodeWitness({ ...SPOT_SWAP, data: 'ff'.repeat(8) });
  expect(problems).toMatchObject([{ problem: 'unknown' }]);
});

test('a futarchy swap is never invented', () => {
  const spot_swap = { discriminator: 'a7610ce7ed4ea6fb', accounts: {} };
  const layout = { instructions: { spot_swap }, events: {} };
  expect(() => assertNeverInvents(futarchy, layout)).not.toThrow();
});
