import { describe, expect, test } from 'vitest';
import {
  judge,
  nano,
  SCENE_START_MS,
  sceneFacts,
  sceneTrade,
  tokensRaw,
} from '../../../tests/support/signal-scene.ts';
import type { PoolRecord } from '../../model/pool-record.ts';
import type { SignalTrade } from '../features/minute-bar.ts';
import { influxHighOnDip } from './influx-high-on-dip.ts';
import { organicMomentum } from './organic-momentum.ts';
import { createRandomMinute, randomMinute } from './random-minute.ts';
import { smartMoneyBounce } from './smart-money-bounce.ts';
import { smartMoneySurge } from './smart-money-surge.ts';

/** One trade of $400 at a dollar in each of these minutes: a usual volume of $2,000. */
function usual(from: number, to: number, price = 1): SignalTrade[] {
  return range(from, to).map((minute) =>
    sceneTrade(minute, { wallet: `usual${minute}`, usd: 400, price }),
  );
}

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, at) => from + at);
}

/** `people` wallets buy within the five minutes up to 99, $400 each: in the last one at `price`. */
function crowd(people: number, price: number): SignalTrade[] {
  return range(0, people).map((at) => {
    const minute = 95 + Math.floor((at * 5) / people);
    return sceneTrade(minute, { wallet: `fan${at}`, usd: 400, price: minute === 99 ? price : 1 });
  });
}

describe('organic momentum', () => {
  const facts = sceneFacts(99);

  test('signals a new high that fifteen people buy at three times the usual volume', () => {
    const { features, failed } = judge(
      organicMomentum,
      [...usual(20, 95), ...crowd(15, 1.05)],
      facts,
    );
    expect(failed).toEqual([]);
    expect(features).toMatchObject({
      // A hundred minutes minus the millisecond at which the last one ends.
      ageMinutes: (100 * 60_000 - 1) / 60_000,
      marketCapUsd: 1_000_000,
      priceToHourHigh: 1.05,
      organicVolumeUsd5m: 6_000,
      // 15 · 400 divided by 5 · 400.
      organicVolumeToUsual: 3,
      organicVolumeShare5m: 1,
      organicBuyers5m: 15,
      organicBuyShare5m: 1,
    });
  });

  test.each<[string, SignalTrade[], string[]]>([
    ['14 buyers', crowd(14, 1.05), ['organicVolumeToUsual', 'organicBuyers5m']],
    ['no new high', crowd(15, 1.01), ['priceToHourHigh']],
    ['a vertical rise', crowd(15, 1.81), ['return5m']],
    [
      'a larger volume of programs',
      [...crowd(15, 1.05), sceneTrade(99, { usd: 6_001, price: 1.05, isOrganic: false })],
      ['organicVolumeShare5m'],
    ],
    [
      'sales of nearly the same volume',
      [...crowd(15, 1.05), sceneTrade(99, { usd: 5_000, side: 'sell', price: 1.05 })],
      ['organicBuyShare5m'],
    ],
    [
      'a trade of unknown value',
      [...crowd(15, 1.05), sceneTrade(99, { usd: null, price: 1.05 })],
      ['organicVolumeUsd5m', 'organicVolumeToUsual', 'organicVolumeShare5m', 'organicBuyShare5m'],
    ],
  ])('gives no signal with %s', (_, trades, failed) => {
    expect(judge(organicMomentum, [...usual(20, 95), ...trades], facts).failed).toEqual(failed);
  });

  test('counts connected wallets once', () => {
    const entityOf = (wallet: string) => (wallet < 'fan2' ? 'one hand' : wallet);
    const trades = [...usual(20, 95), ...crowd(15, 1.05)];
    // fan0, fan1 and fan10 to fan14 are one entity: 15 - 6.
    expect(
      judge(organicMomentum, trades, sceneFacts(99, { entityOf })).features.organicBuyers5m,
    ).toBe(9);
  });

  test('compares with the previous hour only: an older high is ignored', () => {
    const trades = [sceneTrade(38, { price: 9 }), ...usual(39, 95), ...crowd(15, 1.05)];
    expect(judge(organicMomentum, trades, facts).features.priceToHourHigh).toBe(1.05);
    const within = [sceneTrade(39, { price: 9 }), ...usual(40, 95), ...crowd(15, 1.05)];
    expect(judge(organicMomentum, within, facts).failed).toEqual(['priceToHourHigh']);
  });

  test('gives no signal for a token of unknown age or supply', () => {
    const unknown = sceneFacts(99, { token: { creationSlot: null, supplyRaw: null } });
    expect(judge(organicMomentum, [...usual(20, 95), ...crowd(15, 1.05)], unknown).failed).toEqual([
      'ageMinutes',
      'marketCapUsd',
    ]);
  });
});

