import { describe, expect, test } from 'vitest';
import { address } from '../../../tests/support/build-transaction.ts';
import { describeDecoderLaws } from '../../../tests/support/decoder-laws.ts';
import { addedTo, soldTo } from '../../../tests/support/pool-events.ts';
import { SALE } from '../../../tests/support/pool-legs.ts';
import { decoderOnPool } from '../../../tests/support/pool-program.ts';
import {
  accountList,
  BASE_MINT,
  payIn,
  payOut,
  type VaultChanges,
} from '../../../tests/support/pool-transaction.ts';
import { WRAPPED_SOL } from '../../model/program.ts';
import { invariant, invariantLayout } from './invariant.ts';

const decode = decoderOnPool(invariant);

const { swap, create_position, remove_position } = invariantLayout.instructions;

describe('a swap on Invariant', () => {
  const first = { 1: 'pool', 3: 'user base', 4: 'user sol', 5: 'base vault', 6: 'quote vault' };
  const later = { 1: 'pool', 5: 'user base', 6: 'user sol', 7: 'base vault', 8: 'quote vault' };

  test.each([
    ['the first form', accountList(10, { ...first, 7: 'wallet' })],
    ['the first form followed by ticks', accountList(16, { ...first, 7: 'wallet' })],
    [
      'the form that lists mints',
      accountList(13, { ...later, 9: 'wallet' })
        .with(3, BASE_MINT)
        .with(4, WRAPPED_SOL),
    ],
  ])('is read from %s', (_form, accounts) => {
    expect(decode(swap.discriminator, accounts, SALE.legs, SALE.vaults).events).toMatchObject([
      soldTo('invariant'),
    ]);
  });

  test('is ignored when nothing moved, malformed without its accounts', () => {
    const accounts = accountList(10, { ...first, 7: 'wallet' });
    expect(decode(swap.discriminator, accounts, [], SALE.vaults).outcomes.invariant?.ignored).toBe(
      1,
    );
    expect(
      decode(swap.discriminator, accounts.slice(0, 6), SALE.legs, SALE.vaults).problems,
    ).toMatchObject([{ problem: 'malformed', reason: 'too few accounts' }]);
  });
});

describe('a position on Invariant', () => {
  const deposit = [payIn('user base', 'base vault', 10n)];
  const opened: VaultChanges = { base: [0n, 10n], quote: [5n, 5n] };

  test.each([
    ['first', { 2: 'pool', 4: 'wallet', 12: 'base vault', 13: 'quote vault' }],
    ['later', { 2: 'pool', 4: 'payer', 5: 'wallet', 13: 'base vault', 14: 'quote vault' }],
  ])('is opened, one-sided or not, in the %s form', (_form, named) => {
    const accounts = accountList(19, named);
    expect(decode(create_position.discriminator, accounts, deposit, opened).events).toMatchObject([
      addedTo('invariant', { poolQuoteDelta: 0n, reserves: { base: 10n, quote: 5n } }),
    ]);
  });

  test.each([
    ['first', { 4: 'pool', 8: 'wallet', 13: 'base vault', 14: 'quote vault' }],
    ['later', { 4: 'pool', 8: 'payer', 9: 'wallet', 14: 'base vault', 15: 'quote vault' }],
  ])('is closed in the %s form', (_form, named) => {
    const accounts = accountList(19, named);
    const withdrawal = [
      payOut('base vault', 'user base', 10n),
      payOut('quote vault', 'user sol', 5n),
    ];
    const closed: VaultChanges = { base: [10n, 0n], quote: [5n, 0n] };
    const { events } = decode(remove_position.discriminator, accounts, withdrawal, closed);
    expect(events).toMatchObject([
      { provider: address('wallet'), poolBaseDelta: -10n, poolQuoteDelta: -5n },
    ]);
  });

  test('is malformed without its accounts', () => {
    const accounts = accountList(12, {});
    const { problems } = decode(create_position.discriminator, accounts, deposit, opened);
    expect(problems).toMatchObject([{ problem: 'malformed', reason: 'too few accounts' }]);
  });
});

describeDecoderLaws('Invariant', invariant, invariantLayout);
