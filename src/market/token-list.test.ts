import { describe, expect, test } from 'vitest';
import { buildToken } from '../../tests/support/build-records.ts';
import { address } from '../../tests/support/build-transaction.ts';
import {
  type ListedIndicators,
  NO_TOKEN_FILTER,
  type TokenListQuery,
} from '../model/market-listing.ts';
import type { FiguresByWindow, WindowFigures } from '../model/market-window.ts';
import { WRAPPED_SOL } from '../model/program.ts';
import type { TokenRecord } from '../model/token-record.ts';
import { asPriceE18, asRawAmount, asUsdNano } from '../model/units.ts';
import { TokenList } from './token-list.ts';

const NOW_MS = Date.UTC(2025, 0, 15, 14, 32, 8);
const HOUR_MS = 3_600_000;
const usd = (dollars: number) => asUsdNano(BigInt(dollars) * 1_000_000_000n);

function windowsOf(hour: Partial<WindowFigures>, dayUsd: number): FiguresByWindow {
  const none: WindowFigures = {
    ...{ trades: 0, buys: 0, sells: 0, buyers: 0, sellers: 0, priceChange: null },
    ...{ volumeUsd: usd(0), organicVolumeUsd: usd(0) },
  };
  const day = { ...none, organicVolumeUsd: usd(dayUsd) };
  return { '5m': none, '1h': { ...none, ...hour }, '6h': none, '24h': day };
}

function listOf(...tokens: readonly Partial<TokenRecord>[]): TokenList {
  const list = new TokenList();
  for (const token of tokens) list.put(buildToken(token.mint ?? address('cat'), token));
  return list;
}

const named = (word: string, given: Partial<TokenRecord> = {}) => ({
  ...{ mint: address(word), name: word, symbol: word.toUpperCase() },
  ...given,
});

function found(list: TokenList, given: Partial<TokenListQuery>) {
  const query = { orderBy: 'newest', orderDir: 'desc', limit: 500 } as const;
  const { rows } = list.select({ ...NO_TOKEN_FILTER, ...query, ...given }, NOW_MS);
  return rows.map((row) => list.columns.addressOf(row));
}

