import { describe, expect, test } from 'vitest';
import {
  asOfFakeSlot,
  fakeCandle,
  MINT,
  POOL,
  SLOT_TIME_MS,
} from '../../../../tests/support/fake-api-deps.ts';
import { fakeApiServer, getAsReader } from '../../../../tests/support/fake-api-server.ts';
import type { Candle } from '../../../model/derived.ts';
import type { CandleQuery } from '../../deps.ts';

const MINUTE_MS = 60_000;
const HALF_PAST_TWO_MS = Date.UTC(2025, 0, 15, 14, 30);
const HALF_PAST_TWO = HALF_PAST_TWO_MS / 1_000;

/** Answers reads as the store does: only candles within the range, and the last one before it. */
function serverWith(stored: readonly Candle[]) {
  const asked: CandleQuery[] = [];
  const server = fakeApiServer({
    candles: {
      read: async (query) => {
        asked.push(query);
        const { fromMs, toMs, withBefore } = query;
        const candles = stored.filter(
          ({ openTimeMs }) => openTimeMs >= fromMs && openTimeMs < toMs,
        );
        const before = stored.findLast(({ openTimeMs }) => openTimeMs < fromMs) ?? null;
        return asOfFakeSlot({ candles, before: withBefore ? before : null });
      },
    },
  });
  return { server, asked };
}

const historyUrl = (rest: string, symbol = MINT) => `/udf/history?symbol=${symbol}&${rest}`;

describe('GET /udf/history', () => {
  test.each(['1S', '1', '5', '240', '1D'] as const)(
    'has the bars of /v1/market/ohlc in resolution %s',
    async (resolution) => {
      const intervals = { '1S': '1s', '1': '1m', '5': '5m', '240': '4h', '1D': '1d' } as const;
      const { server } = serverWith([fakeCandle(HALF_PAST_TWO_MS)]);
      const interval = intervals[resolution];
      const from = resolution === '1S' ? HALF_PAST_TWO : HALF_PAST_TWO - 86_400;
      const range = `from=${from}&to=${HALF_PAST_TWO + 60}`;
      const { t, o, h, l, c, v, s } = (
        await getAsReader(server, historyUrl(`resolution=${resolution}&${range}`))
      ).json();
      const [start, end] = [from, HALF_PAST_TWO + 60].map((at) =>
        new Date(at * 1_000).toISOString(),
      );
      const ohlcUrl = `/v1/market/ohlc?token_address=${MINT}&interval=${interval}`;
      const ohlc = await getAsReader(server, `${ohlcUrl}&start=${start}&end=${end}`);
      const candles: Record<string, string>[] = ohlc.json().timeframes[interval];
      expect(candles).toHaveLength(1);
      expect(s).toBe('ok');
      const column = (name: string) => candles.map((candle) => Number(candle[name]));
      expect([o, h, l, c, v]).toEqual(['open', 'high', 'low', 'close', 'volume'].map(column));
      expect(t.map((at: number) => new Date(at * 1_000).toISOString())).toEqual(
        candles.map(({ timestamp }) => timestamp),
      );
    },
  );

  test('has so many bars before the end as countback asks, whatever from says', async () => {
    const minutes = [1, 2, 3, 700].map((ago) => fakeCandle(HALF_PAST_TWO_MS - ago * MINUTE_MS));
    const { server, asked } = serverWith(minutes.toReversed());
    const url = historyUrl(`resolution=1&from=${HALF_PAST_TWO}&to=${HALF_PAST_TWO}`);
    const two = (await getAsReader(server, `${url}&countback=2`)).json();
    expect(two.t).toEqual([HALF_PAST_TWO - 120, HALF_PAST_TWO - 60]);
    expect(asked).toHaveLength(1);
    // The fourth is further away than twice the count, so a wider range is read.
    const four = (await getAsReader(server, `${url}&countback=4`)).json();
    expect(four.t[0]).toBe(HALF_PAST_TWO - 700 * 60);
    expect(four.t).toHaveLength(4);
  });

  test('without bars names the time of the last one before', async () => {
    const { server } = serverWith([fakeCandle(HALF_PAST_TWO_MS + 30_000)]);
    const url = historyUrl(`resolution=1&from=${HALF_PAST_TWO + 600}&to=${HALF_PAST_TWO + 900}`);
    expect((await getAsReader(server, url)).json()).toEqual({
      s: 'no_data',
      nextTime: HALF_PAST_TWO,
    });
    const { server: empty } = serverWith([]);
    expect((await getAsReader(empty, url)).json()).toEqual({ s: 'no_data' });
  });

  test('without a start reads 500 bars', async () => {
    const { server, asked } = serverWith([]);
    await getAsReader(server, historyUrl(`resolution=1&to=${HALF_PAST_TWO}`));
    expect(asked[0]?.fromMs).toBe(HALF_PAST_TWO_MS - 500 * MINUTE_MS);
  });

  test('takes a pool too, and says what it is as of', async () => {
    const { server, asked } = serverWith([fakeCandle(HALF_PAST_TWO_MS)]);
    const url = historyUrl(`resolution=D&from=0&to=${HALF_PAST_TWO}&countback=1`, POOL);
    const response = await getAsReader(server, url);
    expect(response.json().s).toBe('ok');
    expect(asked[0]).toMatchObject({ scope: POOL, view: 'all' });
    expect(response.headers).toMatchObject({ 'x-complete': 'true', 'x-data-age-ms': '1000' });
  });

  test.each([
    ['resolution=1&from=1&to=2', 'nothing', 400],
    ['resolution=1&from=1', MINT, 400],
    ['resolution=1&from=1&to=2&symbols=x', MINT, 400],
    ['resolution=1&from=-1&to=2', MINT, 400],
    [`resolution=1&from=1&to=${SLOT_TIME_MS}`, MINT, 400],
    ['resolution=1&from=1&to=2&countback=0', MINT, 400],
    ['resolution=1&from=1&to=2&countback=10001', MINT, 400],
    ['resolution=2&from=1&to=2', MINT, 422],
    ['resolution=1&from=2&to=2', MINT, 422],
    [`resolution=1S&from=1&to=${HALF_PAST_TWO}`, MINT, 422],
    ['resolution=1&from=1&to=2', 'So11111111111111111111111111111111111111112', 404],
  ])('%s of %s is refused with %d', async (rest, symbol, status) => {
    const { server } = serverWith([]);
    const response = await getAsReader(server, historyUrl(rest, symbol as typeof MINT));
    expect(response.statusCode).toBe(status);
    expect(response.json().code).toBe(status);
  });
});
