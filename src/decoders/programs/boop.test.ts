import bs58 from 'bs58';
import { describe, expect, test } from 'vitest';
import { concat, hex, key, u64 } from '../../../tests/support/borsh-bytes.ts';
import { address, type InstructionDraft } from '../../../tests/support/build-transaction.ts';
import { describeDecoderLaws } from '../../../tests/support/decoder-laws.ts';
import { boughtFrom } from '../../../tests/support/pool-events.ts';
import { accountList, BASE_MINT, decodeDraft } from '../../../tests/support/pool-transaction.ts';
import { mintTo, sendLamports, transfer } from '../../../tests/support/token-instructions.ts';
import { programAddress } from '../../lib/program-address.ts';
import { WRAPPED_SOL } from '../../model/program.ts';
import { boop, boopLayout } from './boop.ts';

const { instructions: LAYOUT } = boopLayout;
const SOL_VAULT = address('sol vault');
const CURVE_ACCOUNTS = { 0: 'base mint', 2: 'fees', 3: 'base vault', 4: 'sol vault' };
const BUY = accountList(13, { ...CURVE_ACCOUNTS, 5: 'user base', 6: 'wallet' });
const SALE = accountList(12, {
  ...CURVE_ACCOUNTS,
  5: 'user base',
  6: 'wallet',
  7: 'wallet',
});

describe('a trade on a Boop curve', () => {
  test('buys tokens with lamports for the curve, fees on top', () => {
    const inner = [
      sendLamports('wallet', 'sol vault', 1_000n),
      sendLamports('wallet', 'fees', 10n),
      transfer({ from: 'base vault', to: 'user base', by: 'authority', amount: 5_000n }),
    ];
    const changes = { base: [9_000n, 4_000n], sol: [890_880n, 891_880n] } as const;
    expect(decode(LAYOUT.buy_token.discriminator, BUY, inner, changes).events).toMatchObject([
      boughtFrom('boop', {
        baseDecimals: 9,
        reserves: null,
        pool: SOL_VAULT,
        poolBaseDelta: -5_000n,
        poolQuoteDelta: 1_000n,
        traderBaseDelta: 5_000n,
        traderQuoteDelta: -1_010n,
        feeQuoteRaw: 10n,
      }),
    ]);
  });

  test('sells tokens for lamports of the curve, less fees', () => {
    const inner = [
      transfer({ from: 'user base', to: 'base vault', by: 'wallet', amount: 5_000n }),
      sendLamports('sol vault', 'wallet', 990n),
      sendLamports('sol vault', 'fees', 10n),
    ];
    const changes = { base: [4_000n, 9_000n], sol: [891_880n, 890_880n] } as const;
    expect(decode(LAYOUT.sell_token.discriminator, SALE, inner, changes).events).toMatchObject([
      {
        side: 'sell',
        poolBaseDelta: 5_000n,
        poolQuoteDelta: -1_000n,
        traderBaseDelta: -5_000n,
        traderQuoteDelta: 990n,
        feeQuoteRaw: 10n,
        quarantine: null,
      },
    ]);
    const contradicted = { ...changes, sol: [891_880n, 890_879n] as const };
    expect(decode(LAYOUT.sell_token.discriminator, SALE, inner, contradicted).events).toMatchObject(
      [{ quarantine: 'curve gained -1001 lamports, its swaps explain -1000' }],
    );
  });

  test('is malformed when both legs have the same direction or accounts are missing', () => {
    const inner = [
      transfer({ from: 'user base', to: 'base vault', by: 'wallet', amount: 5_000n }),
      sendLamports('wallet', 'sol vault', 990n),
    ];
    const changes = { base: [4_000n, 9_000n], sol: [0n, 990n] } as const;
    const { discriminator } = LAYOUT.sell_token;
    const reasons = [SALE, SALE.slice(0, 4)].map(
      (accounts) => decode(discriminator, accounts, inner, changes).problems[0]?.reason,
    );
    expect(reasons).toEqual(['both legs moved the same way', 'too few accounts']);
  });
});

