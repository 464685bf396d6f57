import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type DemoMarket, openDemoMarket } from '../../scripts/openapi/demo-market.ts';

interface Finding {
  readonly fraud_type: string;
  readonly created_at: string;
  readonly confidence_score: number;
}

interface Mark {
  readonly id: string;
  readonly time: number;
  readonly label: string;
  readonly text: string;
}

interface History {
  readonly s: string;
  readonly t: readonly number[];
  readonly o: readonly number[];
  readonly h: readonly number[];
  readonly l: readonly number[];
  readonly c: readonly number[];
  readonly v: readonly number[];
  readonly errmsg?: string;
}

const MINUTE_S = 60;
/** Bars that a chart asks for at once. */
const PAGE = 7;

let market: DemoMarket;
let nowS = 0;

beforeAll(async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  market = await openDemoMarket((timeMs) => {
    vi.setSystemTime(timeMs);
    nowS = Math.ceil(timeMs / 1_000);
  });
});

afterAll(async () => {
  await market?.close();
  vi.useRealTimers();
});

/**
 * Asks as the client that comes with the TradingView charting library does: parameters in its order,
 * empty ones too, and the answer is parsed whatever its status is.
 */
async function asChart<Answer>(path: string, parameters: Record<string, string | number> = {}) {
  const query = Object.entries(parameters)
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .join('&');
  const { text } = await market.ask('GET', `/udf/${path}${query === '' ? '' : `?${query}`}`);
  return JSON.parse(text) as Answer;
}

async function api<Answer>(url: string): Promise<Answer> {
  const { status, text } = await market.ask('GET', url);
  expect(status).toBe(200);
  return JSON.parse(text) as Answer;
}

/** All bars, page by page from the newest backwards, as a chart that is scrolled. */
async function scrollBack(symbol: string, resolution: string): Promise<History[]> {
  const pages: History[] = [];
  let to = nowS;
  for (;;) {
    const from = to - PAGE * MINUTE_S;
    const page = await asChart<History>('history', {
      ...{ symbol, resolution, from, to, countback: PAGE },
    });
    if (page.s !== 'ok') return pages;
    pages.unshift(page);
    to = page.t[0] ?? 0;
  }
}

describe('the data feed of charts, as the client of the charting library asks it', () => {
  test('says what it supports, and the time', async () => {
    const config = await asChart<Record<string, unknown>>('config');
    expect(config).toMatchObject({ supports_search: true, supports_marks: true });
    const time = await asChart<number>('time');
    expect(Math.abs(time - nowS)).toBeLessThanOrEqual(1);
  });

  test('finds a symbol by its name in capitals, and resolves what it found', async () => {
    const { items } = await api<{ items: { symbol: string; token_address: string }[] }>(
      '/v1/tokens?order_by=volume_24h_usd&order_dir=desc&limit=5',
    );
    const [token] = items;
    const query = (token?.symbol ?? '').toUpperCase();
    const found = await asChart<{ ticker: string }[]>('search', {
      ...{ limit: 30, query, type: '', exchange: '' },
    });
    expect(found.map(({ ticker }) => ticker)).toContain(token?.token_address);
    const symbol = token?.token_address ?? '';
    const info = await asChart<{ ticker: string; pricescale: number }>('symbols', { symbol });
    expect(info.ticker).toBe(symbol);
    expect(info.pricescale).toBeGreaterThan(1);
  });

  test('reports errors in the fields that a chart reads', async () => {
    const unknown = await asChart('symbols', { symbol: '11111111111111111111111111111112' });
    expect(unknown).toMatchObject({ s: 'error', errmsg: expect.stringMatching(/no known token/) });
    const empty = await asChart('history', { symbol: '', resolution: '1', from: 1, to: 2 });
    expect(empty).toMatchObject({ s: 'error' });
  });

  test('gives a chart that is scrolled to the beginning the candles of the API, each once', async () => {
    const { items } = await api<{ items: { token_address: string }[] }>(
      '/v1/tokens?order_by=volume_24h_usd&order_dir=desc&limit=3',
    );
    expect(items.length).toBe(3);
    for (const { token_address: symbol } of items) {
      const pages = await scrollBack(symbol, '1');
      const start = new Date(((pages[0]?.t[0] ?? 0) - 3_600) * 1_000).toISOString();
      const end = new Date(nowS * 1_000).toISOString();
      const { timeframes } = await api<{ timeframes: { '1m': Record<string, string>[] } }>(
        `/v1/market/ohlc?token_address=${symbol}&interval=1m&start=${start}&end=${end}`,
      );
      const bars = pages.flatMap(({ t, o, h, l, c, v }) =>
        t.map((time, at) => [time, o[at], h[at], l[at], c[at], v[at]]),
      );
      expect(bars.length).toBeGreaterThan(1);
      expect(bars).toEqual(
        timeframes['1m'].map(({ timestamp = '', open, high, low, close, volume }) => [
          Date.parse(timestamp) / 1_000,
          ...[open, high, low, close, volume].map(Number),
        ]),
      );
    }
  });

  test('marks every reported finding of a token on its bar', async () => {
    const { classifications: reported } = await api<{
      classifications: { token_address: string }[];
    }>('/v1/fraud/classifications?limit=100&status=active');
    const tokens = [...new Set(reported.map(({ token_address }) => token_address))];
    expect(tokens.length).toBeGreaterThan(0);
    for (const symbol of tokens) {
      const marks = await asChart<Mark[]>('marks', {
        ...{ symbol, from: nowS - 86_400, to: nowS + 60, resolution: '1' },
      });
      const { classifications } = await api<{ classifications: Finding[] }>(
        `/v1/fraud/check?token_address=${symbol}`,
      );
      for (const { fraud_type, created_at, confidence_score } of classifications) {
        const bar = Math.floor(Date.parse(created_at) / 60_000) * 60;
        const mark = marks.find(({ label, time }) => label === 'F' && time === bar);
        const percent = Math.round(Number(confidence_score) * 100);
        expect(mark?.text).toContain(`Finding ${fraud_type}: confidence ${percent} %`);
      }
      expect(marks.filter(({ label }) => label === 'L')).toHaveLength(1);
    }
  });
});
