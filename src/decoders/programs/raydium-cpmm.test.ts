import { describe, expect, test } from 'vitest';
import { address } from '../../../tests/support/build-transaction.ts';
import { boughtFrom, createdBy } from '../../../tests/support/pool-events.ts';
import { DEPOSIT, SALE, WITHDRAWAL } from '../../../tests/support/pool-legs.ts';
import { poolProgram } from '../../../tests/support/pool-program.ts';
import { accountList, payIn, type VaultChanges } from '../../../tests/support/pool-transaction.ts';
import { describeSwapWitnesses } from '../../../tests/support/swap-witness.ts';
import { burn, mintTo } from '../../../tests/support/token-instructions.ts';
import { raydiumCpmm, raydiumCpmmLayout } from './raydium-cpmm.ts';

const { decode } = poolProgram(raydiumCpmm, raydiumCpmmLayout);

type Name =
  | keyof typeof raydiumCpmmLayout.instructions
  | keyof typeof raydiumCpmmLayout.ignoredInstructions;

const SWAP = accountList(13, {
  0: 'wallet',
  3: 'pool',
  4: 'user base',
  5: 'user sol',
  6: 'base vault',
  7: 'quote vault',
});
const LIQUIDITY = { 0: 'wallet', 2: 'pool', 6: 'base vault', 7: 'quote vault', 12: 'lp mint' };
const INITIALIZE = accountList(20, {
  0: 'wallet',
  3: 'pool',
  6: 'lp mint',
  10: 'base vault',
  11: 'quote vault',
});

describe('a Raydium CPMM swap', () => {
  test.each(['swap_base_input', 'swap_base_output'] as const)('is read from %s', (name) => {
    const inner = SALE.legs;
    const { events } = decode(name, SWAP, inner, SALE.vaults);
    expect(events.filter(({ kind }) => kind === 'swap')).toMatchObject([
      boughtFrom('raydium_cpmm', {
        side: 'sell',
        poolBaseDelta: 40n,
        poolQuoteDelta: -30n,
        traderBaseDelta: -40n,
        traderQuoteDelta: 30n,
        reserves: { base: 140n, quote: 70n },
      }),
    ]);
  });

  test('is ignored when it moved nothing, malformed when it moved one side', () => {
    const still = { base: [1n, 1n], quote: [1n, 1n] } as const;
    expect(decode('swap_base_input', SWAP, [], still).outcomes.raydium_cpmm?.ignored).toBe(1);
    const half = [payIn('user base', 'base vault', 40n)];
    expect(decode('swap_base_input', SWAP, half, still).problems).toMatchObject([
      { problem: 'malformed', reason: 'only one vault moved' },
    ]);
    expect(decode('swap_base_input', SWAP.slice(0, 7), half, still).problems).toMatchObject([
      { problem: 'malformed', reason: 'too few accounts' },
    ]);
  });
});

describe('Raydium CPMM liquidity', () => {
  test('is added by a deposit', () => {
    const inner = [...DEPOSIT.legs, mintTo(address('lp mint'), 'user lp', 14n)];
    const changes: VaultChanges = DEPOSIT.vaults;
    expect(decode('deposit', accountList(13, LIQUIDITY), inner, changes).events).toMatchObject([
      {
        kind: 'liquidity',
        provider: address('wallet'),
        poolBaseDelta: 10n,
        poolQuoteDelta: 20n,
        lpDelta: 14n,
      },
    ]);
  });

  test('is removed by a withdrawal', () => {
    const inner = [burn('user lp', address('lp mint'), 14n), ...WITHDRAWAL.legs];
    const changes: VaultChanges = WITHDRAWAL.vaults;
    expect(decode('withdraw', accountList(14, LIQUIDITY), inner, changes).events).toMatchObject([
      { kind: 'liquidity', poolBaseDelta: -10n, poolQuoteDelta: -20n, lpDelta: -14n },
    ]);
  });
});

describe('a new Raydium CPMM pool', () => {
  test('is created with its first liquidity', () => {
    const inner = [
      payIn('user base', 'base vault', 900n),
      payIn('user sol', 'quote vault', 80n),
      mintTo(address('lp mint'), 'user lp', 268n),
    ];
    const changes: VaultChanges = { base: [0n, 900n], quote: [0n, 80n] };
    expect(decode('initialize', INITIALIZE, inner, changes).events).toMatchObject([
      createdBy('raydium_cpmm', {
        baseRaw: 900n,
        quoteRaw: 80n,
        lpMint: address('lp mint'),
        lpRaw: 268n,
      }),
    ]);
  });

  test('belongs to its creator when another account pays for it by permission', () => {
    const accounts = accountList(22, {
      ...{ 0: 'payer', 1: 'wallet', 4: 'pool', 7: 'lp mint', 11: 'base vault', 12: 'quote vault' },
    });
    const inner = [payIn('user base', 'base vault', 900n), payIn('user sol', 'quote vault', 80n)];
    const changes: VaultChanges = { base: [0n, 900n], quote: [0n, 80n] };
    expect(decode('initialize_with_permission', accounts, inner, changes).events).toMatchObject([
      {
        kind: 'poolCreated',
        pool: address('pool'),
        creator: address('wallet'),
        baseRaw: 900n,
        quoteRaw: 80n,
        lpMint: address('lp mint'),
      },
    ]);
  });

  test('is malformed without its accounts', () => {
    const still = { base: [1n, 1n], quote: [1n, 1n] } as const;
    expect(decode('initialize', INITIALIZE.slice(0, 11), [], still).problems).toMatchObject([
      { problem: 'malformed', reason: 'too few accounts' },
    ]);
  });
});

describeSwapWitnesses(
  ['8fbe5adac41e33de', '37d96256a34ab4ad'].map((tag) => ({
    venue: 'raydium_cpmm_clone' as const,
    program: 'DRaycpLY18LhpbydsBWbVJtxpNv9oXPgjRSfpF2bWpYb',
    source: `the published program, ${tag}`,
    data: `${tag}64000000000000006300000000000000`,
    accountCount: 13,
    accounts: {
      ...{ 0: 'wallet', 3: 'pool', 4: 'user sol', 5: 'user base' },
      ...{ 6: 'quote vault', 7: 'base vault' },
    },
  })),
);

describe('another instruction of Raydium CPMM', () => {
  const ignored = Object.keys(raydiumCpmmLayout.ignoredInstructions) as Name[];

  test.each(ignored)('named %s is ignored', (name) => {
    const { outcomes } = decode(name, SWAP, [], { base: [1n, 1n], quote: [1n, 1n] });
    expect(outcomes.raydium_cpmm).toMatchObject({ ignored: 1, event: 0, unknown: 0 });
  });
});
