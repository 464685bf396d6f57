import { describe, expect, test } from 'vitest';
import { address, type InstructionDraft } from '../../../tests/support/build-transaction.ts';
import { describeDecoderLaws } from '../../../tests/support/decoder-laws.ts';
import { addedTo, boughtFrom, createdBy } from '../../../tests/support/pool-events.ts';
import { poolProgram } from '../../../tests/support/pool-program.ts';
import {
  accountList,
  decodeDraft,
  payIn,
  payOut,
  type VaultChanges,
  vaultBalances,
} from '../../../tests/support/pool-transaction.ts';
import { burn, mintTo } from '../../../tests/support/token-instructions.ts';
import { meteoraDammV1, meteoraDammV1Layout } from './meteora-damm-v1.ts';

const { draft, decode } = poolProgram(meteoraDammV1, meteoraDammV1Layout);

const VAULT_PROGRAM = '24Uqj9JCLxUeoC3hGfh5W3s9FM9uCHDS2SG3LYwBpyTi';
/** Both vaults also hold tokens of other pools. */
const BOUGHT: VaultChanges = { base: [5_000n, 4_960n], quote: [7_000n, 7_030n] };
const SWAP = accountList(15, {
  0: 'pool',
  1: 'user sol',
  2: 'user base',
  5: 'base vault',
  6: 'quote vault',
  12: 'wallet',
});
const LIQUIDITY = { 0: 'pool', 1: 'lp mint', 9: 'base vault', 10: 'quote vault' };
/** The protocol's fee goes to a separate account before the rest is deposited. */
const BUY_LEGS = [
  payIn('user sol', 'protocol fee', 2n),
  throughVault(payIn('user sol', 'quote vault', 30n), mintTo(address('vault lp'), 'pool lp', 9n)),
  throughVault(
    burn('pool lp', address('other vault lp'), 8n),
    payOut('base vault', 'user base', 40n),
  ),
];

describe('a Meteora DAMM v1 swap', () => {
  test('has the movements of the shared vaults for the pool, whose reserves stay unknown', () => {
    expect(decode('swap', SWAP, BUY_LEGS, BOUGHT).events).toEqual([
      boughtFrom('meteora_damm_v1', { traderQuoteDelta: -32n, reserves: null }),
    ]);
  });

  test('is found below a router in a record without call depths', () => {
    const swap = draft('swap', SWAP, BUY_LEGS);
    const router = { program: address('router'), inner: [swap] };
    const { events } = decodeDraft({
      instructions: [router],
      tokenBalances: vaultBalances(BOUGHT),
      hasStackHeights: false,
    });
    expect(events).toMatchObject([
      { kind: 'swap', innerIx: 0, poolBaseDelta: -40n, poolQuoteDelta: 30n },
    ]);
  });

  test('is ignored when it moved nothing, malformed when it is truncated', () => {
    expect(decode('swap', SWAP, [], BOUGHT).outcomes.meteora_damm_v1?.ignored).toBe(1);
    const half = decode('swap', SWAP, BUY_LEGS.slice(0, 2), BOUGHT);
    expect(half.problems).toMatchObject([{ reason: 'only one vault moved' }]);
    expect(decode('swap', SWAP.slice(0, 6), BUY_LEGS, BOUGHT).problems).toMatchObject([
      { problem: 'malformed', reason: 'too few accounts' },
    ]);
  });
});

