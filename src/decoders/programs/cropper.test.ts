import { describe, expect, test } from 'vitest';
import { address } from '../../../tests/support/build-transaction.ts';
import { assertNeverInvents, describeDecoderLaws } from '../../../tests/support/decoder-laws.ts';
import { DEPOSIT, WITHDRAWAL } from '../../../tests/support/pool-legs.ts';
import {
  decodeWitness,
  describeSwapWitnesses,
  type SwapWitness,
} from '../../../tests/support/swap-witness.ts';
import { whirlpoolLayout } from '../families/whirlpool-layout.ts';
import { cropper, cropperClmm } from './cropper.ts';

const TOKEN_SWAP: SwapWitness = {
  venue: 'cropper',
  program: 'CTMAxxk34HjKWxQ3QLZK1HpaLXmBveao3ESePXbiyfzh',
  source: 'the order of its accounts at a public aggregator, of which the first is certain',
  data: '0164000000000000006300000000000000',
  accountCount: 11,
  accounts: { 0: 'pool' },
};

describeSwapWitnesses([
  {
    venue: 'cropper_clmm',
    program: 'H8W3ctz92svYg6mkn1UtGfu2aQr2fnUFHM1RhScEtQDt',
    source: 'the swap of the Whirlpool program, which it deploys again',
    data: `f8c69e91e17587c8${'00'.repeat(34)}`,
    accountCount: 11,
    accounts: {
      ...{ 1: 'wallet', 2: 'pool', 3: 'user base', 4: 'base vault', 5: 'user sol' },
      ...{ 6: 'quote vault' },
    },
  },
]);

describeDecoderLaws('the decoder of Cropper’s Whirlpools', cropperClmm, whirlpoolLayout);

describe('a Cropper token swap', () => {
  test('is recognised by crossing transfers; the first account is the pool', () => {
    expect(decodeWitness(TOKEN_SWAP).events).toMatchObject([
      {
        kind: 'swap',
        venue: 'cropper',
        pool: address('pool'),
        poolBaseDelta: -40n,
        poolQuoteDelta: 30n,
      },
    ]);
  });

  test('is not read from a deposit or a withdrawal', () => {
    for (const legs of [DEPOSIT.legs, WITHDRAWAL.legs]) {
      const { events, problems } = decodeWitness({ ...TOKEN_SWAP, data: '02' }, legs);
      expect(events).toEqual([]);
      expect(problems).toMatchObject([{ problem: 'unknown' }]);
    }
  });

  test('is never invented', () => {
    const swap = { discriminator: '01', accounts: {} };
    expect(() => assertNeverInvents(cropper, { instructions: { swap }, events: {} })).not.toThrow();
  });
});
