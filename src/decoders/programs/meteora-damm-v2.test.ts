import { describe, expect, test } from 'vitest';
import { concat, u16, u64 } from '../../../tests/support/borsh-bytes.ts';
import { address, type InstructionDraft } from '../../../tests/support/build-transaction.ts';
import { describeDecoderLaws, selfEventOf } from '../../../tests/support/decoder-laws.ts';
import { addedTo, boughtFrom, createdBy } from '../../../tests/support/pool-events.ts';
import { DEPOSIT, PURCHASE, SALE } from '../../../tests/support/pool-legs.ts';
import { poolProgram } from '../../../tests/support/pool-program.ts';
import {
  accountList,
  payIn,
  payOut,
  type VaultChanges,
} from '../../../tests/support/pool-transaction.ts';
import { meteoraDammV2Layout } from '../families/meteora-damm-v2-layout.ts';
import { meteoraDammV2 } from './meteora-damm-v2.ts';

const { decode } = poolProgram(meteoraDammV2, meteoraDammV2Layout);

const SWAP = accountList(14, {
  1: 'pool',
  2: 'user sol',
  3: 'user base',
  4: 'base vault',
  5: 'quote vault',
  8: 'wallet',
});
const STILL: VaultChanges = { base: [1n, 1n], quote: [1n, 1n] };

describe('a Meteora DAMM v2 swap', () => {
  test.each(['swap', 'swap2'] as const)('is read from %s, with the fee of its event', (name) => {
    const { events } = decode(
      name,
      SWAP,
      [...PURCHASE.legs, swapEvent(30n, 27n, [])],
      PURCHASE.vaults,
    );
    expect(events).toEqual([boughtFrom('meteora_damm_v2', { feeQuoteRaw: 3n })]);
  });

  test('has every share of a fee on its output', () => {
    const inner = [...SALE.legs, swapEvent(40n, 40n, [4n, 3n, 2n, 1n])];
    expect(decode('swap2', SWAP, inner, SALE.vaults).events).toMatchObject([
      { side: 'sell', poolBaseDelta: 40n, poolQuoteDelta: -30n, feeQuoteRaw: 10n },
    ]);
  });

  test('has no fee in quote when it was taken in the base token, nor without the event', () => {
    const inBase = [...PURCHASE.legs, swapEvent(30n, 30n, [4n, 3n, 2n, 1n])];
    expect(decode('swap', SWAP, inBase, PURCHASE.vaults).events).toMatchObject([
      { feeQuoteRaw: null },
    ]);
    expect(decode('swap', SWAP, PURCHASE.legs, PURCHASE.vaults).events).toMatchObject([
      { feeQuoteRaw: null },
    ]);
  });

  test('is ignored when it moved nothing, malformed when it is truncated', () => {
    expect(decode('swap', SWAP, [], STILL).outcomes.meteora_damm_v2?.ignored).toBe(1);
    expect(decode('swap', SWAP.slice(0, 5), PURCHASE.legs, PURCHASE.vaults).problems).toMatchObject(
      [{ problem: 'malformed', reason: 'too few accounts' }],
    );
    const { discriminator } = meteoraDammV2Layout.events.EvtSwap2;
    const short = selfEventOf(meteoraDammV2, discriminator, new Uint8Array(52 + 63));
    expect(decode('swap', SWAP, [...PURCHASE.legs, short], PURCHASE.vaults).problems).toMatchObject(
      [{ problem: 'malformed', reason: 'swap event ends inside its fields' }],
    );
  });
});

describe('Meteora DAMM v2 liquidity', () => {
  test('is added to a position', () => {
    const named = { 0: 'pool', 4: 'base vault', 5: 'quote vault', 9: 'wallet' };
    const inner = DEPOSIT.legs;
    const changes: VaultChanges = DEPOSIT.vaults;
    const { events } = decode('add_liquidity', accountList(14, named), inner, changes);
    expect(events).toMatchObject([addedTo('meteora_damm_v2')]);
  });

  test.each(['remove_liquidity', 'remove_all_liquidity'] as const)('is removed by %s', (name) => {
    const named = { 1: 'pool', 5: 'base vault', 6: 'quote vault', 10: 'wallet' };
    const inner = [payOut('quote vault', 'user sol', 20n)];
    const changes: VaultChanges = { base: [100n, 100n], quote: [220n, 200n] };
    expect(decode(name, accountList(15, named), inner, changes).events).toMatchObject([
      { kind: 'liquidity', provider: address('wallet'), poolBaseDelta: 0n, poolQuoteDelta: -20n },
    ]);
    expect(decode(name, accountList(15, named), [], STILL).events).toEqual([]);
  });
});