describe('Meteora DAMM v1 liquidity', () => {
  test.each(['add_balance_liquidity', 'add_imbalance_liquidity', 'bootstrap_liquidity'] as const)(
    'is added by %s',
    (name) => {
      const inner = [
        throughVault(payIn('user base', 'base vault', 10n)),
        throughVault(payIn('user sol', 'quote vault', 20n)),
        mintTo(address('lp mint'), 'user lp', 14n),
      ];
      const accounts = accountList(16, { ...LIQUIDITY, 13: 'wallet' });
      const changes: VaultChanges = { base: [5_000n, 5_010n], quote: [7_000n, 7_020n] };
      expect(decode(name, accounts, inner, changes).events).toEqual([
        addedTo('meteora_damm_v1', { lpDelta: 14n, reserves: null }),
      ]);
    },
  );

  test.each([
    ['remove_balance_liquidity', 13, 20n],
    ['remove_liquidity_single_side', 12, 0n],
  ] as const)('is removed by %s', (name, user, quote) => {
    const inner = [
      burn('user lp', address('lp mint'), 14n),
      throughVault(payOut('base vault', 'user base', 10n)),
      throughVault(payOut('quote vault', 'user sol', quote)),
    ];
    const accounts = accountList(16, { ...LIQUIDITY, [user]: 'wallet' });
    const changes: VaultChanges = { base: [5_010n, 5_000n], quote: [7_000n, 7_000n - quote] };
    expect(decode(name, accounts, inner, changes).events).toMatchObject([
      {
        kind: 'liquidity',
        provider: address('wallet'),
        poolBaseDelta: -10n,
        poolQuoteDelta: -quote,
        lpDelta: -14n,
      },
    ]);
  });
});

describe('a new Meteora DAMM v1 pool', () => {
  const early = { 0: 'pool', 1: 'lp mint', 6: 'base vault', 7: 'quote vault', 17: 'wallet' };
  const configured = { 0: 'pool', 2: 'lp mint', 7: 'base vault', 8: 'quote vault', 18: 'wallet' };
  const names = [
    ['initialize_permissionless_pool', early],
    ['initialize_permissionless_pool_with_fee_tier', early],
    ['initialize_customizable_permissionless_constant_product_pool', early],
    ['initialize_permissionless_constant_product_pool_with_config', configured],
    ['initialize_permissionless_constant_product_pool_with_config2', configured],
  ] as const;

  test.each(names)('created by %s has the amounts paid in, not the balances', (name, named) => {
    const inner = [
      throughVault(payIn('user base', 'base vault', 900n)),
      throughVault(payIn('user sol', 'quote vault', 80n)),
      mintTo(address('lp mint'), 'user lp', 268n),
    ];
    const changes: VaultChanges = { base: [5_000n, 5_900n], quote: [7_000n, 7_080n] };
    expect(decode(name, accountList(26, named), inner, changes).events).toMatchObject([
      createdBy('meteora_damm_v1', {
        baseRaw: 900n,
        quoteRaw: 80n,
        lpMint: address('lp mint'),
        lpRaw: 268n,
      }),
    ]);
  });

  test('is malformed without its accounts', () => {
    const accounts = accountList(17, early);
    expect(decode('initialize_permissionless_pool', accounts, [], BOUGHT).problems).toMatchObject([
      { problem: 'malformed', reason: 'too few accounts' },
    ]);
  });
});

describe('a Meteora DAMM v1 lock', () => {
  const accounts = accountList(13, { 0: 'pool', 3: 'owner', 4: 'user lp', 5: 'escrow vault' });
  const still: VaultChanges = { base: [1n, 1n], quote: [1n, 1n] };

  test('locks LP tokens permanently', () => {
    const inner = [payIn('user lp', 'escrow vault', 14n)];
    expect(decode('lock', accounts, inner, still).events).toEqual([
      {
        kind: 'lpLock',
        outerIx: 0,
        innerIx: -1,
        pool: address('pool'),
        provider: address('owner'),
        amountRaw: 14n,
        lockKind: 'permanent',
        unlockTimeMs: null,
      },
    ]);
  });

  test('of zero is ignored; one that pays out or lacks accounts is malformed', () => {
    expect(decode('lock', accounts, [], still).outcomes.meteora_damm_v1?.ignored).toBe(1);
    const payingOut = decode('lock', accounts, [payOut('escrow vault', 'user lp', 1n)], still);
    expect(payingOut.problems).toMatchObject([{ reason: 'a lock that paid out' }]);
    expect(decode('lock', accounts.slice(0, 5), [], still).problems).toMatchObject([
      { problem: 'malformed', reason: 'too few accounts' },
    ]);
  });
});

describeDecoderLaws('a Meteora DAMM v1 decoder', meteoraDammV1, meteoraDammV1Layout);

/** Movements by the vault program for the pool that calls it. */
function throughVault(...inner: readonly InstructionDraft[]): InstructionDraft {
  return { program: VAULT_PROGRAM, inner };
}
