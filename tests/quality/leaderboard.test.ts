import { describe, expect, test } from 'vitest';
import { type LeaderboardWallet, mapLeaderboard, parseLeaderboard } from './leaderboard.ts';

/** Counts of tokens by result, from the greatest losses to the greatest gains. */
function wallet(address: string, counts: readonly number[]): LeaderboardWallet {
  const [a = 0, b = 0, c = 0, d = 0, e = 0] = counts;
  const tokens = {
    below_minus_50: a,
    minus_50_to_0: b,
    up_to_100: c,
    from_100_to_400: d,
    above_400: e,
  };
  return { address, profitUsd: 0, winRate: 0.3, tokens };
}

describe('a published wallet', () => {
  test('is compared with the tokens of all wallets of the list, by hand', () => {
    const [good, bad] = mapLeaderboard([wallet('good', [0, 0, 0, 10]), wallet('bad', [10])]);
    // The mean of ln 3 and ln ¼; ten tokens with the same excess, and ten of the prior.
    const excess = (Math.log(3) - Math.log(0.25)) / 2;
    expect(good?.skillMean).toBeCloseTo(excess / 2, 12);
    expect(bad?.skillMean).toBeCloseTo(-excess / 2, 12);
    // Twenty won and nothing lost, with five times two on both sides.
    expect(good?.logProfitFactor).toBeCloseTo(Math.log(30 / 10), 12);
    expect(good?.reachesBound).toBe(true);
    expect(bad?.reachesBound).toBe(false);
  });

  test('with 29 % won reaches the bound by a fat tail and small losses among the published', () => {
    const others = Array.from({ length: 40 }, (_, at) => wallet(`other-${at}`, [40, 35, 20, 5]));
    const fat = wallet('fat', [10, 61, 12, 12, 5]);
    const thin = wallet('thin', [35, 36, 27, 2, 0]);
    const mapped = mapLeaderboard([...others, fat, thin]);
    const of = (name: string) => mapped.find(({ address }) => address === name);
    expect(of('fat')?.reachesBound).toBe(true);
    expect(of('thin')?.reachesBound).toBe(false);
  });

  test('with fewer than ten tokens does not reach it, however good', () => {
    const others = Array.from({ length: 40 }, (_, at) => wallet(`other-${at}`, [40, 35, 20, 5]));
    const [few] = mapLeaderboard([wallet('few', [0, 0, 0, 0, 9]), ...others]);
    expect(few?.score).toBeGreaterThan(90);
    expect(few?.reachesBound).toBe(false);
  });
});

describe('a list of published wallets', () => {
  const row = {
    address: 'Wallet',
    profit_usd: 12_000,
    win_rate: 0.29,
    tokens: {
      ...{ below_minus_50: 10, minus_50_to_0: 61, up_to_100: 12 },
      ...{ from_100_to_400: 12, above_400: 5 },
    },
  };

  test('is read from JSON', () => {
    expect(parseLeaderboard(JSON.stringify([row]))).toEqual([
      { address: 'Wallet', profitUsd: 12_000, winRate: 0.29, tokens: row.tokens },
    ]);
  });

  test.each([
    [{}, 'must be an array'],
    [[{ address: 'Wallet' }], 'Wallet 0: wanted are an address'],
    [[{ ...row, win_rate: 29 }], 'Wallet 0: win_rate must be a number from 0 to 1'],
    [[row, { ...row, tokens: {} }], 'Wallet 1: tokens.below_minus_50 must be a number'],
  ])('is refused with the place of the fault: %j', (given, message) => {
    expect(() => parseLeaderboard(JSON.stringify(given))).toThrow(message);
  });
});