describe('the life of a Boop curve', () => {
  const supply = { base: [0n, 900n], sol: [0n, 0n] } as const;

  test.each(['deploy_bonding_curve', 'deploy_bonding_curve_fallback'] as const)(
    'begins with %s for the creator in its arguments',
    (name) => {
      const accounts = accountList(10, { 0: 'base mint', 3: 'sol vault', 4: 'base vault' });
      const data = concat(hex(LAYOUT[name].discriminator), key(address('creator')), u64(1n));
      const inner = [mintTo(BASE_MINT, 'base vault', 900n)];
      expect(decode(data, accounts, inner, supply).events).toMatchObject([
        {
          kind: 'launch',
          venue: 'boop',
          mint: BASE_MINT,
          pool: SOL_VAULT,
          creator: address('creator'),
          supply: 900n,
          reserves: { base: 900n, quote: 0n },
        },
      ]);
      const cut = decode(data.subarray(0, 39), accounts, inner, supply);
      expect(cut.problems).toMatchObject([{ reason: 'arguments end early' }]);
    },
  );

  test('is complete when it graduates', () => {
    const accounts = accountList(15, { 0: 'base mint', 6: 'sol vault' });
    const { events } = decode(LAYOUT.graduate.discriminator, accounts, [], supply);
    expect(events).toMatchObject([
      { kind: 'curveComplete', venue: 'boop', mint: BASE_MINT, pool: SOL_VAULT },
    ]);
    const short = decode(LAYOUT.graduate.discriminator, accounts.slice(0, 6), [], supply);
    expect(short.problems).toMatchObject([{ reason: 'too few accounts' }]);
  });
});

describe('the successor pool of a Boop curve', () => {
  const raydium = accountList(22, { 3: 'pool', 9: 'base vault', 10: 'wsol vault' });
  const meteora = accountList(21, { 5: 'pool', 14: 'base vault', 15: 'wsol vault' });
  const opened = {
    program: address('pool program'),
    inner: [
      transfer({ from: 'base vault', to: 'pool base', by: 'authority', amount: 700n }),
      transfer({ from: 'wsol vault', to: 'pool sol', by: 'authority', amount: 80n }),
    ],
  };
  const seeds = [new TextEncoder().encode('bonding_curve_sol_vault'), key(BASE_MINT)];
  const derived = programAddress(seeds, bs58.decode(boop.programId)) ?? new Uint8Array(0);

  test.each([
    ['create_raydium_pool', raydium.with(4, BASE_MINT).with(5, WRAPPED_SOL)],
    ['create_raydium_random_pool', raydium.with(4, WRAPPED_SOL).with(5, BASE_MINT)],
    ['create_meteora_pool', meteora.with(9, BASE_MINT).with(10, WRAPPED_SOL)],
  ] as const)('by %s receives the outflow of the vaults', (name, accounts) => {
    const changes = { base: [700n, 0n], sol: [0n, 0n] } as const;
    const { discriminator } = LAYOUT[name];
    expect(decode(discriminator, accounts, [opened], changes).events).toEqual([
      {
        kind: 'migrate',
        outerIx: 0,
        innerIx: -1,
        venue: 'boop',
        mint: BASE_MINT,
        fromPool: bs58.encode(derived),
        toPool: address('pool'),
        baseRaw: 700n,
        quoteRaw: 80n,
      },
    ]);
    expect(decode(discriminator, accounts, [], changes).outcomes.boop?.ignored).toBe(1);
    const short = decode(discriminator, accounts.slice(0, 9), [opened], changes);
    expect(short.problems).toMatchObject([{ reason: 'too few accounts' }]);
  });

  test('is malformed when the curve received tokens instead', () => {
    const inner = [transfer({ from: 'pool base', to: 'base vault', by: 'wallet', amount: 700n })];
    const changes = { base: [0n, 700n], sol: [0n, 0n] } as const;
    const { discriminator } = LAYOUT.create_raydium_pool;
    const accounts = raydium.with(4, BASE_MINT).with(5, WRAPPED_SOL);
    expect(decode(discriminator, accounts, inner, changes).problems).toMatchObject([
      { reason: 'the curve received tokens' },
    ]);
  });
});

describeDecoderLaws('Boop', boop, boopLayout);

interface Changes {
  readonly base: readonly [bigint, bigint];
  /** Lamports of the SOL vault. */
  readonly sol: readonly [bigint, bigint];
}

function decode(
  start: string | Uint8Array,
  accounts: readonly string[],
  inner: readonly InstructionDraft[],
  { base, sol }: Changes,
) {
  const data = typeof start === 'string' ? concat(hex(start), u64(1n), u64(2n)) : start;
  const owner = address('authority');
  const [before, after] = base;
  const { events, ...rest } = decodeDraft({
    instructions: [{ program: boop.programId, accounts, data, inner }],
    tokenBalances: [
      { account: address('base vault'), mint: BASE_MINT, owner, decimals: 9, before, after },
    ],
    lamports: { [SOL_VAULT]: sol },
  });
  return { events: events.filter(({ kind }) => kind !== 'solTransfer'), ...rest };
}
