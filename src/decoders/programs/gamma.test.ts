import { expect, test } from 'vitest';
import { assertNeverInvents } from '../../../tests/support/decoder-laws.ts';
import { describeSwapWitnesses, type SwapWitness } from '../../../tests/support/swap-witness.ts';
import { gamma } from './gamma.ts';

const TAGS = {
  swap_base_input: '8fbe5adac41e33de',
  swap_base_output: '37d96256a34ab4ad',
  oracle_based_swap_base_input: 'ef52c0bba01adfdf',
};

describeSwapWitnesses(
  Object.entries(TAGS).map(
    ([name, tag]): SwapWitness => ({
      venue: 'gamma',
      program: 'GAMMA7meSFWaBXF25oSUgmGRwaW6sCMFLmBNiMSdbHVT',
      source: `the published source, ${name}`,
      data: `${tag}64000000000000000000000000000000`,
      accountCount: 13,
      accounts: {
        ...{ 0: 'wallet', 3: 'pool', 4: 'user sol', 5: 'user base' },
        ...{ 6: 'quote vault', 7: 'base vault' },
      },
    }),
  ),
);

test('a GAMMA swap is never invented', () => {
  const instructions = Object.fromEntries(
    Object.entries(TAGS).map(([name, discriminator]) => [name, { discriminator, accounts: {} }]),
  );
  expect(() => assertNeverInvents(gamma, { instructions, events: {} })).not.toThrow();
});
