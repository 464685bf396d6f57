import { describe, expect, test } from 'vitest';
import { u8 } from '../../../tests/support/borsh-bytes.ts';
import { address } from '../../../tests/support/build-transaction.ts';
import { boughtFrom } from '../../../tests/support/pool-events.ts';
import { DEPOSIT } from '../../../tests/support/pool-legs.ts';
import { decoderOnPool } from '../../../tests/support/pool-program.ts';
import {
  accountList,
  BASE_MINT,
  decodeDraft,
  payIn,
  payOut,
  type VaultChanges,
  vaultBalances,
} from '../../../tests/support/pool-transaction.ts';
import { burn, mintTo, transfer } from '../../../tests/support/token-instructions.ts';
import { WRAPPED_SOL } from '../../model/program.ts';
import { raydiumAmmV4 } from './raydium-amm-v4.ts';

const decode = decoderOnPool(raydiumAmmV4);

const BUY_INNER = [payIn('user sol', 'quote vault', 200n), payOut('base vault', 'user base', 150n)];
const BOUGHT: VaultChanges = { base: [1_000n, 850n], quote: [1_000n, 1_200n] };
const POOL = { 1: 'pool' };
const USER = ['user sol', 'user base', 'wallet'];

/** Account lists in the order of the program's source and interface, by form of the instruction. */
const SWAP_FORMS = [
  {
    form: 'swapBaseIn with ammTargetOrders',
    tag: 9,
    accounts: accountList(18, { ...POOL, 5: 'base vault', 6: 'quote vault', ...last(18, USER) }),
  },
  {
    form: 'swapBaseIn without ammTargetOrders',
    tag: 9,
    accounts: accountList(17, { ...POOL, 4: 'base vault', 5: 'quote vault', ...last(17, USER) }),
  },
  {
    form: 'swapBaseOut with ammTargetOrders',
    tag: 11,
    accounts: accountList(18, { ...POOL, 5: 'base vault', 6: 'quote vault', ...last(18, USER) }),
  },
  {
    form: 'swapBaseInV2',
    tag: 16,
    accounts: accountList(8, { ...POOL, 3: 'base vault', 4: 'quote vault', ...last(8, USER) }),
  },
  {
    form: 'swapBaseOutV2',
    tag: 17,
    accounts: accountList(8, { ...POOL, 3: 'base vault', 4: 'quote vault', ...last(8, USER) }),
  },
];

describe('a Raydium AMM v4 swap', () => {
  test.each(SWAP_FORMS)('is read from $form', ({ tag, accounts }) => {
    const { events, outcomes } = decode(tag, accounts, BUY_INNER, BOUGHT);
    expect(swapsOf(events)).toMatchObject([
      boughtFrom('raydium_amm_v4', {
        poolBaseDelta: -150n,
        poolQuoteDelta: 200n,
        traderBaseDelta: 150n,
        traderQuoteDelta: -200n,
        reserves: { base: 850n, quote: 1_200n },
      }),
    ]);
    expect(outcomes.raydium_amm_v4).toMatchObject({ event: 1, malformed: 0, unknown: 0 });
  });

  test('counts what the user moved, not what the pool fetched from its market orders', () => {
    const accounts = accountList(18, {
      ...POOL,
      5: 'base vault',
      6: 'quote vault',
      12: 'market base vault',
      13: 'market quote vault',
      ...last(18, USER),
    });
    const fetched = [
      transfer({ from: 'market base vault', to: 'base vault', by: 'market signer', amount: 30n }),
      transfer({ from: 'market quote vault', to: 'quote vault', by: 'market signer', amount: 40n }),
    ];
    const market = { program: address('market'), inner: fetched };
    const changes: VaultChanges = { base: [1_000n, 880n], quote: [1_000n, 1_240n] };
    const { events } = decode(9, accounts, [market, ...BUY_INNER], changes);
    expect(swapsOf(events)).toMatchObject([
      {
        poolBaseDelta: -150n,
        poolQuoteDelta: 200n,
        reserves: { base: 880n, quote: 1_240n },
        quarantine: null,
      },
    ]);
  });

  test.each([
    ["the pool's own vaults", 'base vault', 'quote vault'],
    ["the user's accounts", 'user base', 'user sol'],
    ['one account twice', 'pool', 'pool'],
  ])('is read when %s are placeholders for the market vaults', (_, coin, pc) => {
    const accounts = accountList(18, {
      ...POOL,
      5: 'base vault',
      6: 'quote vault',
      12: coin,
      13: pc,
      ...last(18, USER),
    });
    const { events } = decode(9, accounts, BUY_INNER, BOUGHT);
    expect(swapsOf(events)).toMatchObject([{ poolBaseDelta: -150n, poolQuoteDelta: 200n }]);
  });

  test.each([8, 16, 19])('is malformed with %i accounts', (count) => {
    const { events, problems } = decode(9, accountList(count, POOL), BUY_INNER, BOUGHT);
    expect(swapsOf(events)).toEqual([]);
    expect(problems).toMatchObject([
      { problem: 'malformed', reason: `swap with ${count} accounts` },
    ]);
  });
});