describe('the list of tokens', () => {
  test('leaves out base assets, LP tokens and nameless tokens unless they are included', () => {
    const lp = address('lp');
    const nameless = address('nameless');
    const list = listOf(
      named('cat'),
      { mint: WRAPPED_SOL, name: 'Wrapped SOL' },
      { mint: lp, name: 'Raydium LP' },
      { mint: nameless, name: null, symbol: null },
      named('symbol only', { name: null }),
    );
    list.putLpMint(lp);
    const usual = [address('cat'), address('symbol only')];
    const sorted = (given: Partial<TokenListQuery>) => found(list, given).toSorted();
    expect(sorted({})).toEqual(usual.toSorted());
    expect(sorted({ include: ['base_assets'] })).toEqual([...usual, WRAPPED_SOL].toSorted());
    expect(sorted({ include: ['lp_mints'] })).toEqual([...usual, lp].toSorted());
    expect(sorted({ include: ['nameless'] })).toEqual([...usual, nameless].toSorted());
  });

  test.each([
    ['CAT', ['grumpy cat', 'cats']],
    ['grumpy', ['grumpy cat']],
    ['%', []],
    [address('dog').slice(0, 9), ['dog']],
    [address('dog').slice(0, 9).toLowerCase(), []],
  ])(
    'is searched for %s by a part of name or symbol, and by the begin of an address',
    (search, words) => {
      const list = listOf(named('grumpy cat'), named('cats'), named('dog'));
      expect(found(list, { search }).toSorted()).toEqual(words.map(address).toSorted());
    },
  );

  test('is filtered by creator, venue of the primary pool and launchpad', () => {
    const list = listOf(named('one', { creator: address('maker') }), named('two'));
    const [one, two] = [address('one'), address('two')];
    list.setPools(one, { venue: 'pump_amm', liquidityUsd: 5, launchpad: 'pump' });
    list.setPools(two, { venue: 'pump', liquidityUsd: 7, launchpad: 'pump' });
    expect(found(list, { creator: address('maker') })).toEqual([one]);
    expect(found(list, { venue: 'pump' })).toEqual([two]);
    expect(found(list, { launchpad: 'pump' }).length).toBe(2);
    expect(found(list, { launchpad: 'boop' })).toEqual([]);
  });

  test('is filtered by age, both limits included; unknown ages are in no range', () => {
    const aged = (word: string, seconds: number | null) =>
      named(word, { createdAtMs: seconds === null ? null : NOW_MS - seconds * 1_000 });
    const list = listOf(aged('new', 60), aged('old', 3_600), aged('unknown', null));
    expect(found(list, { ageSecondsMin: 60, ageSecondsMax: 3_599 })).toEqual([address('new')]);
    expect(found(list, { ageSecondsMin: 61 })).toEqual([address('old')]);
    expect(found(list, { ageSecondsMax: 3_600 })).toEqual([address('new'), address('old')]);
  });

  test('knows the market cap by the circulating supply', () => {
    // 900 of 1,000 whole tokens at 2 dollars.
    const supply = { supplyRaw: asRawAmount(1_000_000_000n), burnedRaw: asRawAmount(100_000_000n) };
    const list = listOf(named('cat', { ...supply, priceUsd: asPriceE18(2n * 10n ** 18n) }));
    const range = { figure: 'marketcap_usd', min: 1_800e9, max: 1_800e9 } as const;
    expect(found(list, { ranges: [range] })).toEqual([address('cat')]);
    expect(list.valueOf(address('cat'), asPriceE18(10n ** 18n))).toBe(usd(900));
  });

  test('has no holders for SOL, and no share of organic wallets without wallets', () => {
    const indicators: ListedIndicators = {
      ...{ baseMint: WRAPPED_SOL, totalWallets: 0, organicWallets: 0, organicVolumeUsd: usd(1) },
      ...{ organicToTotalWalletsRatio: 0, smartMoneyScore: 5, smartHolders: 3, rawHolders: 9 },
    };
    const list = listOf({ mint: WRAPPED_SOL, name: 'Wrapped SOL' }, named('cat'));
    list.setIndicators(WRAPPED_SOL, indicators);
    list.setIndicators(address('cat'), { ...indicators, baseMint: address('cat') });
    const range = { figure: 'raw_holders', min: 0, max: null } as const;
    const include = ['base_assets'] as const;
    expect(found(list, { include, ranges: [range] })).toEqual([address('cat')]);
    const ratio = { figure: 'organic_to_total_wallets_ratio', min: 0, max: 1 } as const;
    expect(found(list, { include, ranges: [ratio] })).toEqual([]);
  });

  test('is ordered by growth of the organic volume over the own past', () => {
    const [day, young, few] = [address('day'), address('young'), address('few buyers')];
    const old = { createdAtMs: NOW_MS - 100 * HOUR_MS };
    const list = listOf(
      named('day', old),
      named('young', { createdAtMs: NOW_MS - 3 * HOUR_MS }),
      named('few buyers', old),
    );
    const hour = { organicVolumeUsd: usd(5_000), buyers: 10 };
    // 23,000 dollars in the 23 hours before, and 8,000 in the two hours before.
    list.setWindows(day, windowsOf(hour, 28_000));
    list.setWindows(young, windowsOf(hour, 13_000));
    list.setWindows(few, windowsOf({ ...hour, buyers: 9 }, 5_000));
    expect(list.trendingOf(day, NOW_MS)).toBe(6_000 / 2_000);
    expect(list.trendingOf(young, NOW_MS)).toBe(6_000 / 5_000);
    expect(list.trendingOf(few, NOW_MS)).toBe(null);
    expect(found(list, { orderBy: 'trending' })).toEqual([day, young, few]);
    expect(found(list, { orderBy: 'trending', orderDir: 'asc' })).toEqual([young, day, few]);
  });

  test('forgets a removed token', () => {
    const list = listOf(named('cat'), named('dog'));
    list.remove(address('cat'));
    expect(found(list, {})).toEqual([address('dog')]);
  });
});
