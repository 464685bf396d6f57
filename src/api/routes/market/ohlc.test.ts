import { describe, expect, test } from 'vitest';
import {
  asOfFakeSlot,
  fakeCandle,
  MINT,
  OTHER_POOL,
  POOL,
  SLOT,
  SLOT_TIME_MS,
} from '../../../../tests/support/fake-api-deps.ts';
import { fakeApiServer, getAsReader } from '../../../../tests/support/fake-api-server.ts';
import type { Candle } from '../../../model/derived.ts';
import { asSlot } from '../../../model/units.ts';
import type { CandleQuery } from '../../deps.ts';

const url = `/v1/market/ohlc?token_address=${MINT}`;
const MINUTE = 60_000;
/** The chain's time is 14:32:08. */
const HALF_PAST_TWO = Date.UTC(2025, 0, 15, 14, 30);

function serverWith(candles: readonly Candle[], before: Candle | null = null) {
  const asked: CandleQuery[] = [];
  const server = fakeApiServer({
    candles: {
      read: async (query) => {
        asked.push(query);
        return asOfFakeSlot({ candles, before: query.withBefore ? before : null });
      },
    },
  });
  return { server, asked };
}

describe('GET /v1/market/ohlc', () => {
  test('returns candles under the requested interval, keys in order', async () => {
    const { server } = serverWith([fakeCandle(HALF_PAST_TWO), fakeCandle(SLOT_TIME_MS)]);
    const response = await getAsReader(server, `${url}&interval=1s`);
    expect(response.statusCode).toBe(200);
    const figures = {
      open: '1.5',
      high: '1.5',
      low: '1.5',
      close: '1.5',
      volume: '3.00',
      vwap: '1.5',
    };
    expect(response.body).toBe(
      JSON.stringify({
        timeframes: {
          '1s': [
            { timestamp: '2025-01-15T14:30:00.000Z', ...figures },
            { timestamp: '2025-01-15T14:32:08.000Z', ...figures },
          ],
        },
      }),
    );
  });

  test.each([
    ['', 'all'],
    ['&view=all', 'all'],
    ['&view=organic', 'organic'],
  ])(
    'reads the trades of the view%s, including the candle before the range',
    async (option, view) => {
      const asked: unknown[] = [];
      const server = fakeApiServer({
        candles: {
          read: async (query) => {
            asked.push([query.view, query.withBefore]);
            return asOfFakeSlot({ candles: [], before: null });
          },
        },
      });
      const response = await getAsReader(server, `${url}&fill=previous${option}`);
      expect(response.statusCode).toBe(200);
      expect(asked).toEqual([[view, true]]);
    },
  );

  test('says the slot of the candles, and ends a range up to now at its time', async () => {
    const nextMs = HALF_PAST_TWO + 5 * MINUTE;
    const ranges: number[] = [];
    const server = fakeApiServer({
      candles: {
        read: async ({ toMs }) => {
          ranges.push(toMs);
          const slot = asSlot(SLOT + 1_000);
          return { slot, timeMs: nextMs, data: { candles: [], before: null } };
        },
      },
    });
    const { headers } = await getAsReader(server, url);
    expect(headers['x-slot']).toBe(String(SLOT + 1_000));
    expect(ranges).toEqual([nextMs, nextMs + 5 * MINUTE]);
  });

  test('says whether the candles are those of a pool', async () => {
    const { server, asked } = serverWith([]);
    await getAsReader(server, `${url}&pair_address=${POOL}`);
    expect(asked).toMatchObject([{ scope: POOL, isPool: true }]);
  });

  test('returns an empty list for a token that did not trade', async () => {
    const response = await getAsReader(serverWith([]).server, url);
    expect(response.body).toBe('{"timeframes":{"5m":[]}}');
  });

  test('reads 500 candles of five minutes up to the newest slot by default', async () => {
    const { server, asked } = serverWith([]);
    await getAsReader(server, url);
    expect(asked).toEqual([
      {
        scope: MINT,
        isPool: false,
        fromMs: HALF_PAST_TWO - 499 * 5 * MINUTE,
        toMs: HALF_PAST_TWO + 5 * MINUTE,
        intervalMs: 5 * MINUTE,
        view: 'all',
        withBefore: false,
      },
    ]);
  });

  test.each([
    ['1s', 1_000],
    ['5s', 5_000],
    ['15s', 15_000],
    ['30s', 30_000],
    ['1m', MINUTE],
    ['5m', 5 * MINUTE],
    ['15m', 15 * MINUTE],
    ['30m', 30 * MINUTE],
    ['1h', 60 * MINUTE],
    ['4h', 240 * MINUTE],
    ['1d', 1_440 * MINUTE],
  ])('supports the interval %s', async (interval, intervalMs) => {
    const { server, asked } = serverWith([]);
    const response = await getAsReader(server, `${url}&interval=${interval}`);
    expect(response.json()).toEqual({ timeframes: { [interval]: [] } });
    expect(asked[0]?.intervalMs).toBe(intervalMs);
  });

  test('reads start and end with a zone, the plus written plainly or encoded', async () => {
    const { server, asked } = serverWith([]);
    for (const plus of ['+', '%2B']) {
      const response = await getAsReader(
        server,
        `${url}&start=2025-01-15T16:00:00${plus}02:00&end=2025-01-15T14:10`,
      );
      expect(response.statusCode).toBe(200);
    }
    const range = { fromMs: HALF_PAST_TWO - 30 * MINUTE, toMs: HALF_PAST_TWO - 20 * MINUTE };
    expect(asked).toMatchObject([range, range]);
  });

  test('reads the candles of one pool of the token', async () => {
    const { server, asked } = serverWith([]);
    await getAsReader(server, `${url}&pair_address=${POOL}`);
    expect(asked[0]?.scope).toBe(POOL);
  });

  test('returns market caps', async () => {
    const { server } = serverWith([fakeCandle(HALF_PAST_TWO)]);
    const response = await getAsReader(server, `${url}&metric=marketcap_usd`);
    expect(response.json().timeframes['5m'][0]).toMatchObject({
      close: '1500.00',
      vwap: '1500.00',
    });
  });

  test('fills empty buckets up to the newest slot and not beyond', async () => {
    const { server } = serverWith([], fakeCandle(0));
    const options = 'fill=previous&interval=1m&start=2025-01-15T14:30&end=2025-01-15T15:00';
    const response = await getAsReader(server, `${url}&${options}`);
    const flat = { open: '1.5', high: '1.5', low: '1.5', close: '1.5', volume: '0.00', vwap: null };
    expect(response.json().timeframes['1m']).toEqual([
      { timestamp: '2025-01-15T14:30:00.000Z', ...flat },
      { timestamp: '2025-01-15T14:31:00.000Z', ...flat },
      { timestamp: '2025-01-15T14:32:00.000Z', ...flat },
    ]);
  });

  test('accepts a range in the future: it holds no candle', async () => {
    const { server } = serverWith([], fakeCandle(0));
    const options = 'fill=previous&start=2030-01-01&end=2030-01-02';
    const response = await getAsReader(server, `${url}&${options}`);
    expect(response.json()).toEqual({ timeframes: { '5m': [] } });
  });

  const badInstant = 'must be an ISO 8601 date or date-time such as 2025-01-15T14:32:08Z.';
  test.each([
    ['start=2024-02-30', `start ${badInstant}`],
    ['start=2025-W03-3', `start ${badInstant}`],
    ['start=1736942400', `start ${badInstant}`],
    ['start=', `start ${badInstant}`],
    ['end=2025-01-15T12:00:00%2B24:00', `end ${badInstant}`],
    ['start=2025-01-15&end=2025-01-14', 'start must be before end.'],
    ['start=2025-01-15&end=2025-01-15', 'start must be before end.'],
    ['start=2030-01-01', 'start must be before end.'],
    [
      'start=2015-01-15&end=2025-01-15',
      'The range holds more than 10000 candles of this interval.',
    ],
    ['interval=2m', 'interval must be one of 1s, 5s, 15s, 30s, 1m, 5m, 15m, 30m, 1h, 4h, 1d.'],
    ['interval=', 'interval must be one of 1s, 5s, 15s, 30s, 1m, 5m, 15m, 30m, 1h, 4h, 1d.'],
    [
      'interval=__proto__',
      'interval must be one of 1s, 5s, 15s, 30s, 1m, 5m, 15m, 30m, 1h, 4h, 1d.',
    ],
    ['metric=price', 'metric must be one of price_usd, marketcap_usd.'],
    ['fill=zero', 'fill must be one of none, previous.'],
    ['view=bots', 'view must be one of all, organic.'],
  ])('answers 422 for %s', async (option, message) => {
    const response = await getAsReader(serverWith([]).server, `${url}&${option}`);
    expect(response.statusCode).toBe(422);
    expect(response.body).toBe(JSON.stringify({ code: 422, message }));
  });

  const badAddress = 'must be the base58 text of a 32-byte address.';
  test.each([
    ['no token', '', 400, 'token_address is required.'],
    ['an empty token', '?token_address=', 400, 'token_address is empty.'],
    ['a bad token', '?token_address=x&interval=2m', 400, `token_address ${badAddress}`],
    [
      'a bad pool',
      `?token_address=${MINT}&start=x&pair_address=x`,
      400,
      `pair_address ${badAddress}`,
    ],
    ['an unknown token', `?token_address=${POOL}`, 404, 'This token is not known.'],
    [
      'an unknown token of a bad range',
      `?token_address=${POOL}&start=x`,
      422,
      `start ${badInstant}`,
    ],
    [
      'an unknown pool',
      `?token_address=${MINT}&pair_address=${MINT}`,
      404,
      'This token has no such pool.',
    ],
    [
      'another token’s pool',
      `?token_address=${MINT}&pair_address=${OTHER_POOL}`,
      404,
      'This token has no such pool.',
    ],
  ])('answers for %s', async (_what, query, code, message) => {
    const response = await getAsReader(serverWith([]).server, `/v1/market/ohlc${query}`);
    expect(response.statusCode).toBe(code);
    expect(response.body).toBe(JSON.stringify({ code, message }));
  });
});
