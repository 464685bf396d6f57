import { describe, expect, test } from 'vitest';
import type { Venue } from '../../model/program.ts';
import { choosePrimary } from './primary-pool.ts';

interface Pool {
  readonly name: string;
  readonly venue: Venue;
  readonly usd: bigint | null;
  readonly migratedTo: string | null;
}

function pool(name: string, usd: bigint | null, migratedTo: string | null = null): Pool {
  return { name, venue: 'raydium_cpmm', usd, migratedTo };
}

/** A pool of a program without a decoder. */
function inferred(name: string, usd: bigint | null): Pool {
  return { name, venue: 'inferred', usd, migratedTo: null };
}

function choose(pools: readonly Pool[], current: string | null = null): string | undefined {
  const currentPool = pools.find(({ name }) => name === current) ?? null;
  return choosePrimary(pools, currentPool, ({ usd }) => usd)?.name;
}

describe('the primary pool', () => {
  test('stays until another has more than a tenth more', () => {
    expect(choose([pool('a', 1_000n), pool('b', 1_100n)], 'a')).toBe('a');
    expect(choose([pool('a', 1_000n), pool('b', 1_101n)], 'a')).toBe('b');
    expect(choose([pool('a', 1_000n), pool('b', 1_101n)], 'b')).toBe('b');
  });

  test('is the largest of several that overtake', () => {
    const pools = [pool('a', 10n), pool('b', 40n), pool('c', 50n), pool('d', 50n)];
    expect(choose(pools, 'a')).toBe('c');
  });

  test('is the first one seen while nothing is known in USD', () => {
    expect(choose([pool('a', null), pool('b', null)])).toBe('a');
    expect(choose([pool('a', null), pool('b', null)], 'b')).toBe('b');
  });

  test('has a known liquidity rather than an unknown one', () => {
    expect(choose([pool('a', null), pool('b', 0n)], 'a')).toBe('b');
    expect(choose([pool('a', 5n), pool('b', null)], 'a')).toBe('a');
  });

  test('is not a migrated one, unless there is no other', () => {
    expect(choose([pool('curve', null, 'amm'), pool('amm', null)], 'curve')).toBe('amm');
    expect(choose([pool('curve', 90n, 'amm'), pool('amm', 1n)], 'curve')).toBe('amm');
    expect(choose([pool('curve', 90n, 'amm')], 'curve')).toBe('curve');
  });

  test('is not an inferred one if there is a known one, even of unknown liquidity', () => {
    expect(choose([inferred('a', 900n), pool('b', null)], 'a')).toBe('b');
    expect(choose([pool('b', 1n), inferred('a', 900n)], 'b')).toBe('b');
    expect(choose([inferred('a', null), pool('old', null, 'gone')], 'a')).toBe('old');
  });

  test('is an inferred one by the same rules if all are inferred', () => {
    expect(choose([inferred('a', null)])).toBe('a');
    expect(choose([inferred('a', null), inferred('b', null)], 'b')).toBe('b');
    expect(choose([inferred('a', 10n), inferred('b', 20n)], 'a')).toBe('b');
  });

  test('is null without pools', () => {
    expect(choose([])).toBeUndefined();
  });
});