/** Smart wallets that buy in minute 99, each for `usd` at weight 1. */
function experts(names: readonly string[], usd: number, price = 1): SignalTrade[] {
  return names.map((wallet) => sceneTrade(99, { wallet, usd, price, smartWeight: 1 }));
}

function flows(influxUsd: number, outfluxUsd: number) {
  return { smartMoneyInflux10min: nano(influxUsd), smartMoneyOutflux10min: nano(outfluxUsd) };
}

describe('smart money surge', () => {
  const facts = sceneFacts(99, { indicators: flows(1_200, 600) });
  const three = [sceneTrade(80), ...experts(['a', 'b', 'c'], 400)];

  test('signals when three entities buy with twice the outflow', () => {
    const { features, failed } = judge(smartMoneySurge, three, facts);
    expect(failed).toEqual([]);
    expect(features).toMatchObject({
      smartBuyers10m: 3,
      smartInfluxToOutflux10m: 2,
      // 1,200 of 50,000.
      smartInfluxToLiquidity: 0.024,
      smartSellingHolders10m: 0,
      priceToTenMinutesAgo: 1,
    });
  });

  test('gives no signal for two entities, one of them with two wallets', () => {
    const entityOf = (wallet: string) => (wallet === 'c' ? 'b' : wallet);
    const connected = sceneFacts(99, { indicators: flows(1_200, 600), entityOf });
    expect(judge(smartMoneySurge, three, connected).failed).toEqual(['smartBuyers10m']);
  });

  test('gives no signal when a holder of more than a thousandth sells', () => {
    const sale = sceneTrade(98, { wallet: 'd', side: 'sell', smartWeight: 1, tokens: 300 });
    const holding = (tokens: number) => () => Number(tokensRaw(tokens));
    const judged = (tokens: number) =>
      judge(smartMoneySurge, [sceneTrade(80), sale, ...experts(['a', 'b', 'c'], 400)], {
        ...facts,
        heldRawOf: holding(tokens),
      });
    // A thousandth of a million is 1,000: before the sale of 300 the wallet held 1,001, or 1,000.
    expect(judged(701).failed).toEqual(['smartSellingHolders10m']);
    expect(judged(700).failed).toEqual([]);
  });

  test.each([
    [
      'more than doubled',
      [sceneTrade(80), ...experts(['a', 'b', 'c'], 400, 2.1)],
      flows(1_200, 0),
      ['priceToTenMinutesAgo'],
    ],
    ['too much for the pool', three, flows(13_000, 0), ['smartInfluxToLiquidity']],
    ['too little', three, flows(999, 0), ['smartInfluxUsd10m']],
    ['leaving', three, flows(1_200, 601), ['smartInfluxToOutflux10m']],
  ])('gives no signal when it is %s', (_, trades, indicators, failed) => {
    expect(judge(smartMoneySurge, trades, sceneFacts(99, { indicators })).failed).toEqual(failed);
  });

  test('gives no signal in the first half minute of a token', () => {
    const young = sceneFacts(99, {
      indicators: flows(1_200, 600),
      token: { createdAtMs: SCENE_START_MS + 99 * 60_000 + 30_000 },
    });
    expect(judge(smartMoneySurge, three, young).failed).toEqual(['ageSeconds']);
  });
});

function quoted(raw: bigint): Partial<PoolRecord> {
  return {
    reserves: { base: tokensRaw(1), quote: raw as never, virtualBase: null, virtualQuote: null },
  };
}

