import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { address } from '../../../tests/support/build-transaction.ts';
import { describeDecoderLaws } from '../../../tests/support/decoder-laws.ts';
import { addedTo } from '../../../tests/support/pool-events.ts';
import { DEPOSIT, PURCHASE, WITHDRAWAL } from '../../../tests/support/pool-legs.ts';
import { decoderOnPool } from '../../../tests/support/pool-program.ts';
import {
  accountList,
  payIn,
  payOut,
  type VaultChanges,
} from '../../../tests/support/pool-transaction.ts';
import { describeSwapWitnesses } from '../../../tests/support/swap-witness.ts';
import { USDC, WRAPPED_SOL } from '../../model/program.ts';
import { fusion, fusionLayout } from './fusion.ts';

const decode = decoderOnPool(fusion);

const PROGRAM = 'fUSioN9YKKSa3CUC2YUc4tPkHJ5Y6XW1yz8y6F7qWz9';

describeSwapWitnesses([
  {
    venue: 'fusion',
    program: PROGRAM,
    source:
      '3TwHo76yayZoTt8Q9dtpQQzrYXvGRkkH5YBXAHdtkBDMWepqz5SsRqkKQGwysUKHoVhBSuRSX2k9RPXrkeLMPn72',
    data: 'f8c69e91e17587c88449c725000000000000000000000000503b0100010000000000000000000000010100',
    accountCount: 14,
    accounts: {
      ...{ 3: 'wallet', 4: 'pool', 7: 'user sol', 8: 'user base' },
      ...{ 9: 'quote vault', 10: 'base vault' },
    },
  },
]);

describe('Fusion liquidity', () => {
  const accounts = accountList(15, { 0: 'pool', 4: 'wallet', 11: 'base vault', 12: 'quote vault' });

  test('is added and removed by positions', () => {
    const added: VaultChanges = { base: [100n, 110n], quote: [100n, 120n] };
    expect(decode('2e9cf3760dcdfbb2', accounts, DEPOSIT.legs, added).events).toMatchObject([
      addedTo('fusion', { reserves: { base: 110n, quote: 120n } }),
    ]);
    const removed: VaultChanges = { base: [110n, 100n], quote: [120n, 100n] };
    expect(decode('a026d06f685b2c01', accounts, WITHDRAWAL.legs, removed).events).toMatchObject([
      { kind: 'liquidity', poolBaseDelta: -10n, poolQuoteDelta: -20n },
    ]);
  });

  test('begins with an empty pool', () => {
    const named = { 5: 'wallet', 6: 'pool', 7: 'base vault', 8: 'quote vault' };
    const empty: VaultChanges = { base: [0n, 0n], quote: [0n, 0n] };
    expect(decode('5fb40aac54aee828', accountList(13, named), [], empty).events).toMatchObject([
      { kind: 'poolCreated', venue: 'fusion', pool: address('pool'), creator: address('wallet') },
    ]);
  });
});

test('a Fusion swap through two pools is one swap of each, the first paying the second', () => {
  const accounts = accountList(22, {
    ...{ 0: 'first pool', 1: 'pool', 8: 'user usdc', 9: 'usdc vault', 10: 'sol vault' },
    ...{ 11: 'quote vault', 12: 'base vault', 13: 'user base', 14: 'wallet' },
  });
  const legs = [
    payIn('user usdc', 'usdc vault', 150n),
    payOut('sol vault', 'quote vault', 30n),
    payOut('base vault', 'user base', 40n),
  ];
  const owner = address('first pool');
  const extra = [
    { account: address('usdc vault'), mint: USDC, owner, decimals: 6, before: 0n, after: 150n },
    {
      account: address('sol vault'),
      mint: WRAPPED_SOL,
      owner,
      decimals: 9,
      before: 30n,
      after: 0n,
    },
  ];
  const { events } = decode('c360ed6c44a2dbe6', accounts, legs, PURCHASE.vaults, extra);
  expect(events).toMatchObject([
    { kind: 'swap', venue: 'fusion', pool: owner, side: 'buy', poolBaseDelta: -30n },
    { kind: 'swap', venue: 'fusion', pool: address('pool'), side: 'buy', poolBaseDelta: -40n },
  ]);
});

test('Fusion discriminators are Anchor’s hashes of their names', () => {
  const read = Object.entries(fusionLayout.instructions).map(
    ([name, { discriminator }]) => [name, discriminator] as const,
  );
  for (const [name, discriminator] of [
    ...read,
    ...Object.entries(fusionLayout.ignoredInstructions),
  ]) {
    const hash = createHash('sha256').update(`global:${name}`).digest('hex');
    expect([name, discriminator]).toEqual([name, hash.slice(0, 16)]);
  }
});

describeDecoderLaws('the Fusion decoder', fusion, fusionLayout);
