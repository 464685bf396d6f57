import { describe, expect, test } from 'vitest';
import { buildPool } from '../../tests/support/build-records.ts';
import { address } from '../../tests/support/build-transaction.ts';
import type { PoolListQuery } from '../model/market-listing.ts';
import type { PoolRecord } from '../model/pool-record.ts';
import { asUsdNano } from '../model/units.ts';
import { PoolList } from './pool-list.ts';

const MINT = address('mint');

function listOf(pools: Readonly<Record<string, Partial<PoolRecord>>>): PoolList {
  const list = new PoolList();
  for (const [word, given] of Object.entries(pools)) {
    list.put(buildPool(address(word), MINT, given));
  }
  return list;
}

function found(list: PoolList, given: Partial<PoolListQuery>) {
  const query = { mint: null, venue: null, orderBy: 'newest', orderDir: 'desc' } as const;
  const { rows } = list.select({ ...query, after: null, limit: 100, ...given });
  return rows.map((row) => list.columns.addressOf(row));
}

describe('the list of pools', () => {
  test('is filtered by token and venue, and ordered by liquidity with unknown last', () => {
    const list = listOf({
      small: { liquidityUsd: asUsdNano(5n) },
      large: { liquidityUsd: asUsdNano(9n), venue: 'orca_whirlpool' },
      unknown: {},
      elsewhere: { baseMint: address('other mint') },
    });
    const order = { orderBy: 'liquidity_usd', mint: MINT } as const;
    const of = (...words: readonly string[]) => words.map(address);
    expect(found(list, order)).toEqual(of('large', 'small', 'unknown'));
    expect(found(list, { ...order, orderDir: 'asc' })).toEqual(of('small', 'large', 'unknown'));
    expect(found(list, { venue: 'orca_whirlpool' })).toEqual(of('large'));
  });

  test('knows the launchpad of a token: the venue of its first bonding curve', () => {
    const list = listOf({
      'a pool': { venue: 'pump_amm', firstSeenMs: 1 },
      'later curve': { venue: 'boop', firstSeenMs: 9 },
      curve: { venue: 'pump', firstSeenMs: 5 },
    });
    expect(list.launchpadOf(MINT)).toBe('pump');
    list.remove(address('curve'));
    expect(list.launchpadOf(MINT)).toBe('boop');
    list.remove(address('later curve'));
    expect(list.launchpadOf(MINT)).toBe(null);
  });
});
