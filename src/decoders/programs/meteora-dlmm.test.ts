import { describe, expect, test } from 'vitest';
import { concat, flag, key, u32, u64 } from '../../../tests/support/borsh-bytes.ts';
import { address, type InstructionDraft } from '../../../tests/support/build-transaction.ts';
import { describeDecoderLaws, selfEventOf } from '../../../tests/support/decoder-laws.ts';
import { addedTo, boughtFrom, createdBy } from '../../../tests/support/pool-events.ts';
import { DEPOSIT, PURCHASE, SALE } from '../../../tests/support/pool-legs.ts';
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
import { WRAPPED_SOL } from '../../model/program.ts';
import { meteoraDlmmLayout } from '../families/meteora-dlmm-layout.ts';
import { meteoraDlmm } from './meteora-dlmm.ts';

const { draft, decode } = poolProgram(meteoraDlmm, meteoraDlmmLayout);

const SWAP = { 0: 'pool', 2: 'base vault', 3: 'quote vault', 10: 'wallet' };
const BUY = accountList(16, { ...SWAP, 4: 'user sol', 5: 'user base' });
const SELL = accountList(16, { ...SWAP, 4: 'user base', 5: 'user sol' });
const STILL: VaultChanges = { base: [100n, 100n], quote: [100n, 100n] };

describe('a Meteora DLMM swap', () => {
  test.each([
    'swap',
    'swap2',
    'swap_exact_out',
    'swap_exact_out2',
    'swap_with_price_impact',
    'swap_with_price_impact2',
  ] as const)('is read from %s, with the fee of its event', (name) => {
    const { events } = decode(name, BUY, [...PURCHASE.legs, swapEvent(3n)], PURCHASE.vaults);
    expect(events).toEqual([boughtFrom('meteora_dlmm', { feeQuoteRaw: 3n })]);
  });

  test('has no fee in quote when the fee was taken in the base token', () => {
    const inner = [...SALE.legs, swapEvent(3n)];
    const { events } = decode('swap', SELL, inner, SALE.vaults);
    expect(events).toMatchObject([
      { side: 'sell', poolBaseDelta: 40n, poolQuoteDelta: -30n, feeQuoteRaw: null },
    ]);
  });

  test('has no known fee when a later program states that it may be in either token', () => {
    const later = selfEventOf(meteoraDlmm, meteoraDlmmLayout.events.Swap2Evt.discriminator);
    const { events } = decode(
      'swap2',
      BUY,
      [...PURCHASE.legs, swapEvent(3n), later],
      PURCHASE.vaults,
    );
    expect(events).toMatchObject([{ side: 'buy', feeQuoteRaw: null }]);
  });

  test('is ignored when it moved nothing, malformed when it is truncated', () => {
    expect(decode('swap', BUY, [], STILL).outcomes.meteora_dlmm?.ignored).toBe(1);
    const halved = decode('swap', BUY, PURCHASE.legs.slice(0, 1), STILL);
    expect(halved.problems).toMatchObject([{ reason: 'only one vault moved' }]);
    expect(decode('swap', BUY.slice(0, 3), PURCHASE.legs, PURCHASE.vaults).problems).toMatchObject([
      { problem: 'malformed', reason: 'too few accounts' },
    ]);
    const { discriminator } = meteoraDlmmLayout.events.Swap;
    const short = selfEventOf(meteoraDlmm, discriminator, new Uint8Array(96));
    expect(decode('swap', BUY, [...PURCHASE.legs, short], PURCHASE.vaults).problems).toMatchObject([
      { problem: 'malformed', reason: 'swap event ends inside its fields' },
    ]);
  });
});

describe('Meteora DLMM liquidity', () => {
  test.each([
    ['add_liquidity', 11],
    ['add_liquidity_by_weight', 11],
    ['add_liquidity_by_strategy', 11],
    ['add_liquidity2', 9],
    ['add_liquidity_by_weight2', 9],
    ['add_liquidity_by_strategy2', 9],
  ] as const)('is added by %s', (name, sender) => {
    const inner = DEPOSIT.legs;
    const changes: VaultChanges = DEPOSIT.vaults;
    expect(decode(name, pairAccounts(sender), inner, changes).events).toEqual([
      addedTo('meteora_dlmm'),
    ]);
  });

  test.each([
    ['remove_liquidity', 11],
    ['remove_all_liquidity', 11],
    ['remove_liquidity_by_range', 11],
    ['remove_liquidity2', 9],
    ['remove_liquidity_by_range2', 9],
  ] as const)('is removed by %s, even from one bin with one token', (name, sender) => {
    const inner = [payOut('base vault', 'user base', 10n)];
    const changes: VaultChanges = { base: [110n, 100n], quote: [220n, 220n] };
    expect(decode(name, pairAccounts(sender), inner, changes).events).toMatchObject([
      { kind: 'liquidity', provider: address('wallet'), poolBaseDelta: -10n, poolQuoteDelta: 0n },
    ]);
  });

  test('is shifted from one token to the other by a rebalancing', () => {
    const inner = [payOut('base vault', 'user base', 10n), payIn('user sol', 'quote vault', 7n)];
    const changes: VaultChanges = { base: [110n, 100n], quote: [220n, 227n] };
    const { events } = decode('rebalance_liquidity', pairAccounts(9), inner, changes);
    expect(events).toMatchObject([
      { kind: 'liquidity', provider: address('wallet'), poolBaseDelta: -10n, poolQuoteDelta: 7n },
    ]);
  });

  test('of zero is ignored', () => {
    const { outcomes } = decode('add_liquidity2', pairAccounts(9), [], STILL);
    expect(outcomes.meteora_dlmm).toMatchObject({ ignored: 1, event: 0 });
  });
});

