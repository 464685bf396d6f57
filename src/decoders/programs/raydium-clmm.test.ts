import { describe, expect, test } from 'vitest';
import { address, type InstructionDraft } from '../../../tests/support/build-transaction.ts';
import { addedTo, boughtFrom, createdBy } from '../../../tests/support/pool-events.ts';
import { DEPOSIT, PURCHASE, WITHDRAWAL } from '../../../tests/support/pool-legs.ts';
import { poolProgram } from '../../../tests/support/pool-program.ts';
import {
  accountList,
  BASE_MINT,
  decodeDraft,
  payIn,
  payOut,
  type VaultChanges,
  vaultBalances,
} from '../../../tests/support/pool-transaction.ts';
import { initializeAccount3, transfer } from '../../../tests/support/token-instructions.ts';
import { USDC, WRAPPED_SOL } from '../../model/program.ts';
import { clmmLayout } from '../families/clmm-layout.ts';
import { raydiumClmm } from './raydium-clmm.ts';

const { draft, decode } = poolProgram(raydiumClmm, clmmLayout);

type Name = keyof typeof clmmLayout.instructions | keyof typeof clmmLayout.ignoredInstructions;

const SWAP = accountList(15, {
  0: 'wallet',
  2: 'pool',
  3: 'user sol',
  4: 'user base',
  5: 'quote vault',
  6: 'base vault',
});

describe('a Raydium CLMM swap', () => {
  test.each(['swap', 'swap_v2'] as const)('is read from %s', (name) => {
    const inner = PURCHASE.legs;
    const { events } = decode(name, SWAP, inner, PURCHASE.vaults);
    expect(swapsOf(events)).toMatchObject([boughtFrom('raydium_clmm')]);
  });
});

describe('a Raydium CLMM route through two pools', () => {
  // USDC -> SOL on the first pool, SOL -> base on the second. Each hop lists its configuration, its
  // pool, the user's output account, its vaults, the output mint and its observations, then ticks.
  const accounts = accountList(24, {
    0: 'wallet',
    1: 'user usdc',
    9: 'first pool',
    10: 'user sol',
    11: 'usdc vault',
    12: 'sol vault',
    18: 'pool',
    19: 'user base',
    20: 'quote vault',
    21: 'base vault',
  });
  const hops = [
    payIn('user usdc', 'usdc vault', 150n),
    payOut('sol vault', 'user sol', 30n),
    ...PURCHASE.legs,
  ];
  const balances = [
    ...vaultBalances(PURCHASE.vaults),
    { account: address('usdc vault'), mint: USDC, before: 1_000n, after: 1_150n },
    { account: address('sol vault'), mint: WRAPPED_SOL, decimals: 9, before: 200n, after: 170n },
  ];

  test('is one swap of each pool, at the position of the transfer that pays it out', () => {
    const { events } = route(accounts, hops);
    expect(swapsOf(events)).toMatchObject([
      {
        outerIx: 0,
        innerIx: 2,
        pool: address('first pool'),
        baseMint: WRAPPED_SOL,
        quoteMint: USDC,
        trader: address('wallet'),
        router: address('caller'),
        poolBaseDelta: -30n,
        poolQuoteDelta: 150n,
        traderBaseDelta: 30n,
        traderQuoteDelta: -150n,
        reserves: { base: 170n, quote: 1_150n },
        quarantine: null,
      },
      {
        outerIx: 0,
        innerIx: 4,
        pool: address('pool'),
        baseMint: BASE_MINT,
        quoteMint: WRAPPED_SOL,
        trader: address('wallet'),
        router: address('caller'),
        poolBaseDelta: -40n,
        poolQuoteDelta: 30n,
        traderBaseDelta: 40n,
        traderQuoteDelta: -30n,
        reserves: { base: 60n, quote: 130n },
        quarantine: null,
      },
    ]);
  });

  test('is ignored when nothing moved', () => {
    expect(route(accounts, []).outcomes.raydium_clmm).toMatchObject({ ignored: 1, malformed: 0 });
  });

  test.each([
    { why: 'a hop without two transfers', named: accounts, inner: hops.slice(0, 3) },
    { why: 'a hop between unnamed vaults', named: accounts.slice(0, 20), inner: hops },
  ])('is malformed with $why', ({ why, named, inner }) => {
    const { events, problems } = route(named, inner);
    expect(swapsOf(events)).toEqual([]);
    expect(problems).toMatchObject([{ problem: 'malformed', reason: why }]);
  });

  function route(named: readonly string[], inner: readonly InstructionDraft[]) {
    const instruction = draft('swap_router_base_in', named, inner);
    return decodeDraft({
      instructions: [{ program: address('caller'), inner: [instruction] }],
      tokenBalances: balances,
    });
  }
});

