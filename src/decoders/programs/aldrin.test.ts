import { describe, expect, test } from 'vitest';
import { assertNeverInvents } from '../../../tests/support/decoder-laws.ts';
import { PURCHASE } from '../../../tests/support/pool-legs.ts';
import { BASE_MINT } from '../../../tests/support/pool-transaction.ts';
import {
  BOUGHT,
  decodeWitness,
  describeSwapWitnesses,
  type SwapWitness,
} from '../../../tests/support/swap-witness.ts';
import { mintTo } from '../../../tests/support/token-instructions.ts';
import { aldrinV1, aldrinV2 } from './aldrin.ts';

const V1: SwapWitness = {
  venue: 'aldrin_v1',
  program: 'AMM55ShdkoGRB5jVYPjWziwk8m5MpwyDgsMWHaMSQWH6',
  source: 'the adapter of a published router: amount, minimum and side behind the tag',
  data: 'f8c69e91e17587c86400000000000000630000000000000001',
  accountCount: 10,
  accounts: {
    ...{ 0: 'pool', 2: 'lp mint', 3: 'base vault', 4: 'quote vault', 5: 'fee lp', 6: 'wallet' },
    ...{ 7: 'user base', 8: 'user sol' },
  },
};
const V2: SwapWitness = {
  ...V1,
  venue: 'aldrin_v2',
  program: 'CURVGoZn8zycx6FXwwevgBTB2gVvdbGTEpvMJDbgs2t4',
  source: `${V1.source}, and the curve behind the accounts`,
  accountCount: 11,
};

describeSwapWitnesses([V1, V2]);

describe('an Aldrin swap', () => {
  test('pays its fee in pool tokens, which are not a leg', () => {
    const fee = mintTo(BASE_MINT, 'fee lp', 5n);
    expect(decodeWitness(V1, [...PURCHASE.legs, fee]).events).toMatchObject([BOUGHT]);
  });

  test.each([aldrinV1, aldrinV2])('of $name is never invented', (decoder) => {
    const swap = { discriminator: 'f8c69e91e17587c8', accounts: {} };
    expect(() => assertNeverInvents(decoder, { instructions: { swap }, events: {} })).not.toThrow();
  });
});
