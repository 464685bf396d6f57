import { describe, expect, test } from 'vitest';
import { concat, hex, u64 } from '../../../tests/support/borsh-bytes.ts';
import { address } from '../../../tests/support/build-transaction.ts';
import { assertNeverInvents } from '../../../tests/support/decoder-laws.ts';
import {
  accountList,
  BASE_MINT,
  decodeDraft,
  payIn,
  payOut,
  vaultBalances,
} from '../../../tests/support/pool-transaction.ts';
import { goonfi, humidifi, obricV2, solfi, tessera, zerofi } from './unpublished-amms.ts';

const SWAPS = [
  {
    decoder: solfi,
    tag: '07',
    accounts: { 0: 'wallet', 1: 'pool', 2: 'base vault', 3: 'quote vault' },
  },
  {
    decoder: zerofi,
    tag: '06',
    accounts: { 0: 'pool', 2: 'base vault', 4: 'quote vault', 7: 'wallet' },
  },
  {
    decoder: obricV2,
    tag: 'f8c69e91e17587c8',
    accounts: { 0: 'pool', 3: 'base vault', 4: 'quote vault', 10: 'wallet' },
  },
  {
    decoder: humidifi,
    tag: 'ee',
    accounts: { 0: 'wallet', 1: 'pool', 2: 'base vault', 3: 'quote vault' },
  },
  {
    decoder: tessera,
    tag: '10',
    accounts: { 1: 'pool', 2: 'wallet', 3: 'base vault', 4: 'quote vault' },
  },
  {
    decoder: goonfi,
    tag: '02',
    accounts: { 0: 'wallet', 1: 'pool', 4: 'base vault', 5: 'quote vault' },
  },
];

describe.each(SWAPS)('a swap of $decoder.name', ({ decoder, tag, accounts }) => {
  test('is what its vaults moved, told for the pool that the instruction names', () => {
    const { events } = decodeDraft({
      instructions: [
        {
          program: decoder.programId,
          accounts: accountList(12, accounts),
          data: concat(hex(tag), u64(1n), u64(2n)),
          inner: [payIn('user sol', 'quote vault', 30n), payOut('base vault', 'user base', 40n)],
        },
      ],
      tokenBalances: vaultBalances({ base: [100n, 60n], quote: [100n, 130n] }),
    });
    expect(events).toMatchObject([
      {
        kind: 'swap',
        venue: decoder.name,
        pool: address('pool'),
        baseMint: BASE_MINT,
        trader: address('wallet'),
        side: 'buy',
        poolBaseDelta: -40n,
        poolQuoteDelta: 30n,
        legsOnly: true,
        quarantine: null,
      },
    ]);
  });

  test('is never invented and never throws', () => {
    const swap = { discriminator: tag, accounts: {} };
    const layout = {
      instructions: { swap },
      ignoredInstructions: {},
      events: {},
      ignoredEvents: {},
    };
    expect(() => assertNeverInvents(decoder, layout)).not.toThrow();
  });
});
