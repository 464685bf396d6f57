import { describe, expect, test } from 'vitest';
import {
  fakeApiDeps,
  fakeIndicators,
  fakePool,
  MINT,
  OTHER_MINT,
  POOL,
  SLOT,
  SLOT_TIME_MS,
} from '../../../../tests/support/fake-api-deps.ts';
import { fakeApiServer, getAsReader } from '../../../../tests/support/fake-api-server.ts';
import type { IndicatorRecord } from '../../../model/indicators.ts';
import type { PoolRecord } from '../../../model/pool-record.ts';
import { WRAPPED_SOL } from '../../../model/program.ts';
import { asPriceE18, asSlot, asUsdNano } from '../../../model/units.ts';
import { assertRetained } from '../../present/freshness.ts';

const url = `/v1/indicators/current?pair_address=${POOL}`;
const VOLUME_RATIOS = [
  'bot_volume_ratio',
  'organic_volume_ratio',
  'profitable_volume_total_volume_ratio',
];
const DAY_MS = 86_400_000;
const MINUTE_MS = SLOT_TIME_MS - 12_000;
const usd = (cents: bigint) => asUsdNano(cents * 10_000_000n);

/**
 * A server that also has the indicators of the last ten slots, and those of one minute before them, of
 * the slot thirty before the newest.
 */
function serverWith(given: Partial<PoolRecord> = {}, figures: Partial<IndicatorRecord> = {}) {
  const pool = fakePool(given);
  const minute = fakeIndicators({ ...figures, slot: asSlot(SLOT - 30), createdAtMs: MINUTE_MS });
  const { past } = fakeApiDeps();
  return fakeApiServer({
    pools: {
      ...fakeApiDeps().pools,
      find: (address) => (address === POOL ? pool : null),
      withIndicators: (address) =>
        address === POOL ? { pool, indicators: fakeIndicators(figures) } : null,
    },
    past: {
      ...past,
      indicators: async (address, slot) => {
        const isKnown = address === POOL;
        if (slot >= minute.slot && slot < SLOT - 10) {
          const data = isKnown ? { indicators: minute, pool: null } : null;
          return { slot: minute.slot, timeMs: MINUTE_MS, data };
        }
        assertRetained(slot, { oldest: SLOT - 10, newest: SLOT });
        const indicators = fakeIndicators({ ...figures, slot });
        const timeMs = SLOT_TIME_MS - (SLOT - slot) * 400;
        return { slot, timeMs, data: isKnown ? { pool, indicators } : null };
      },
    },
  });
}

async function read(pool: Partial<PoolRecord>) {
  return (await getAsReader(serverWith(pool), url)).json();
}

const FIGURES: Partial<IndicatorRecord> = {
  totalWallets: 1_824,
  organicWallets: 1_225,
  organicProfitableWallets: 512,
  organicToTotalWalletsRatio: 0.6716,
  botToTotalWalletsRatio: 0.3284,
  profitableOrganicToTotalOrganicRatio: 0.418,
  totalVolumeUsd: usd(128_472_947n),
  organicVolumeUsd: usd(61_153_123n),
  botVolumeRatio: 0.524,
  organicVolumeRatio: 0.476,
  organicMeanHoldSeconds: 3_847.25,
  organicMeanTradeFrequencySeconds: 612.4,
  priceUsd: asPriceE18(346_289_000_000_000n),
  smartMoneyScore: 72.45,
  rawSmartMoneyScore: 58.1,
  smartMoneyInflux10min: usd(184_000n),
  smartMoneyOutflux10min: usd(31_050n),
  rawSmartMoneyInflux: usd(912_075n),
  rawSmartMoneyOutflux: usd(704_410n),
  smartHolders: 14,
  rawHolders: 847,
  smartToRawHoldersRatio: 0.0165,
  profitableVolume: usd(40_211_390n),
  profitableVolumeTotalVolumeRatio: 0.313,
};

