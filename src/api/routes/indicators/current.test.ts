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

const url = `/v1/indicators/current?pair_address=${POOL}`;
const DAY_MS = 86_400_000;
const usd = (cents: bigint) => asUsdNano(cents * 10_000_000n);

/** A server that also has the indicators of one minute, of the slot ten before the newest. */
function serverWith(given: Partial<PoolRecord> = {}, figures: Partial<IndicatorRecord> = {}) {
  const pool = fakePool(given);
  const then = fakeIndicators({
    ...figures,
    slot: asSlot(SLOT - 10),
    createdAtMs: SLOT_TIME_MS - 4_000,
  });
  return fakeApiServer({
    pools: {
      find: (address) => (address === POOL ? pool : null),
      withIndicators: (address) =>
        address === POOL ? { pool, indicators: fakeIndicators(figures) } : null,
    },
    indicators: {
      history: async () => [],
      atSlot: async (_, slot) => (slot >= then.slot ? then : null),
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

describe('GET /v1/indicators/current', () => {
  const traded = { lastSwapMs: SLOT_TIME_MS - 60_000, updatedAtMs: SLOT_TIME_MS - 60_000 };

  test('returns every figure, keys in the order of the contract', async () => {
    const response = await getAsReader(serverWith(traded, FIGURES), url);
    expect(response.statusCode).toBe(200);
    expect(response.body).toBe(JSON.stringify(ANSWER));
    expect(response.headers['x-slot']).toBe(String(SLOT));
  });

  test('returns null for unknown values and 0 for empty counts and ratios', async () => {
    const unknown = {
      organicProfitableWallets: null,
      profitableOrganicToTotalOrganicRatio: null,
      totalVolumeUsd: null,
      profitableVolume: null,
    };
    expect((await getAsReader(serverWith({}, unknown), url)).json()).toMatchObject({
      total_wallets: 0,
      organic_profitable_wallets: null,
      organic_to_total_wallets_ratio: '0.0000',
      profitable_organic_to_total_organic_ratio: null,
      total_volume_usd: null,
      organic_volume_usd: '0.00',
      organic_mean_hold_seconds: null,
      price_usd: null,
      profitable_volume: null,
    });
  });

  test.each([
    [SLOT - 10, SLOT - 10],
    [SLOT - 1, SLOT - 10],
    [SLOT, SLOT],
    [SLOT + 7, SLOT],
  ])('as of slot %i returns the figures of slot %i with that x-slot', async (asOfSlot, slot) => {
    const server = serverWith(traded, FIGURES);
    const response = await getAsReader(server, `${url}&as_of_slot=${asOfSlot}`);
    expect(response.headers['x-slot']).toBe(String(slot));
    const then = '2025-01-15T14:32:04.000Z';
    // Social figures of past slots are not stored.
    const social = { social_sentiment_score: null, social_blast_radius_score: null };
    const times = slot === SLOT ? {} : { created_at: then, updated_at: then, ...social };
    expect(response.body).toBe(JSON.stringify({ ...ANSWER, ...times }));
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
      `?pair_address=${OTHER_MINT}&as_of_slot=1`,
      404,
      'This pool is not known.',
    ],
    [
      'a slot before the first figures',
      `?pair_address=${POOL}&as_of_slot=1`,
      422,
      'history before slot 2 is not retained',
    ],
  ])('answers for %s', async (_what, query, code, message) => {
    const response = await getAsReader(serverWith(), `/v1/indicators/current${query}`);
    expect(response.statusCode).toBe(code);
    expect(response.body).toBe(JSON.stringify({ code, message }));
  });

  test('ignores parameters it does not know', async () => {
    const response = await getAsReader(serverWith(), `${url}&colour=red&colour=blue`);
    expect(response.statusCode).toBe(200);
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
