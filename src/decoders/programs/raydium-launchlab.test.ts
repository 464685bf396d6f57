import { describe, expect, test } from 'vitest';
import { concat, hex, key, u8, u64 } from '../../../tests/support/borsh-bytes.ts';
import { address, type InstructionDraft } from '../../../tests/support/build-transaction.ts';
import { describeDecoderLaws, selfEventOf } from '../../../tests/support/decoder-laws.ts';
import { boughtFrom } from '../../../tests/support/pool-events.ts';
import {
  accountList,
  BASE_MINT,
  decodeDraft,
  payIn,
  payOut,
  type VaultChanges,
  vaultBalances,
} from '../../../tests/support/pool-transaction.ts';
import { mintTo } from '../../../tests/support/token-instructions.ts';
import { SPL_TOKEN_PROGRAM, TOKEN_2022_PROGRAM, USDC, WRAPPED_SOL } from '../../model/program.ts';
import { launchlabLayout } from '../families/launchlab-layout.ts';
import { raydiumCpmm, raydiumCpmmLayout } from './raydium-cpmm.ts';
import { raydiumLaunchlab } from './raydium-launchlab.ts';

type Name = keyof typeof launchlabLayout.instructions;

const TRADE = accountList(15, {
  0: 'wallet',
  4: 'pool',
  5: 'user base',
  6: 'user sol',
  7: 'base vault',
  8: 'quote vault',
});
// 1,000 virtual base and 100 virtual quote: 25 quote buy 200 base; the trader pays 3 more in fees,
// 1 of which leaves for another account.
const BUY = [
  payIn('user sol', 'quote vault', 27n),
  payOut('base vault', 'user base', 200n),
  payIn('user sol', 'fee vault', 1n),
];
const BOUGHT: VaultChanges = { base: [900n, 700n], quote: [0n, 27n] };

describe('a launchpad buy', () => {
  test.each(['buy_exact_in', 'buy_exact_out'] as const)('is read from %s', (name) => {
    expect(decode(name, TRADE, [tradeEvent(200n, 25n, 0), ...BUY], BOUGHT).events).toEqual([
      boughtFrom('raydium_launchlab', {
        poolBaseDelta: -200n,
        poolQuoteDelta: 27n,
        traderBaseDelta: 200n,
        traderQuoteDelta: -28n,
        reserves: { base: 700n, quote: 27n, virtualBase: 800n, virtualQuote: 125n },
        feeQuoteRaw: 3n,
      }),
    ]);
  });

  test('is read without its event; data that only the event has is unknown', () => {
    expect(decode('buy_exact_in', TRADE, BUY, BOUGHT).events).toMatchObject([
      {
        poolBaseDelta: -200n,
        poolQuoteDelta: 27n,
        reserves: { base: 700n, quote: 27n, virtualBase: null, virtualQuote: null },
        feeQuoteRaw: null,
        quarantine: null,
      },
    ]);
  });

  test('completes the curve when its event says so', () => {
    const { events } = decode('buy_exact_in', TRADE, [tradeEvent(200n, 25n, 1), ...BUY], BOUGHT);
    expect(events.slice(1)).toEqual([
      {
        kind: 'curveComplete',
        outerIx: 0,
        innerIx: -1,
        venue: 'raydium_launchlab',
        mint: BASE_MINT,
        pool: address('pool'),
      },
    ]);
  });

  test('is quarantined when its event reports other tokens', () => {
    const { events } = decode('buy_exact_in', TRADE, [tradeEvent(199n, 25n, 0), ...BUY], BOUGHT);
    expect(events).toMatchObject([
      { poolBaseDelta: -200n, quarantine: 'event says 199 tokens, 200 moved' },
    ]);
  });

  test('is malformed when its event ends early', () => {
    const short = selfEventOf(raydiumLaunchlab, EVENT_TAG, u64(1n));
    const { events, problems } = decode('buy_exact_in', TRADE, [short, ...BUY], BOUGHT);
    expect(events).toEqual([]);
    expect(problems).toMatchObject([{ reason: 'TradeEvent ends inside its fields' }]);
  });

  test('keeps the launched token as its base, whatever it is paid with', () => {
    // By the mints alone, USDC would be the quote.
    const balances = vaultBalances(BOUGHT).map((balance) =>
      balance.mint === BASE_MINT ? { ...balance, mint: USDC } : balance,
    );
    const data = dataOf('buy_exact_in');
    const buy = { program: raydiumLaunchlab.programId, accounts: TRADE, data, inner: BUY };
    const { events } = decodeDraft({ instructions: [buy], tokenBalances: balances });
    expect(events).toMatchObject([{ baseMint: USDC, quoteMint: WRAPPED_SOL, side: 'buy' }]);
  });
});

test.each(['sell_exact_in', 'sell_exact_out'] as const)(
  'a launchpad sell is read from %s',
  (name) => {
    const inner = [
      tradeEvent(-200n, -25n, 0),
      payIn('user base', 'base vault', 200n),
      payOut('quote vault', 'user sol', 22n),
    ];
    const sold: VaultChanges = { base: [700n, 900n], quote: [25n, 3n] };
    expect(decode(name, TRADE, inner, sold).events).toMatchObject([
      {
        side: 'sell',
        poolBaseDelta: 200n,
        poolQuoteDelta: -22n,
        traderBaseDelta: -200n,
        traderQuoteDelta: 22n,
        reserves: { base: 900n, quote: 3n, virtualBase: 1_000n, virtualQuote: 100n },
        feeQuoteRaw: 3n,
        quarantine: null,
      },
    ]);
  },
);

