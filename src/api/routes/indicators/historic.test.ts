import { describe, expect, test } from 'vitest';
import {
  asOfFakeSlot,
  fakeIndicators,
  MINT,
  OTHER_MINT,
  POOL,
  SLOT_TIME_MS,
} from '../../../../tests/support/fake-api-deps.ts';
import { fakeApiServer, getAsReader } from '../../../../tests/support/fake-api-server.ts';
import type { IndicatorBucket } from '../../../model/indicators.ts';
import { asPriceE18, asUsdNano } from '../../../model/units.ts';
import type { IndicatorQuery } from '../../deps.ts';

const url = `/v1/indicators/historic?pair_address=${POOL}`;
const HOUR = 3_600_000;
const AT_TWO = Date.UTC(2025, 0, 15, 14);

const bucket: IndicatorBucket = {
  openMs: AT_TWO,
  record: fakeIndicators({
    createdAtMs: AT_TWO + HOUR - 400,
    totalWallets: 5,
    organicWallets: 3,
    organicToTotalWalletsRatio: 0.6,
    botToTotalWalletsRatio: 0.4,
    totalVolumeUsd: asUsdNano(0n),
    organicMeanHoldSeconds: 90,
    priceUsd: asPriceE18(15n),
  }),
};

function serverWith(buckets: readonly IndicatorBucket[] = [bucket]) {
  const asked: IndicatorQuery[] = [];
  const server = fakeApiServer({
    indicators: {
      history: async (query) => {
        asked.push(query);
        return asOfFakeSlot(buckets);
      },
    },
  });
  return { server, asked };
}

