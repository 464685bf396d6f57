import { describe, expect, test } from 'vitest';
import {
  fakeApiDeps,
  fakePool,
  MINT,
  OTHER_MINT,
  POOL,
  SLOT_TIME_MS,
} from '../../../../tests/support/fake-api-deps.ts';
import { fakeApiServer, getAsReader } from '../../../../tests/support/fake-api-server.ts';
import type { PoolRecord } from '../../../model/derived.ts';
import type { PriceE18, RawAmount, UsdNano } from '../../../model/units.ts';

const url = `/v1/indicators/current?pair_address=${POOL}`;
const DAY_MS = 86_400_000;

function serverWith(pool: Partial<PoolRecord>) {
  const record = fakePool(pool);
  return fakeApiServer({
    pools: {
      find: (address) => (address === POOL ? record : null),
      withHolderCount: (address) => (address === POOL ? { pool: record, holderCount: 847 } : null),
    },
  });
}

async function read(pool: Partial<PoolRecord>) {
  return (await getAsReader(serverWith(pool), url)).json();
}

describe('GET /v1/indicators/current', () => {
  test('answers what is computed and null for the rest, keys in the order of the contract', async () => {
    const server = serverWith({
      walletCount: 1_824,
      buyVolumeUsd: 700_000_120_000_000n as UsdNano,
      sellVolumeUsd: 584_729_350_000_000n as UsdNano,
      quoteVolumeRaw: 10n as RawAmount,
      pricedQuoteVolumeRaw: 10n as RawAmount,
      priceUsd: 346_289_000_000_000n as PriceE18,
      lastSwapMs: SLOT_TIME_MS - 60_000,
      updatedAtMs: SLOT_TIME_MS - 60_000,
    });
    const response = await getAsReader(server, url);
    expect(response.statusCode).toBe(200);
    expect(response.body).toBe(
      JSON.stringify({
        pair_address: POOL,
        token_address: MINT,
        total_wallets: 1824,
        organic_wallets: null,
        organic_profitable_wallets: null,
        organic_to_total_wallets_ratio: null,
        bot_to_total_wallets_ratio: null,
        profitable_organic_to_total_organic_ratio: null,
        total_volume_usd: '1284729.47',
        organic_volume_usd: null,
        bot_volume_ratio: null,
        organic_volume_ratio: null,
        organic_mean_hold_seconds: null,
        organic_mean_trade_frequency_seconds: null,
        smart_money_score: null,
        price_usd: '0.000346289',
        social_sentiment_score: null,
        social_blast_radius_score: null,
        status: 'active',
        attempts: 0,
        created_at: '2025-01-15T14:32:08.000Z',
        updated_at: '2025-01-15T14:31:08.000Z',
        smart_money_influx_10min: null,
        smart_money_outflux_10min: null,
        raw_smart_money_score: null,
        raw_smart_money_influx: null,
        raw_smart_money_outflux: null,
        smart_holders: null,
        raw_holders: 847,
        smart_to_raw_holders_ratio: null,
        profitable_volume: null,
        profitable_volume_total_volume_ratio: null,
      }),
    );
  });

  test('answers volume zero and no price for a pool nobody traded', async () => {
    expect(await read({})).toMatchObject({
      total_wallets: 0,
      total_volume_usd: '0.00',
      price_usd: null,
    });
  });

  test.each([
    [90n, '2.00'],
    [89n, null],
  ])('with %i of 100 of the volume priced, answers %s', async (priced, volume) => {
    const pool = {
      buyVolumeUsd: 2_000_000_000n as UsdNano,
      quoteVolumeRaw: 100n as RawAmount,
      pricedQuoteVolumeRaw: priced as RawAmount,
    };
    expect((await read(pool)).total_volume_usd).toBe(volume);
  });

  test.each([
    ['24 h after its last swap', SLOT_TIME_MS - DAY_MS, 'active'],
    ['more than 24 h after its last swap', SLOT_TIME_MS - DAY_MS - 1, 'inactive'],
  ])('is %s, by the time of the chain, %s', async (_when, lastSwapMs, status) => {
    expect((await read({ lastSwapMs, firstSeenMs: 0 })).status).toBe(status);
  });

  test('is active while no time tells otherwise', async () => {
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
      'an earlier slot',
      `?pair_address=${POOL}&as_of_slot=1`,
      422,
      'history before slot 300000000 is not retained',
    ],
  ])('answers for %s', async (_what, query, code, message) => {
    const response = await getAsReader(serverWith({}), `/v1/indicators/current${query}`);
    expect(response.statusCode).toBe(code);
    expect(response.body).toBe(JSON.stringify({ code, message }));
  });

  test('ignores parameters it does not know', async () => {
    const response = await getAsReader(serverWith({}), `${url}&colour=red&colour=blue`);
    expect(response.statusCode).toBe(200);
  });
});