const ANSWER = {
  pair_address: POOL,
  token_address: MINT,
  total_wallets: 1824,
  organic_wallets: 1225,
  organic_profitable_wallets: 512,
  organic_to_total_wallets_ratio: '0.6716',
  bot_to_total_wallets_ratio: '0.3284',
  profitable_organic_to_total_organic_ratio: '0.4180',
  total_volume_usd: '1284729.47',
  organic_volume_usd: '611531.23',
  bot_volume_ratio: '0.5240',
  organic_volume_ratio: '0.4760',
  organic_mean_hold_seconds: '3847.25',
  organic_mean_trade_frequency_seconds: '612.40',
  smart_money_score: '72.45',
  price_usd: '0.000346289',
  social_sentiment_score: '0.000',
  social_blast_radius_score: 0,
  status: 'active',
  attempts: 0,
  created_at: '2025-01-15T14:32:08.000Z',
  updated_at: '2025-01-15T14:31:08.000Z',
  smart_money_influx_10min: '1840.00',
  smart_money_outflux_10min: '310.50',
  raw_smart_money_score: '58.10',
  raw_smart_money_influx: '9120.75',
  raw_smart_money_outflux: '7044.10',
  smart_holders: 14,
  raw_holders: 847,
  smart_to_raw_holders_ratio: '0.0165',
  profitable_volume: '402113.90',
  profitable_volume_total_volume_ratio: '0.3130',
};

const BOUNDS =
  'as_of_slot must be from 299999990, the oldest retained slot, to 300000000, the newest.';