describe('Raydium CLMM liquidity', () => {
  const vaultsAt = (first: number) => ({ [first]: 'base vault', [first + 1]: 'quote vault' });

  test.each([
    { name: 'open_position', named: { 0: 'wallet', 5: 'pool', ...vaultsAt(12) } },
    { name: 'open_position_v2', named: { 0: 'wallet', 5: 'pool', ...vaultsAt(12) } },
    { name: 'open_position_with_token22_nft', named: { 0: 'wallet', 4: 'pool', ...vaultsAt(11) } },
    { name: 'increase_liquidity', named: { 0: 'wallet', 2: 'pool', ...vaultsAt(9) } },
    { name: 'increase_liquidity_v2', named: { 0: 'wallet', 2: 'pool', ...vaultsAt(9) } },
  ] as const)('is added by $name', ({ name, named }) => {
    const inner = DEPOSIT.legs;
    const changes: VaultChanges = DEPOSIT.vaults;
    expect(decode(name, accountList(22, named), inner, changes).events).toMatchObject([
      addedTo('raydium_clmm'),
    ]);
  });

  test.each(['decrease_liquidity', 'decrease_liquidity_v2'] as const)(
    'is removed by %s, with the fees of the position and without its rewards',
    (name) => {
      const named = { 0: 'wallet', 3: 'pool', ...vaultsAt(5) };
      const inner = [
        ...WITHDRAWAL.legs,
        transfer({ from: 'reward vault', to: 'user base', by: 'pool', amount: 7n }),
      ];
      const changes: VaultChanges = WITHDRAWAL.vaults;
      expect(decode(name, accountList(16, named), inner, changes).events).toMatchObject([
        { kind: 'liquidity', poolBaseDelta: -10n, poolQuoteDelta: -20n, lpDelta: null },
      ]);
    },
  );
});

describe('a new Raydium CLMM pool', () => {
  const accounts = accountList(13, {
    0: 'wallet',
    2: 'pool',
    5: 'quote vault',
    6: 'base vault',
  });
  const opened = [
    initializeAccount3('base vault', BASE_MINT, 'vault owner'),
    initializeAccount3('quote vault', WRAPPED_SOL, 'vault owner'),
  ];

  test('is created empty', () => {
    const empty: VaultChanges = { base: [0n, 0n], quote: [0n, 0n] };
    expect(decode('create_pool', accounts, opened, empty).events).toMatchObject([
      createdBy('raydium_clmm'),
    ]);
  });

  test('is left to its first position when the record has no decimals', () => {
    const { events, outcomes } = decode('create_pool', accounts, opened, null);
    expect(events.filter(({ kind }) => kind === 'poolCreated')).toEqual([]);
    expect(outcomes.raydium_clmm).toMatchObject({ ignored: 1, malformed: 0 });
  });

  test('is malformed without its accounts', () => {
    const { problems } = decode('create_pool', accounts.slice(0, 6), [], null);
    expect(problems).toMatchObject([{ problem: 'malformed', reason: 'too few accounts' }]);
  });
});

describe('another instruction of Raydium CLMM', () => {
  const ignored = Object.keys(clmmLayout.ignoredInstructions) as Name[];

  test.each(ignored)('named %s is ignored', (name) => {
    const { outcomes } = decode(name, SWAP, [], null);
    expect(outcomes.raydium_clmm).toMatchObject({ ignored: 1, event: 0, unknown: 0 });
  });
});

function swapsOf(events: ReturnType<typeof decode>['events']) {
  return events.filter(({ kind }) => kind === 'swap');
}
