import { describe, expect, test } from 'vitest';
import { address } from '../../../tests/support/build-transaction.ts';
import { assertNeverInvents } from '../../../tests/support/decoder-laws.ts';
import { boughtFrom, createdBy } from '../../../tests/support/pool-events.ts';
import { DEPOSIT, PURCHASE, WITHDRAWAL } from '../../../tests/support/pool-legs.ts';
import { decoderOnPool } from '../../../tests/support/pool-program.ts';
import { accountList, payOut, type VaultChanges } from '../../../tests/support/pool-transaction.ts';
import { burn, mintTo } from '../../../tests/support/token-instructions.ts';
import { mercurial } from './mercurial.ts';

const decode = decoderOnPool(mercurial);

const HEAD = { 0: 'pool', 3: 'wallet' };
const PAIR = { ...HEAD, 4: 'base vault', 5: 'quote vault' };
const TRIO = { ...HEAD, 4: 'third vault', 5: 'base vault', 6: 'quote vault' };
const STILL: VaultChanges = { base: [100n, 100n], quote: [100n, 100n] };

describe('a Mercurial exchange', () => {
  test.each([
    ['two', accountList(8, { ...PAIR, 6: 'user sol', 7: 'user base' })],
    ['three', accountList(9, { ...TRIO, 7: 'user sol', 8: 'user base' })],
  ])('in a pool of %s tokens is between the two that moved', (_, accounts) => {
    expect(decode(4, accounts, PURCHASE.legs, PURCHASE.vaults).events).toMatchObject([
      boughtFrom('mercurial'),
    ]);
  });

  const trio = accountList(9, { ...TRIO, 7: 'user sol', 8: 'user base' });

  test('is ignored when nothing moved', () => {
    expect(decode(4, trio, [], STILL).outcomes.mercurial).toMatchObject({ ignored: 1 });
  });

  test.each([
    ['only one vault moved', trio, PURCHASE.legs.slice(0, 1)],
    [
      'more than two vaults moved',
      trio,
      [...PURCHASE.legs, payOut('third vault', 'user third', 1n)],
    ],
    ['too few accounts', trio.slice(0, 7), PURCHASE.legs],
  ])('is malformed when %s', (reason, accounts, inner) => {
    const { events, problems } = decode(4, accounts, inner, STILL);
    expect(events).toEqual([]);
    expect(problems).toMatchObject([{ problem: 'malformed', reason }]);
  });
});

describe('Mercurial liquidity', () => {
  const minted = mintTo(address('lp mint'), 'user lp', 14n);
  const burned = burn('user lp', address('lp mint'), 14n);

  test.each([
    {
      change: 'is added',
      tag: 1,
      count: 10,
      inner: [...DEPOSIT.legs, minted],
      deltas: [10n, 20n, 14n],
    },
    {
      change: 'is removed',
      tag: 2,
      count: 10,
      inner: [burned, ...WITHDRAWAL.legs],
      deltas: [-10n, -20n, -14n],
    },
    {
      change: 'on one side is removed',
      tag: 3,
      count: 9,
      inner: [burned, ...WITHDRAWAL.legs.slice(0, 1)],
      deltas: [-10n, 0n, -14n],
    },
  ])('of two tokens $change', ({ tag, count, inner, deltas }) => {
    const accounts = accountList(count, { ...PAIR, 6: 'lp mint' });
    const [poolBaseDelta, poolQuoteDelta, lpDelta] = deltas;
    expect(decode(tag, accounts, inner, STILL).events).toMatchObject([
      {
        kind: 'liquidity',
        venue: 'mercurial',
        pool: address('pool'),
        provider: address('wallet'),
        poolBaseDelta,
        poolQuoteDelta,
        lpDelta,
      },
    ]);
  });

  test.each([
    { tag: 1, count: 12 },
    { tag: 2, count: 14 },
    { tag: 3, count: 10 },
    { tag: 0, count: 10 },
  ])('of more tokens is ignored: tag $tag with $count accounts', ({ tag, count }) => {
    const { events, outcomes } = decode(tag, accountList(count, TRIO), DEPOSIT.legs, STILL);
    expect(events).toEqual([]);
    expect(outcomes.mercurial).toMatchObject({ ignored: 1, malformed: 0 });
  });

  test.each([
    { tag: 1, count: 11, reason: 'liquidity with 11 accounts' },
    { tag: 3, count: 8, reason: 'liquidity with 8 accounts' },
    { tag: 0, count: 7, reason: 'initialisation with 7 accounts' },
  ])('is malformed with $count accounts for tag $tag', ({ tag, count, reason }) => {
    const { problems } = decode(tag, accountList(count, PAIR), DEPOSIT.legs, STILL);
    expect(problems).toMatchObject([{ problem: 'malformed', reason }]);
  });
});

test('a new Mercurial pool of two tokens is created on its empty vaults', () => {
  const named = { 0: 'pool', 2: 'base vault', 3: 'quote vault', 6: 'lp mint' };
  const empty: VaultChanges = { base: [0n, 0n], quote: [0n, 0n] };
  expect(decode(0, accountList(8, named), [], empty).events).toMatchObject([
    createdBy('mercurial', { lpMint: address('lp mint'), lpRaw: 0n }),
  ]);
});

describe('another Mercurial instruction', () => {
  test('is ignored when it reads the virtual price', () => {
    const { outcomes } = decode(5, accountList(6, PAIR), [], STILL);
    expect(outcomes.mercurial).toMatchObject({ ignored: 1, unknown: 0 });
  });

  test('is unknown', () => {
    expect(decode(6, accountList(6, PAIR), [], STILL).problems).toMatchObject([
      { problem: 'unknown', reason: 'unknown discriminator 06' },
    ]);
  });
});

test('the Mercurial decoder never throws and never invents an amount', () => {
  const tags = ['00', '01', '02', '03', '04', '05', 'ff'];
  const instructions = Object.fromEntries(
    tags.map((discriminator) => [discriminator, { discriminator, accounts: {} }]),
  );
  expect(() => assertNeverInvents(mercurial, { instructions, events: {} })).not.toThrow();
});