describe('one-sided Meteora DLMM liquidity', () => {
  const names = [
    ['add_liquidity_one_side', 8],
    ['add_liquidity_by_strategy_one_side', 8],
    ['add_liquidity_one_side_precise', 8],
    ['add_liquidity_one_side_precise2', 6],
  ] as const;
  const inner = [payIn('user base', 'base vault', 10n)];
  const tokenBalances = vaultBalances({ base: [100n, 110n], quote: [200n, 200n] });

  test.each(names)('by %s is read when the pool is named with both reserves', (name, sender) => {
    const named = draft('remove_all_liquidity', pairAccounts(11), []);
    const added = draft(name, oneSideAccounts('base vault', sender), inner);
    const { events } = decodeDraft({ instructions: [named, added], tokenBalances });
    expect(events).toMatchObject([
      {
        kind: 'liquidity',
        outerIx: 1,
        pool: address('pool'),
        baseMint: BASE_MINT,
        quoteMint: WRAPPED_SOL,
        provider: address('wallet'),
        poolBaseDelta: 10n,
        poolQuoteDelta: 0n,
      },
    ]);
  });

  test('is ignored when the record does not show the other token', () => {
    const alone = draft('add_liquidity_one_side', oneSideAccounts('base vault', 8), inner);
    const otherPool = accountList(16, { 1: 'other pool', 5: 'base vault', 6: 'quote vault' });
    const elsewhere = draft('remove_all_liquidity', otherPool, []);
    const { events, outcomes } = decodeDraft({ instructions: [elsewhere, alone], tokenBalances });
    expect(events).toEqual([]);
    expect(outcomes.meteora_dlmm).toMatchObject({ ignored: 2, malformed: 0 });
  });

  test('is malformed without its accounts', () => {
    const accounts = oneSideAccounts('base vault', 8).slice(0, 8);
    const short = draft('add_liquidity_one_side', accounts, inner);
    expect(decodeDraft({ instructions: [short], tokenBalances }).problems).toMatchObject([
      { problem: 'malformed', reason: 'too few accounts' },
    ]);
  });
});

describe('a new Meteora DLMM pool', () => {
  const standard = { 0: 'pool', 4: 'base vault', 5: 'quote vault', 8: 'wallet' };
  const empty: VaultChanges = { base: [0n, 0n], quote: [0n, 0n] };

  test.each([
    ['initialize_lb_pair', standard],
    ['initialize_lb_pair2', standard],
    ['initialize_customizable_permissionless_lb_pair', standard],
    ['initialize_customizable_permissionless_lb_pair2', standard],
    [
      'initialize_permission_lb_pair',
      { 1: 'pool', 5: 'base vault', 6: 'quote vault', 8: 'wallet' },
    ],
  ] as const)('created by %s is empty', (name, named) => {
    expect(decode(name, accountList(17, named), [], empty).events).toMatchObject([
      createdBy('meteora_dlmm'),
    ]);
  });

  test('is left to its first position when the record has no balances', () => {
    const opened = draft('initialize_lb_pair', accountList(14, standard), []);
    const { outcomes } = decodeDraft({ instructions: [opened] });
    expect(outcomes.meteora_dlmm).toMatchObject({ ignored: 1, malformed: 0 });
  });

  test('is malformed without its accounts', () => {
    const accounts = accountList(8, standard);
    expect(decode('initialize_lb_pair', accounts, [], empty).problems).toMatchObject([
      { problem: 'malformed', reason: 'too few accounts' },
    ]);
  });
});

describeDecoderLaws('a Meteora DLMM decoder', meteoraDlmm, meteoraDlmmLayout);

function pairAccounts(sender: number) {
  return accountList(17, { 1: 'pool', 5: 'base vault', 6: 'quote vault', [sender]: 'wallet' });
}

function oneSideAccounts(reserve: string, sender: number) {
  return accountList(12, { 1: 'pool', 4: reserve, [sender]: 'wallet' });
}

/** Pool, trader, bins, amounts, direction and fee; what follows the fee is not read. */
function swapEvent(fee: bigint): InstructionDraft {
  const amounts = [u64(30n), u64(40n), flag(false), u64(fee), u64(1n), new Uint8Array(24)];
  return selfEventOf(
    meteoraDlmm,
    meteoraDlmmLayout.events.Swap.discriminator,
    concat(key(address('pool')), key(address('wallet')), u32(7), u32(8), ...amounts),
  );
}