describe('a launch', () => {
  const named = {
    0: 'payer',
    1: 'creator',
    5: 'pool',
    8: 'base vault',
    9: 'quote vault',
  };

  test.each([
    { name: 'initialize', programAt: 11, program: SPL_TOKEN_PROGRAM },
    { name: 'initialize_v2', programAt: 11, program: SPL_TOKEN_PROGRAM },
    { name: 'initialize_with_token_2022', programAt: 10, program: TOKEN_2022_PROGRAM },
  ] as const)('is read from $name, with the supply it minted', ({ name, programAt, program }) => {
    const accounts = accountList(18, named).with(6, BASE_MINT).with(7, WRAPPED_SOL);
    const inner = [mintTo(BASE_MINT, 'base vault', 900n)];
    const minted: VaultChanges = { base: [0n, 900n], quote: [0n, 0n] };
    expect(decode(name, accounts.with(programAt, program), inner, minted).events).toEqual([
      {
        kind: 'launch',
        outerIx: 0,
        innerIx: -1,
        venue: 'raydium_launchlab',
        mint: BASE_MINT,
        quoteMint: WRAPPED_SOL,
        pool: address('pool'),
        creator: address('creator'),
        tokenProgram: program,
        supply: 900n,
        reserves: { base: 900n, quote: 0n, virtualBase: null, virtualQuote: null },
      },
    ]);
  });

  test('is malformed with too few accounts', () => {
    const { problems } = decode('initialize', accountList(11, named), [], null);
    expect(problems).toMatchObject([{ problem: 'malformed', reason: 'too few accounts' }]);
  });
});

describe('a migration', () => {
  const filled = [payOut('base vault', 'new base', 150n), payOut('quote vault', 'new quote', 25n)];
  const balances = [
    ...vaultBalances({ base: [150n, 0n], quote: [30n, 5n] }),
    newVault('new base', BASE_MINT, 150n),
    newVault('new quote', WRAPPED_SOL, 25n),
  ];
  const cpmm = accountList(28, {
    5: 'new pool',
    8: 'new base',
    9: 'new quote',
    17: 'pool',
    19: 'base vault',
  }).with(1, BASE_MINT);
  const amm = accountList(32, {
    13: 'new pool',
    17: 'new base',
    18: 'new quote',
    23: 'pool',
  }).with(1, BASE_MINT);
  const migrate = {
    kind: 'migrate',
    outerIx: 0,
    innerIx: -1,
    venue: 'raydium_launchlab',
    mint: BASE_MINT,
    fromPool: address('pool'),
    toPool: address('new pool'),
    baseRaw: 150n,
    quoteRaw: 25n,
  };

  test('moves to the pool created by the instruction below it', () => {
    const named = { 0: 'authority', 3: 'new pool', 10: 'new base', 11: 'new quote', 6: 'lp mint' };
    const opened = {
      program: raydiumCpmm.programId,
      accounts: accountList(20, named),
      data: hex(raydiumCpmmLayout.instructions.initialize.discriminator),
      inner: filled,
    };
    const { events } = decodeWith('migrate_to_cpswap', cpmm, [opened], balances);
    expect(events).toMatchObject([
      migrate,
      { kind: 'poolCreated', venue: 'raydium_cpmm', innerIx: 0, baseRaw: 150n, quoteRaw: 25n },
    ]);
  });

  test('to the older program is read in the same way', () => {
    expect(decodeWith('migrate_to_amm', amm, filled, balances).events).toEqual([migrate]);
  });

  test.each([
    ['a migration that did not fill a pool', cpmm, filled.slice(0, 1)],
    ['too few accounts', cpmm.slice(0, 17), filled],
  ])('is malformed: %s', (reason, accounts, inner) => {
    const { events, problems } = decodeWith('migrate_to_cpswap', accounts, inner, balances);
    expect(events).toEqual([]);
    expect(problems).toMatchObject([{ problem: 'malformed', reason }]);
  });
});

describeDecoderLaws('the launchpad decoder', raydiumLaunchlab, launchlabLayout);

const EVENT_TAG = launchlabLayout.events.TradeEvent.discriminator;

/** On a curve of 1,000 virtual base and 100 virtual quote; a sell starts at the end of the buy. */
function tradeEvent(baseSold: bigint, raised: bigint, status: number): InstructionDraft {
  const start = baseSold < 0n ? ([-baseSold, -raised] as const) : ([0n, 0n] as const);
  const end = [start[0] + baseSold, start[1] + raised];
  const amounts = [5_000n, 1_000n, 100n, ...start, ...end, 28n, 200n, 1n, 1n, 1n, 0n];
  const fields = [key(address('pool')), ...amounts.map(u64), u8(0), u8(status), u8(1)];
  return selfEventOf(raydiumLaunchlab, EVENT_TAG, ...fields);
}

function newVault(account: string, mint: string, after: bigint) {
  return { account: address(account), mint, owner: address('pool authority'), after };
}

function dataOf(name: Name): Uint8Array {
  return concat(hex(launchlabLayout.instructions[name].discriminator), u64(1n), u64(2n));
}

function decode(
  name: Name,
  accounts: readonly string[],
  inner: readonly InstructionDraft[],
  changes: VaultChanges | null,
) {
  return decodeWith(name, accounts, inner, changes === null ? [] : vaultBalances(changes));
}

function decodeWith(
  name: Name,
  accounts: readonly string[],
  inner: readonly InstructionDraft[],
  tokenBalances: ReturnType<typeof newVault>[] | ReturnType<typeof vaultBalances>,
) {
  const instruction = { program: raydiumLaunchlab.programId, accounts, data: dataOf(name), inner };
  return decodeDraft({ instructions: [instruction], tokenBalances });
}