describe('GET /v1/indicators/historic', () => {
  test('returns the requested range and every figure, keys in the order of the contract', async () => {
    const { server } = serverWith();
    const range = '&from=2025-01-15T14:00&to=2025-01-15T16:00:00%2B01:00&interval=1h';
    const response = await getAsReader(server, url + range);
    expect(response.statusCode).toBe(200);
    expect(response.body).toBe(
      JSON.stringify({
        pair_address: POOL,
        from: '2025-01-15T14:00',
        to: '2025-01-15T16:00:00+01:00',
        interval: '1h',
        count: 1,
        indicators: [
          {
            pair_address: POOL,
            token_address: MINT,
            total_wallets: 5,
            organic_wallets: 3,
            organic_profitable_wallets: 0,
            organic_to_total_wallets_ratio: '0.6000',
            bot_to_total_wallets_ratio: '0.4000',
            profitable_organic_to_total_organic_ratio: '0.0000',
            total_volume_usd: '0.00',
            organic_volume_usd: '0.00',
            bot_volume_ratio: null,
            organic_volume_ratio: null,
            organic_mean_hold_seconds: '90.00',
            organic_mean_trade_frequency_seconds: null,
            smart_money_score: '0.00',
            price_usd: '0.000000000000000015',
            created_at: '2025-01-15T14:00:00.000Z',
            updated_at: '2025-01-15T14:59:59.600Z',
            smart_money_influx_10min: '0.00',
            smart_money_outflux_10min: '0.00',
            raw_smart_money_score: '0.00',
            raw_smart_money_influx: '0.00',
            raw_smart_money_outflux: '0.00',
            smart_holders: 0,
            raw_holders: 0,
            smart_to_raw_holders_ratio: null,
            profitable_volume: '0.00',
            profitable_volume_total_volume_ratio: null,
          },
        ],
      }),
    );
  });

  test('returns the requested fields in the order of the contract, and always created_at', async () => {
    const { server } = serverWith();
    const fields = 'raw_holders,price_usd,total_wallets,price_usd';
    const response = await getAsReader(
      server,
      `${url}&from=2025-01-15&to=2025-01-16&fields=${fields}`,
    );
    expect(JSON.stringify(response.json().indicators)).toBe(
      JSON.stringify([
        {
          total_wallets: 5,
          price_usd: '0.000000000000000015',
          created_at: '2025-01-15T14:00:00.000Z',
          raw_holders: 0,
        },
      ]),
    );
  });

  test('returns no indicators for a range without a trade', async () => {
    const { server } = serverWith([]);
    const response = await getAsReader(server, `${url}&from=2025-01-15&to=2025-01-16`);
    expect(response.json()).toMatchObject({ interval: '1m', count: 0, indicators: [] });
  });

  test('reads whole buckets around the range, up to the minute of the newest slot', async () => {
    const { server, asked } = serverWith();
    const range = '&from=2025-01-15T14:07:30Z&to=2025-01-15T15:00:01Z&interval=30m';
    await getAsReader(server, url + range);
    expect(asked).toEqual([
      {
        pool: POOL,
        fromMs: AT_TWO,
        toMs: AT_TWO + 1.5 * HOUR,
        intervalMs: HOUR / 2,
        untilMs: SLOT_TIME_MS - 8_000,
      },
    ]);
  });

  const day = (count: number) => new Date(Date.UTC(2025, 0, 1) + count * 24 * HOUR).toISOString();

  test.each([
    ['1m', 1, '24 hours'],
    ['5m', 7, '7 days'],
    ['15m', 14, '14 days'],
    ['30m', 30, '30 days'],
    ['1h', 90, '90 days'],
    ['4h', 180, '180 days'],
    ['1d', 365, '365 days'],
  ])('accepts %s buckets for at most %i days', async (interval, days, most) => {
    const { server } = serverWith();
    const read = (to: string) =>
      getAsReader(server, `${url}&interval=${interval}&from=${day(0)}&to=${to}`);
    expect((await read(day(days))).statusCode).toBe(200);
    const response = await read(day(days).replace('.000Z', '.001Z'));
    const message = `A range of ${interval} buckets is at most ${most}.`;
    expect(response.json()).toEqual({ code: 422, message });
  });

  const range = '&from=2025-01-15&to=2025-01-16';

  test.each([
    ['no pool', `?${range.slice(1)}`, 400, 'pair_address is required.'],
    ['no from', `?pair_address=${POOL}&to=2025-01-16`, 400, 'from is required.'],
    ['no to', `?pair_address=${POOL}&from=2025-01-16`, 400, 'to is required.'],
    [
      'two ranges',
      `?pair_address=${POOL}${range}&from=2025-01-15`,
      400,
      'from is given more than once.',
    ],
    [
      'a bad address before a bad date',
      '?pair_address=x&from=soon&to=later',
      400,
      'pair_address must be the base58 text of a 32-byte address.',
    ],
    [
      'a bad date',
      `?pair_address=${POOL}&from=2024-02-30&to=2025-01-16`,
      422,
      'from must be an ISO 8601 date or date-time such as 2025-01-15T14:32:08Z.',
    ],
    [
      'a reversed range',
      `?pair_address=${POOL}&from=2025-01-16&to=2025-01-16`,
      422,
      'from must be before to.',
    ],
    [
      'an interval finer than a minute',
      `?pair_address=${POOL}${range}&interval=30s`,
      422,
      'interval must be one of 1m, 5m, 15m, 30m, 1h, 4h, 1d.',
    ],
    ['an unknown pool', `?pair_address=${OTHER_MINT}${range}`, 404, 'This pool is not known.'],
  ])('answers for %s', async (_what, query, code, message) => {
    const response = await getAsReader(serverWith().server, `/v1/indicators/historic${query}`);
    expect(response.json()).toEqual({ code, message });
    expect(response.statusCode).toBe(code);
  });

  test.each(['social_sentiment_score', 'created_at', 'total_wallets,', '', '__proto__'])(
    'answers 422 for the field %j',
    async (fields) => {
      const { server } = serverWith();
      const response = await getAsReader(server, `${url}${range}&fields=${fields}`);
      expect(response.statusCode).toBe(422);
      expect(response.json().message).toMatch(
        /^fields must be a comma-separated list of pair_address, /,
      );
    },
  );
});
