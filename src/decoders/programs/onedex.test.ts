import { describe, expect, test } from 'vitest';
import { assertNeverInvents } from '../../../tests/support/decoder-laws.ts';
import { payIn, payOut } from '../../../tests/support/pool-transaction.ts';
import {
  BOUGHT,
  decodeWitness,
  describeSwapWitnesses,
  type SwapWitness,
} from '../../../tests/support/swap-witness.ts';
import { onedex } from './onedex.ts';

const SWAP: SwapWitness = {
  venue: 'onedex',
  program: 'DEXYosS6oEGvk8uCDayvwEZz4qEyDJRf9nFgYCaqPMTm',
  source:
    '3hbMRnMKwZQKENkyrfnaazuyrxqiyf94AKBUQstbDoPDsv9FaAsXGUkpPD1sSZxrwfuF1d9hwWngGtDuZMWMP9Tr',
  data: '0897f54caccb9027cbba0100000000000000000000000000',
  accountCount: 11,
  accounts: {
    ...{ 1: 'pool', 3: 'quote vault', 4: 'base vault', 5: 'wallet', 6: 'user sol' },
    ...{ 7: 'user base', 8: 'fee sol', 9: 'referrer sol' },
  },
};

describeSwapWitnesses([SWAP]);

describe('a 1DEX swap', () => {
  test('keeps in its vault the rest of the payment after both fees', () => {
    const legs = [
      payIn('user sol', 'quote vault', 30n),
      payOut('quote vault', 'fee sol', 1n),
      payOut('quote vault', 'referrer sol', 1n),
      payOut('base vault', 'user base', 40n),
    ];
    const { events } = decodeWitness(SWAP, legs, { base: [100n, 60n], quote: [100n, 128n] });
    expect(events).toMatchObject([{ ...BOUGHT, poolQuoteDelta: 28n }]);
  });

  test('is never invented', () => {
    const swap = { discriminator: '0897f54caccb9027', accounts: {} };
    expect(() => assertNeverInvents(onedex, { instructions: { swap }, events: {} })).not.toThrow();
  });
});
