import { describe, expect, test } from 'vitest';
import { address } from '../../../tests/support/build-transaction.ts';
import { describeDecoderLaws } from '../../../tests/support/decoder-laws.ts';
import { boughtFrom, createdBy } from '../../../tests/support/pool-events.ts';
import { DEPOSIT, PURCHASE } from '../../../tests/support/pool-legs.ts';
import { decoderOnPool } from '../../../tests/support/pool-program.ts';
import {
  accountList,
  BASE_MINT,
  payOut,
  type VaultChanges,
} from '../../../tests/support/pool-transaction.ts';
import { mintTo } from '../../../tests/support/token-instructions.ts';
import { WRAPPED_SOL } from '../../model/program.ts';
import { heaven, heavenLayout } from './heaven.ts';

const decode = decoderOnPool(heaven);

const { instructions: LAYOUT } = heavenLayout;
const TRADE = accountList(14, {
  4: 'pool',
  5: 'wallet',
  8: 'user base',
  9: 'user sol',
  10: 'base vault',
  11: 'quote vault',
});
const LIQUIDITY = accountList(15, {
  4: 'pool',
  5: 'wallet',
  11: 'base vault',
  12: 'quote vault',
});
const CREATE = accountList(14, {
  3: 'wallet',
  5: 'base mint',
  7: 'user base',
  8: 'base vault',
  9: 'quote vault',
  10: 'pool',
  12: 'token program',
}).with(6, WRAPPED_SOL);

describe('a trade on Heaven', () => {
  test.each(['buy', 'sell', 'pro_buy', 'pro_sell'] as const)('is read from %s', (name) => {
    const inner = PURCHASE.legs;
    const changes: VaultChanges = PURCHASE.vaults;
    expect(decode(LAYOUT[name].discriminator, TRADE, inner, changes).events).toMatchObject([
      boughtFrom('heaven'),
    ]);
  });

  test('is ignored when nothing moved, malformed without its accounts', () => {
    const still: VaultChanges = { base: [1n, 1n], quote: [1n, 1n] };
    const { discriminator } = LAYOUT.buy;
    expect(decode(discriminator, TRADE, [], still).outcomes.heaven?.ignored).toBe(1);
    expect(decode(discriminator, TRADE.slice(0, 11), [], still).problems).toMatchObject([
      { problem: 'malformed', reason: 'too few accounts' },
    ]);
  });
});

describe('a pro pool on Heaven', () => {
  test('accepts deposits and withdrawals', () => {
    const added = decode(LAYOUT.add_liquidity_pro_pool.discriminator, LIQUIDITY, DEPOSIT.legs, {
      base: [0n, 10n],
      quote: [0n, 20n],
    });
    const withdrawal = [payOut('base vault', 'user base', 10n)];
    const removed = decode(LAYOUT.remove_liquidity_pro_pool.discriminator, LIQUIDITY, withdrawal, {
      base: [10n, 0n],
      quote: [20n, 20n],
    });
    expect([...added.events, ...removed.events]).toMatchObject([
      { kind: 'liquidity', poolBaseDelta: 10n, poolQuoteDelta: 20n, lpDelta: null },
      { kind: 'liquidity', poolBaseDelta: -10n, poolQuoteDelta: 0n, lpDelta: null },
    ]);
  });

  test('is created with the balances of its vaults afterwards', () => {
    const changes: VaultChanges = { base: [0n, 10n], quote: [0n, 20n] };
    const { discriminator } = LAYOUT.create_pro_liquidity_pool;
    expect(decode(discriminator, CREATE, DEPOSIT.legs, changes).events).toMatchObject([
      createdBy('heaven', { baseRaw: 10n, quoteRaw: 20n }),
    ]);
  });
});

describe('a standard pool on Heaven', () => {
  const { discriminator } = LAYOUT.create_standard_liquidity_pool;
  const minted = mintTo(BASE_MINT, 'base vault', 900n);
  const launch = {
    kind: 'launch',
    venue: 'heaven',
    mint: BASE_MINT,
    quoteMint: WRAPPED_SOL,
    pool: address('pool'),
    creator: address('wallet'),
    supply: 900n,
  };

  test('launches a token with its whole supply', () => {
    const changes: VaultChanges = { base: [0n, 900n], quote: [0n, 0n] };
    expect(decode(discriminator, CREATE, [minted], changes).events).toMatchObject([
      { ...launch, reserves: { base: 900n, quote: 0n, virtualBase: null, virtualQuote: null } },
    ]);
  });

  test('yields the buy its creator made in the same instruction', () => {
    const inner = [minted, ...PURCHASE.legs];
    const changes: VaultChanges = { base: [0n, 860n], quote: [0n, 30n] };
    expect(decode(discriminator, CREATE, inner, changes).events).toMatchObject([
      { ...launch, reserves: { base: 860n, quote: 30n } },
      { kind: 'swap', side: 'buy', poolBaseDelta: -40n, poolQuoteDelta: 30n, quarantine: null },
    ]);
  });

  test('is malformed without its accounts', () => {
    const still: VaultChanges = { base: [1n, 1n], quote: [1n, 1n] };
    expect(decode(discriminator, CREATE.slice(0, 12), [], still).problems).toMatchObject([
      { problem: 'malformed', reason: 'too few accounts' },
    ]);
  });
});

describeDecoderLaws('Heaven', heaven, heavenLayout);