describe('influx high on dip', () => {
  const facts = sceneFacts(99, { indicators: flows(500, 250), pool: quoted(95n) });
  const buyers = range(0, 8).map((at) => sceneTrade(96, { wallet: `fan${at}`, price: 0.5 }));
  const dip = [
    sceneTrade(20, { price: 1 }),
    sceneTrade(80, { price: 0.6 }),
    ...buyers,
    ...experts(['a', 'b'], 250, 0.5),
  ];

  test('signals at half of the high when two smart entities and eight people buy', () => {
    const { features, failed } = judge(influxHighOnDip, dip, facts);
    // Without a signal book no minute is closed, so the reserve is unknown.
    expect(failed).toEqual(['quoteReserveToTenMinutesAgo']);
    expect(features).toMatchObject({
      priceToSixHourHigh: 0.5,
      smartBuyers10m: 2,
      organicBuyers5m: 10,
    });
  });

  test.each([
    [0.34, true],
    [0.35, false],
    [0.75, false],
    [0.76, true],
  ])('at %d of the high it is dead, a dip or noise', (price, isSilent) => {
    const trades = [sceneTrade(20, { price: 1 }), ...experts(['a', 'b'], 250, price)];
    const { failed } = judge(influxHighOnDip, trades, facts);
    expect(failed.includes('priceToSixHourHigh')).toBe(isSilent);
  });

  test('uses the high of six hours but no older one', () => {
    const later = sceneFacts(500);
    const read = (minute: number) =>
      judge(
        influxHighOnDip,
        [
          sceneTrade(minute, { price: 9 }),
          sceneTrade(300, { price: 2 }),
          sceneTrade(500, { price: 1 }),
        ],
        later,
      ).features.priceToSixHourHigh;
    // 500 - 360 = 140 begins a stretch of five minutes.
    expect([read(146), read(139)]).toEqual([1 / 9, 0.5]);
  });
});

describe('smart money bounce', () => {
  const facts = sceneFacts(99);
  const low = [sceneTrade(20, { price: 1 }), sceneTrade(80, { price: 0.5 })];
  const people = sceneTrade(90, { wallet: 'fan', usd: 100, price: 0.55 });

  test('signals 30 % above a low at half of the high that two entities bought', () => {
    const { features, failed } = judge(
      smartMoneyBounce,
      [...low, people, ...experts(['a', 'b'], 250, 0.65)],
      facts,
    );
    expect(failed).toEqual([]);
    expect(features).toMatchObject({
      lowToSixHourHigh: 0.5,
      priceToLow: 1.3,
      organicBuyShareSinceLow: 1,
      smartBuyersSinceLow: 2,
      smartNetUsdSinceLow: 500,
    });
  });

  test('does not count purchases before the turn', () => {
    const before = ['a', 'b'].map((wallet) =>
      sceneTrade(80, { wallet, usd: 250, price: 0.5, smartWeight: 1 }),
    );
    const { failed } = judge(
      smartMoneyBounce,
      [...low, ...before, people, sceneTrade(99, { wallet: 'fan', price: 0.65 })],
      facts,
    );
    expect(failed).toEqual([
      'smartBuyersSinceLow',
      'smartNetUsdSinceLow',
      'smartInfluxToOutfluxSinceLow',
    ]);
  });

  test('gives no signal at a new low, and after the recovery is complete', () => {
    const at = (price: number) =>
      judge(smartMoneyBounce, [...low, people, ...experts(['a', 'b'], 250, price)], facts).failed;
    expect(at(0.5)).toContain('priceToLow');
    expect(at(0.56)).toEqual(['priceToLow']);
    expect(at(0.81)).toEqual(['priceToLow']);
  });

  test('gives no signal when more than half of the inflow leaves again', () => {
    const leaving = sceneTrade(98, {
      wallet: 'c',
      side: 'sell',
      usd: 510,
      price: 0.6,
      smartWeight: 1,
      isOrganic: false,
    });
    const trades = [...low, people, leaving, ...experts(['a', 'b'], 510, 0.65)];
    expect(judge(smartMoneyBounce, trades, facts).failed).toEqual([]);
    // 1,010 - 510 is just enough, and slightly less than twice as much.
    const more = [...trades.slice(0, -1), ...experts(['b'], 500, 0.65)];
    expect(judge(smartMoneyBounce, more, facts).failed).toEqual(['smartInfluxToOutfluxSinceLow']);
  });
});

describe('the control', () => {
  const drawOf = (model: typeof randomMinute, minute: number) =>
    judge(model, [sceneTrade(minute)], sceneFacts(minute)).features.draw ?? Number.NaN;

  test('selects the same minutes for everyone, and others with another salt', () => {
    expect(drawOf(randomMinute, 5)).toBe(drawOf(createRandomMinute(''), 5));
    expect(drawOf(createRandomMinute('other'), 5)).not.toBe(drawOf(randomMinute, 5));
  });

  test('selects one of a hundred', () => {
    const taken = range(0, 20_000).filter((minute) => drawOf(randomMinute, minute) <= 0.01);
    // Binomial of 20,000 at 0.01: mean 200, standard deviation 14; five of them.
    expect(Math.abs(taken.length - 200)).toBeLessThan(70);
  });
});
