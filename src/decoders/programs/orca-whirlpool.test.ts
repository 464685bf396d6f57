import { describe, expect, test } from 'vitest';
import { address } from '../../../tests/support/build-transaction.ts';
import { describeDecoderLaws } from '../../../tests/support/decoder-laws.ts';
import { addedTo, boughtFrom, createdBy } from '../../../tests/support/pool-events.ts';
import { DEPOSIT, PURCHASE } from '../../../tests/support/pool-legs.ts';
import { poolProgram } from '../../../tests/support/pool-program.ts';
import {
  accountList,
  BASE_MINT,
  payIn,
  payOut,
  type VaultChanges,
} from '../../../tests/support/pool-transaction.ts';
import { initializeAccount3 } from '../../../tests/support/token-instructions.ts';
import { WRAPPED_SOL } from '../../model/program.ts';
import { whirlpoolLayout } from '../families/whirlpool-layout.ts';
import { orcaWhirlpool } from './orca-whirlpool.ts';

const { decode } = poolProgram(orcaWhirlpool, whirlpoolLayout);

const SWAP_FORMS = [
  {
    name: 'swap',
    named: {
      1: 'wallet',
      2: 'pool',
      3: 'user sol',
      4: 'quote vault',
      5: 'user base',
      6: 'base vault',
    },
  },
  {
    name: 'swap_v2',
    named: {
      3: 'wallet',
      4: 'pool',
      7: 'user sol',
      8: 'quote vault',
      9: 'user base',
      10: 'base vault',
    },
  },
] as const;

describe('a Whirlpool swap', () => {
  test.each(SWAP_FORMS)('that buys is read from $name', ({ name, named }) => {
    const inner = PURCHASE.legs;
    const changes: VaultChanges = PURCHASE.vaults;
    expect(decode(name, accountList(15, named), inner, changes).events).toEqual([
      boughtFrom('orca_whirlpool'),
    ]);
  });

  test.each(SWAP_FORMS)('that sells is read from $name', ({ name, named }) => {
    const inner = [payIn('user base', 'base vault', 40n), payOut('quote vault', 'user sol', 29n)];
    const changes: VaultChanges = { base: [60n, 100n], quote: [130n, 101n] };
    expect(decode(name, accountList(15, named), inner, changes).events).toMatchObject([
      { side: 'sell', poolBaseDelta: 40n, poolQuoteDelta: -29n, quarantine: null },
    ]);
  });

  test('that moved nothing is ignored', () => {
    const still: VaultChanges = { base: [100n, 100n], quote: [100n, 100n] };
    const { events, outcomes } = decode('swap', accountList(11, SWAP_FORMS[0].named), [], still);
    expect(events).toEqual([]);
    expect(outcomes.orca_whirlpool).toMatchObject({ ignored: 1, malformed: 0 });
  });

  test('with too few accounts is malformed', () => {
    const { problems } = decode('swap_v2', accountList(10, SWAP_FORMS[1].named), [], null);
    expect(problems).toMatchObject([{ problem: 'malformed', reason: 'too few accounts' }]);
  });
});

describe('Whirlpool liquidity', () => {
  const first = { 0: 'pool', 2: 'wallet', 7: 'base vault', 8: 'quote vault' };
  const second = { 0: 'pool', 4: 'wallet', 11: 'base vault', 12: 'quote vault' };
  const repositioned = { 0: 'pool', 4: 'wallet', 12: 'base vault', 13: 'quote vault' };

  test.each([
    { name: 'increase_liquidity', named: first },
    { name: 'increase_liquidity_v2', named: second },
    { name: 'increase_liquidity_by_token_amounts_v2', named: second },
    { name: 'reposition_liquidity_v2', named: repositioned },
  ] as const)('is added by $name', ({ name, named }) => {
    const changes: VaultChanges = DEPOSIT.vaults;
    expect(decode(name, accountList(16, named), DEPOSIT.legs, changes).events).toEqual([
      addedTo('orca_whirlpool'),
    ]);
  });

  test.each([
    { name: 'decrease_liquidity', named: first },
    { name: 'decrease_liquidity_v2', named: second },
  ] as const)('on one side only is removed by $name', ({ name, named }) => {
    const inner = [payOut('base vault', 'user base', 10n)];
    const changes: VaultChanges = { base: [110n, 100n], quote: [200n, 200n] };
    expect(decode(name, accountList(15, named), inner, changes).events).toMatchObject([
      { kind: 'liquidity', poolBaseDelta: -10n, poolQuoteDelta: 0n, lpDelta: null },
    ]);
  });
});

describe('a new Whirlpool', () => {
  const opened = [
    initializeAccount3('base vault', BASE_MINT, 'pool'),
    initializeAccount3('quote vault', WRAPPED_SOL, 'pool'),
  ];
  const forms = [
    {
      name: 'initialize_pool',
      named: { 3: 'wallet', 4: 'pool', 5: 'quote vault', 6: 'base vault' },
    },
    {
      name: 'initialize_pool_v2',
      named: { 5: 'wallet', 6: 'pool', 7: 'quote vault', 8: 'base vault' },
    },
    {
      name: 'initialize_pool_with_adaptive_fee',
      named: { 5: 'wallet', 7: 'pool', 9: 'quote vault', 10: 'base vault' },
    },
  ] as const;

  test.each(forms)('is created empty by $name', ({ name, named }) => {
    const empty: VaultChanges = { base: [0n, 0n], quote: [0n, 0n] };
    expect(decode(name, accountList(16, named), opened, empty).events).toMatchObject([
      createdBy('orca_whirlpool'),
    ]);
  });

  test('is left to its first position when the record has no decimals', () => {
    const { name, named } = forms[0];
    const { events, outcomes } = decode(name, accountList(11, named), opened, null);
    expect(events.filter(({ kind }) => kind === 'poolCreated')).toEqual([]);
    expect(outcomes.orca_whirlpool).toMatchObject({ ignored: 1, malformed: 0 });
  });

  test('is malformed without its accounts', () => {
    const { problems } = decode('initialize_pool', accountList(6, forms[0].named), [], null);
    expect(problems).toMatchObject([{ problem: 'malformed', reason: 'too few accounts' }]);
  });
});

describe('a locked Whirlpool position', () => {
  const accounts = accountList(9, { 1: 'wallet', 6: 'pool' });

  test('is the single token of the position, locked permanently', () => {
    expect(decode('lock_position', accounts, [], null).events).toEqual([
      {
        kind: 'lpLock',
        outerIx: 0,
        innerIx: -1,
        pool: address('pool'),
        provider: address('wallet'),
        amountRaw: 1n,
        lockKind: 'permanent',
        unlockTimeMs: null,
      },
    ]);
  });

  test('is malformed without its pool', () => {
    const { problems } = decode('lock_position', accounts.slice(0, 6), [], null);
    expect(problems).toMatchObject([{ problem: 'malformed', reason: 'too few accounts' }]);
  });
});

describeDecoderLaws('the Whirlpool decoder', orcaWhirlpool, whirlpoolLayout);
