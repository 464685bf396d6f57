import { describe, expect, test } from 'vitest';
import { concat, hex, u64 } from '../../../tests/support/borsh-bytes.ts';
import { address, type InstructionDraft } from '../../../tests/support/build-transaction.ts';
import { PURCHASE } from '../../../tests/support/pool-legs.ts';
import {
  accountList,
  BASE_MINT,
  decodeDraft,
  payIn,
  payOut,
  vaultBalances,
} from '../../../tests/support/pool-transaction.ts';
import { USDC, WRAPPED_SOL } from '../../model/program.ts';
import { orcaWhirlpool } from '../programs/orca-whirlpool.ts';
import { whirlpoolLayout } from './whirlpool-layout.ts';

// 150 USDC buy 30 SOL on the first pool, which buy 40 base tokens on the second.
const BALANCES = [
  ...vaultBalances(PURCHASE.vaults),
  balance('usdc vault', USDC, 'first pool', [1_000n, 1_150n]),
  balance('sol vault', WRAPPED_SOL, 'first pool', [200n, 170n]),
  balance('user usdc', USDC, 'wallet', [150n, 0n]),
  balance('user base', BASE_MINT, 'wallet', [0n, 40n]),
];

const THROUGH_THE_USER = {
  name: 'two_hop_swap',
  accounts: accountList(20, {
    1: 'wallet',
    2: 'first pool',
    3: 'pool',
    4: 'user sol',
    5: 'sol vault',
    6: 'user usdc',
    7: 'usdc vault',
    8: 'user sol',
    9: 'quote vault',
    10: 'user base',
    11: 'base vault',
  }),
  inner: [
    payIn('user usdc', 'usdc vault', 150n),
    payOut('sol vault', 'user sol', 30n),
    ...PURCHASE.legs,
  ],
  places: [2, 4],
} as const;

const FROM_POOL_TO_POOL = {
  name: 'two_hop_swap_v2',
  accounts: accountList(24, {
    0: 'first pool',
    1: 'pool',
    8: 'user usdc',
    9: 'usdc vault',
    10: 'sol vault',
    11: 'quote vault',
    12: 'base vault',
    13: 'user base',
    14: 'wallet',
  }),
  inner: [
    payIn('user usdc', 'usdc vault', 150n),
    payOut('sol vault', 'quote vault', 30n),
    payOut('base vault', 'user base', 40n),
  ],
  places: [2, 3],
} as const;

const FORMS = [THROUGH_THE_USER, FROM_POOL_TO_POOL];

describe('a swap through two Whirlpools', () => {
  test.each(FORMS)('is one swap on each, at the position of its payment, for $name', (form) => {
    const { events, outcomes } = decode(form.name, form.accounts, form.inner);
    const shared = {
      kind: 'swap',
      outerIx: 0,
      venue: 'orca_whirlpool',
      trader: address('wallet'),
      side: 'buy',
      router: address('caller'),
      isAtomicRoundTrip: false,
      isPureArbitrage: false,
      quarantine: null,
    };
    expect(events).toMatchObject([
      {
        ...shared,
        innerIx: form.places[0],
        pool: address('first pool'),
        baseMint: WRAPPED_SOL,
        quoteMint: USDC,
        poolBaseDelta: -30n,
        poolQuoteDelta: 150n,
        traderBaseDelta: 30n,
        traderQuoteDelta: -150n,
        reserves: { base: 170n, quote: 1_150n },
      },
      {
        ...shared,
        innerIx: form.places[1],
        pool: address('pool'),
        baseMint: BASE_MINT,
        quoteMint: WRAPPED_SOL,
        poolBaseDelta: -40n,
        poolQuoteDelta: 30n,
        traderBaseDelta: 40n,
        traderQuoteDelta: -30n,
        reserves: { base: 60n, quote: 130n },
      },
    ]);
    expect(outcomes.orca_whirlpool).toMatchObject({ event: 1, malformed: 0 });
  });

  test.each(FORMS)('is ignored when nothing moved, for $name', ({ name, accounts }) => {
    const { events, outcomes } = decode(name, accounts, []);
    expect(events).toEqual([]);
    expect(outcomes.orca_whirlpool).toMatchObject({ ignored: 1, malformed: 0 });
  });

  test.each(FORMS)('is malformed with too few accounts, for $name', ({ name, accounts, inner }) => {
    const { events, problems } = decode(name, accounts.slice(0, 11), inner);
    expect(events).toEqual([]);
    expect(problems).toMatchObject([{ problem: 'malformed', reason: 'too few accounts' }]);
  });

  test('is malformed when a pool was paid and paid nothing', () => {
    const { name, accounts, inner } = THROUGH_THE_USER;
    const { events, problems } = decode(name, accounts, inner.slice(0, 3));
    expect(events).toEqual([]);
    expect(problems).toMatchObject([{ reason: 'a hop that pays nothing out' }]);
  });
});

function balance(account: string, mint: string, owner: string, change: readonly [bigint, bigint]) {
  const [before, after] = change;
  return { account: address(account), mint, owner: address(owner), before, after };
}

function decode(
  name: (typeof FORMS)[number]['name'],
  accounts: readonly string[],
  inner: readonly InstructionDraft[],
) {
  const data = concat(hex(whirlpoolLayout.instructions[name].discriminator), u64(1n));
  const swap = { program: orcaWhirlpool.programId, accounts, data, inner };
  return decodeDraft({
    instructions: [{ program: address('caller'), inner: [swap] }],
    tokenBalances: BALANCES,
  });
}