describe('Raydium AMM v4 liquidity', () => {
  const moves = [payOut('base vault', 'user base', 100n), payOut('quote vault', 'user sol', 100n)];
  const changes: VaultChanges = { base: [1_000n, 900n], quote: [1_000n, 900n] };
  const inFront = { ...POOL, 5: 'lp mint', 6: 'base vault', 7: 'quote vault' };

  test('is added by a deposit', () => {
    const accounts = accountList(14, { ...inFront, 12: 'wallet' });
    const inner = [...DEPOSIT.legs, mintTo(address('lp mint'), 'user lp', 14n)];
    const { events } = decode(3, accounts, inner, DEPOSIT.vaults);
    expect(events).toMatchObject([
      {
        kind: 'liquidity',
        pool: address('pool'),
        provider: address('wallet'),
        poolBaseDelta: 10n,
        poolQuoteDelta: 20n,
        lpDelta: 14n,
        reserves: { base: 110n, quote: 220n },
      },
    ]);
  });

  test.each([
    { count: 23, named: { ...inFront, 18: 'wallet' } },
    { count: 22, named: { ...inFront, 18: 'wallet' } },
    { count: 21, named: { ...inFront, 16: 'wallet' } },
    { count: 20, named: { ...inFront, 16: 'wallet' } },
    {
      count: 11,
      named: { ...POOL, 4: 'lp mint', 5: 'base vault', 6: 'quote vault', 10: 'wallet' },
    },
  ])('is removed by a withdrawal of $count accounts', ({ count, named }) => {
    const inner = [...moves, burn('user lp', address('lp mint'), 70n)];
    const { events } = decode(4, accountList(count, named), inner, changes);
    expect(events).toMatchObject([
      {
        kind: 'liquidity',
        provider: address('wallet'),
        poolBaseDelta: -100n,
        poolQuoteDelta: -100n,
        lpDelta: -70n,
      },
    ]);
  });

  test('excludes what the pool fetched from the market for the withdrawal', () => {
    const market = {
      program: address('market'),
      inner: [
        transfer({ from: 'market base', to: 'base vault', by: 'market signer', amount: 40n }),
        transfer({ from: 'market quote', to: 'quote vault', by: 'market signer', amount: 50n }),
      ],
    };
    const accounts = accountList(22, {
      ...inFront,
      12: 'market base',
      13: 'market quote',
      16: 'user base',
      17: 'user sol',
      18: 'wallet',
    });
    const { events } = decode(4, accounts, [market, ...moves], {
      base: [1_000n, 940n],
      quote: [1_000n, 950n],
    });
    expect(events).toMatchObject([
      {
        poolBaseDelta: -100n,
        poolQuoteDelta: -100n,
        reserves: { base: 940n, quote: 950n },
      },
    ]);
  });

  test('is malformed for a withdrawal with any other number of accounts', () => {
    const { problems } = decode(4, accountList(19, inFront), moves, changes);
    expect(problems).toMatchObject([{ reason: 'withdraw with 19 accounts' }]);
  });
});

describe('a new Raydium AMM v4 pool', () => {
  const opened: VaultChanges = { base: [0n, 900n], quote: [0n, 80n] };
  const created = {
    kind: 'poolCreated',
    venue: 'raydium_amm_v4',
    pool: address('pool'),
    baseMint: BASE_MINT,
    quoteMint: WRAPPED_SOL,
    creator: address('wallet'),
    vaultOwner: address('vault owner'),
    baseRaw: 900n,
    quoteRaw: 80n,
    lpMint: address('lp mint'),
    lpRaw: 268n,
  };
  const lp = mintTo(address('lp mint'), 'user lp', 268n);
  const fill = [payIn('user base', 'base vault', 900n), payIn('user sol', 'quote vault', 80n)];

  test('is created and filled by initialize2', () => {
    const accounts = accountList(21, {
      4: 'pool',
      7: 'lp mint',
      10: 'quote vault',
      11: 'base vault',
      17: 'wallet',
    });
    expect(decode(1, accounts, [...fill, lp], opened).events).toMatchObject([created]);
  });

  test('is created by initialize with the existing balances of its vaults', () => {
    const accounts = accountList(18, {
      3: 'pool',
      6: 'lp mint',
      9: 'base vault',
      10: 'quote vault',
      17: 'wallet',
    });
    const initialize = { program: raydiumAmmV4.programId, accounts, data: u8(0), inner: [lp] };
    const { events } = decodeDraft({
      instructions: [...fill, initialize],
      tokenBalances: vaultBalances(opened),
    });
    expect(events.filter(({ kind }) => kind === 'poolCreated')).toMatchObject([created]);
  });
});

describe('another instruction of Raydium AMM v4', () => {
  test.each([2, 5, 6, 7, 8, 10, 12, 13, 14, 15])('with tag %i is ignored', (tag) => {
    const { outcomes } = decode(tag, accountList(18, POOL), BUY_INNER, BOUGHT);
    expect(outcomes.raydium_amm_v4).toMatchObject({ ignored: 1, event: 0, unknown: 0 });
  });

  test.each([18, 255])('with tag %i is unknown', (tag) => {
    const { outcomes } = decode(tag, accountList(18, POOL), BUY_INNER, BOUGHT);
    expect(outcomes.raydium_amm_v4).toMatchObject({ unknown: 1, event: 0 });
  });

  test('without any data is unknown', () => {
    const { problems } = decodeDraft({ instructions: [{ program: raydiumAmmV4.programId }] });
    expect(problems).toMatchObject([{ problem: 'unknown', program: 'raydium_amm_v4' }]);
  });
});

function swapsOf(events: ReturnType<typeof decode>['events']) {
  return events.filter(({ kind }) => kind === 'swap');
}

/** Names for the last positions of a list. */
function last(count: number, names: readonly string[]): Record<number, string> {
  return Object.fromEntries(names.map((name, at) => [count - names.length + at, name]));
}