describe('a new Meteora DAMM v2 pool', () => {
  test.each([
    ['initialize_pool', { 6: 'pool', 10: 'base vault', 11: 'quote vault' }],
    ['initialize_pool_with_dynamic_config', { 7: 'pool', 11: 'base vault', 12: 'quote vault' }],
    ['initialize_customizable_pool', { 5: 'pool', 9: 'base vault', 10: 'quote vault' }],
  ] as const)('is created by %s with its first liquidity', (name, named) => {
    const accounts = accountList(20, { 0: 'creator', 3: 'wallet', ...named });
    const inner = [payIn('user base', 'base vault', 900n), payIn('user sol', 'quote vault', 80n)];
    const changes: VaultChanges = { base: [0n, 900n], quote: [0n, 80n] };
    expect(decode(name, accounts, inner, changes).events).toMatchObject([
      createdBy('meteora_damm_v2', { creator: address('creator'), baseRaw: 900n, quoteRaw: 80n }),
    ]);
    expect(decode(name, accounts.slice(0, 9), inner, changes).problems).toMatchObject([
      { problem: 'malformed', reason: 'too few accounts' },
    ]);
  });
});

describe('a Meteora DAMM v2 lock', () => {
  const { EvtLockPosition, EvtPermanentLockPosition } = meteoraDammV2Layout.events;
  const big = 2n ** 64n + 5n;
  const forever = accountList(6, { 0: 'pool', 3: 'owner' });
  const vesting = accountList(9, { 0: 'pool', 4: 'owner' });

  test('of a position is permanent, for the liquidity of its event', () => {
    const fields = concat(new Uint8Array(64), u128(big), u128(7n));
    const event = selfEventOf(meteoraDammV2, EvtPermanentLockPosition.discriminator, fields);
    expect(decode('permanent_lock_position', forever, [event], STILL).events).toEqual([
      {
        kind: 'lpLock',
        outerIx: 0,
        innerIx: -1,
        pool: address('pool'),
        provider: address('owner'),
        amountRaw: big,
        lockKind: 'permanent',
        unlockTimeMs: null,
      },
    ]);
  });

  test('that vests has the sum of cliff and all periods, until an unknown time', () => {
    const points = concat(u64(1_700_000_000n), u64(60n));
    const fields = concat(new Uint8Array(128), points, u128(big), u128(100n), u16(3));
    const event = selfEventOf(meteoraDammV2, EvtLockPosition.discriminator, fields);
    expect(decode('lock_position', vesting, [event], STILL).events).toMatchObject([
      {
        kind: 'lpLock',
        provider: address('owner'),
        amountRaw: big + 300n,
        lockKind: 'locker',
        unlockTimeMs: null,
      },
    ]);
  });

  test('is malformed without its event, its fields or its accounts', () => {
    const short = selfEventOf(
      meteoraDammV2,
      EvtPermanentLockPosition.discriminator,
      new Uint8Array(79),
    );
    const reasons = [
      decode('permanent_lock_position', forever, [], STILL),
      decode('permanent_lock_position', forever, [short], STILL),
      decode('lock_position', vesting.slice(0, 4), [], STILL),
    ].map(({ problems }) => problems[0]?.reason);
    expect(reasons).toEqual([
      'a lock without its event',
      'lock event ends inside its fields',
      'too few accounts',
    ]);
  });
});

describeDecoderLaws('a Meteora DAMM v2 decoder', meteoraDammV2, meteoraDammV2Layout);

/** Pool, flags and parameters; then the result: inputs, leftover, output, price and fee shares. */
function swapEvent(
  inputWithFee: bigint,
  inputWithoutFee: bigint,
  shares: readonly bigint[],
): InstructionDraft {
  const filled = [...shares, 0n, 0n, 0n, 0n].slice(0, 4);
  const result = [inputWithFee, inputWithoutFee, 0n, 40n, 11n, 12n, ...filled, 99n, 98n];
  return selfEventOf(
    meteoraDammV2,
    meteoraDammV2Layout.events.EvtSwap2.discriminator,
    concat(new Uint8Array(32 + 3 + 17), ...result.map(u64)),
  );
}

function u128(value: bigint): Uint8Array {
  return concat(u64(value & (2n ** 64n - 1n)), u64(value >> 64n));
}