describe('GET /v1/indicators/current', () => {
  const traded = { lastSwapMs: SLOT_TIME_MS - 60_000, updatedAtMs: SLOT_TIME_MS - 60_000 };

  test('returns every figure, keys in the order of the contract', async () => {
    const response = await getAsReader(serverWith(traded, FIGURES), url);
    expect(response.statusCode).toBe(200);
    expect(response.body).toBe(JSON.stringify(ANSWER));
    expect(response.headers['x-slot']).toBe(String(SLOT));
  });

  test('returns null for unknown values and for ratios of nothing, and 0 for empty counts', async () => {
    const unknown = {
      organicProfitableWallets: null,
      profitableOrganicToTotalOrganicRatio: null,
      totalVolumeUsd: null,
      profitableVolume: null,
    };
    expect((await getAsReader(serverWith({}, unknown), url)).json()).toMatchObject({
      total_wallets: 0,
      organic_profitable_wallets: null,
      organic_to_total_wallets_ratio: null,
      bot_to_total_wallets_ratio: null,
      profitable_organic_to_total_organic_ratio: null,
      total_volume_usd: null,
      organic_volume_usd: '0.00',
      organic_mean_hold_seconds: null,
      price_usd: null,
      profitable_volume: null,
    });
  });

  // Social figures of past slots are not stored.
  const NO_SOCIAL = { social_sentiment_score: null, social_blast_radius_score: null };

  test.each([
    [SLOT - 10, '2025-01-15T14:32:04.000Z'],
    [SLOT - 1, '2025-01-15T14:32:07.600Z'],
    [SLOT, '2025-01-15T14:32:08.000Z'],
  ])('returns the figures of slot %i, as of its time', async (slot, createdAt) => {
    const server = serverWith(traded, FIGURES);
    const response = await getAsReader(server, `${url}&as_of_slot=${slot}`);
    expect(response.headers['x-slot']).toBe(String(slot));
    const expected = { ...ANSWER, created_at: createdAt, ...NO_SOCIAL };
    expect(response.body).toBe(JSON.stringify(expected));
  });

  test.each([SLOT - 11, SLOT - 30])('returns the last minute for slot %i', async (slot) => {
    const server = serverWith(traded, FIGURES);
    const response = await getAsReader(server, `${url}&as_of_slot=${slot}`);
    expect(response.headers['x-slot']).toBe(String(SLOT - 30));
    const then = '2025-01-15T14:31:56.000Z';
    const expected = { ...ANSWER, created_at: then, updated_at: then, ...NO_SOCIAL };
    expect(response.body).toBe(JSON.stringify(expected));
  });

  test('is inactive as of a slot that is more than 24 h after the last swap before it', async () => {
    const lastSwapMs = SLOT_TIME_MS - DAY_MS - 1_000;
    const statusAt = async (slot: number) => {
      const server = serverWith({ lastSwapMs, firstSeenMs: 0 });
      return (await getAsReader(server, `${url}&as_of_slot=${slot}`)).json().status;
    };
    // 1,200 ms and 800 ms before the newest slot.
    expect([await statusAt(SLOT - 3), await statusAt(SLOT - 2)]).toEqual(['active', 'inactive']);
  });

  test.each([
    ['24 h after its last swap', SLOT_TIME_MS - DAY_MS, 'active'],
    ['more than 24 h after its last swap', SLOT_TIME_MS - DAY_MS - 1, 'inactive'],
  ])('is %s, by the time of the chain, %s', async (_when, lastSwapMs, status) => {
    expect((await read({ lastSwapMs, firstSeenMs: 0 })).status).toBe(status);
  });

  test('is active while no time is known', async () => {
    const body = await read({ lastSwapMs: null, firstSeenMs: null, updatedAtMs: null });
    expect(body).toMatchObject({ status: 'active', updated_at: null });
  });

  test('counts the 24 h of a pool without swaps from when it was first seen', async () => {
    expect((await read({ firstSeenMs: SLOT_TIME_MS - DAY_MS })).status).toBe('active');
    expect((await read({ firstSeenMs: SLOT_TIME_MS - DAY_MS - 1 })).status).toBe('inactive');
  });

  test('is as of the pool’s own time while the newest slot is not known', async () => {
    const { chain } = fakeApiDeps();
    const server = fakeApiServer({
      chain: { ...chain, freshness: () => ({ slot: null, timeMs: null, isComplete: false }) },
    });
    const response = await getAsReader(server, url);
    expect(response.json().created_at).toBe('2025-01-15T14:32:08.000Z');
  });

  test.each([
    ['no pool', '', 400, 'pair_address is required.'],
    ['an empty pool', '?pair_address=', 400, 'pair_address is empty.'],
    [
      'a bad address',
      '?pair_address=x',
      400,
      'pair_address must be the base58 text of a 32-byte address.',
    ],
    [
      'two pools',
      `?pair_address=${POOL}&pair_address=${POOL}`,
      400,
      'pair_address is given more than once.',
    ],
    ['a pool it never saw', `?pair_address=${OTHER_MINT}`, 404, 'This pool is not known.'],
    [
      'a bad slot',
      `?pair_address=${POOL}&as_of_slot=1.5`,
      400,
      'as_of_slot must be a whole number from 0 to 9007199254740991.',
    ],
    [
      'a slot of a pool it never saw',
      `?pair_address=${OTHER_MINT}&as_of_slot=${SLOT}`,
      404,
      'This pool is not known.',
    ],
    ['a slot before the first figures', `?pair_address=${POOL}&as_of_slot=1`, 422, BOUNDS],
    ['a slot after the newest', `?pair_address=${POOL}&as_of_slot=${SLOT + 1}`, 422, BOUNDS],
  ])('answers for %s', async (_what, query, code, message) => {
    const response = await getAsReader(serverWith(), `/v1/indicators/current${query}`);
    expect(response.statusCode).toBe(code);
    expect(response.body).toBe(JSON.stringify({ code, message }));
  });

  test('refuses parameters it does not know', async () => {
    const response = await getAsReader(serverWith(), `${url}&colour=red&colour=blue`);
    expect(response.statusCode).toBe(400);
    expect(response.json().message).toBe('colour is not a parameter of this endpoint.');
  });

  test.each<[keyof IndicatorRecord, number | bigint | null, readonly string[]]>([
    ['totalWallets', 0, ['organic_to_total_wallets_ratio', 'bot_to_total_wallets_ratio']],
    ['organicWallets', 0, ['profitable_organic_to_total_organic_ratio']],
    ['totalVolumeUsd', 0n, VOLUME_RATIOS],
    ['totalVolumeUsd', null, VOLUME_RATIOS],
    ['rawHolders', 0, ['smart_to_raw_holders_ratio']],
  ])('has no ratio of a whole that is nothing: %s %s', async (whole, value, names) => {
    const server = serverWith(traded, { ...FIGURES, [whole]: value });
    const body: Readonly<Record<string, unknown>> = (await getAsReader(server, url)).json();
    const ratios = Object.keys(body).filter((name) => name.endsWith('_ratio'));
    expect(ratios.filter((name) => body[name] === null).sort()).toEqual([...names].sort());
  });

  test('returns null holders, not zero, for a pool of SOL', async () => {
    const server = serverWith({}, { baseMint: WRAPPED_SOL, rawHolders: 0, smartHolders: 0 });
    expect((await getAsReader(server, url)).json()).toMatchObject({
      smart_holders: null,
      raw_holders: null,
      smart_to_raw_holders_ratio: null,
    });
  });
});
