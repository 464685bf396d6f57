import { describe, expect, test } from 'vitest';
import {
  asOfFakeSlot,
  fakeApiDeps,
  fakeToken,
  MINT,
  NOW_MS,
  OTHER_POOL,
  SLOT,
} from '../../../../tests/support/fake-api-deps.ts';
import {
  fakeApiServer,
  getAsReader,
  sendAs,
  sharedApiServer,
} from '../../../../tests/support/fake-api-server.ts';
import type { TokenListing, TokenListQuery } from '../../../model/market-listing.ts';
import { asPriceE18 } from '../../../model/units.ts';

describe('GET /udf/config and /udf/time', () => {
  test('offer search and the resolutions that history takes, shortest first', async () => {
    const { supported_resolutions, supports_search } = (
      await getAsReader(sharedApiServer(), '/udf/config')
    ).json();
    const expected = ['1S', '5S', '15S', '30S', '1', '5', '15', '30', '60', '240', '1D'];
    expect(supported_resolutions).toEqual(expected);
    expect(supports_search).toBe(true);
  });

  test('say the time in seconds', async () => {
    const response = await getAsReader(sharedApiServer(), '/udf/time');
    expect(response.body).toBe(String(NOW_MS / 1_000));
  });

  test.each(['config', 'time', 'symbols', 'search', 'history'])('%s needs a key', async (name) => {
    expect((await sendAs(sharedApiServer(), 'GET', `/udf/${name}`)).statusCode).toBe(401);
  });
});

describe('GET /udf/symbols', () => {
  // About six digits: 123.456, 0.000346289, 12345.67.
  test.each([
    [123_456n * 10n ** 15n, 1_000],
    [346_289n * 10n ** 9n, 10 ** 9],
    [1_234_567n * 10n ** 16n, 100],
    [null, 10 ** 6],
    [1n, 10 ** 15],
  ])('shows about six digits of a price of %s', async (price, pricescale) => {
    const token = fakeToken({
      mint: MINT,
      symbol: 'EXMP',
      priceUsd: price === null ? null : asPriceE18(price),
    });
    const { tokens } = fakeApiDeps();
    const server = fakeApiServer({ tokens: { ...tokens, find: () => token } });
    const response = await getAsReader(server, `/udf/symbols?symbol=${MINT}`);
    expect(response.json()).toMatchObject({
      name: 'EXMP/USD',
      ticker: MINT,
      minmov: 1,
      pricescale,
    });
  });

  test('takes a pool too', async () => {
    const response = await getAsReader(sharedApiServer(), `/udf/symbols?symbol=${OTHER_POOL}`);
    expect(response.json()).toMatchObject({ ticker: OTHER_POOL, session: '24x7' });
  });

  test.each([
    ['', 400],
    ['?symbol=x', 400],
    ['?symbol=So11111111111111111111111111111111111111112', 404],
  ])('%s is refused with %d', async (query, status) => {
    expect((await getAsReader(sharedApiServer(), `/udf/symbols${query}`)).statusCode).toBe(status);
  });
});

describe('GET /udf/search', () => {
  function serverWith() {
    const asked: TokenListQuery[] = [];
    const { tokens } = fakeApiDeps();
    const token = fakeToken({ mint: MINT, symbol: 'EXMP', name: 'Example' });
    const server = fakeApiServer({
      tokens: {
        ...tokens,
        search: async (query) => {
          asked.push(query);
          const listing = { token } as TokenListing;
          return asOfFakeSlot({ items: [listing], total: 1, next: null, isComplete: true });
        },
      },
    });
    return { server, asked };
  }

  test('lists tokens with the address that the other endpoints take', async () => {
    const { server, asked } = serverWith();
    const response = await getAsReader(server, '/udf/search?query=ex&type=&exchange=&limit=5');
    expect(response.json()).toEqual([
      {
        symbol: 'EXMP/USD',
        full_name: MINT,
        description: 'Example',
        exchange: 'Solana',
        ticker: MINT,
        type: 'crypto',
      },
    ]);
    expect(asked).toMatchObject([{ search: 'ex', limit: 5, offset: 0 }]);
    expect(response.headers['x-slot']).toBe(String(SLOT));
  });

  test('lists the most traded ones for an empty query, and none of another type', async () => {
    const { server, asked } = serverWith();
    expect((await getAsReader(server, '/udf/search?query=')).json()).toHaveLength(1);
    expect(asked).toMatchObject([{ search: null, orderBy: 'volume_24h_usd', orderDir: 'desc' }]);
    expect((await getAsReader(server, '/udf/search?type=stock')).json()).toEqual([]);
    expect((await getAsReader(server, '/udf/search?exchange=NYSE')).json()).toEqual([]);
  });

  test.each(['limit=101', `query=${'a'.repeat(101)}`, 'query=%00', 'q=a'])(
    '%s is refused with 400',
    async (query) => {
      const { server } = serverWith();
      expect((await getAsReader(server, `/udf/search?${query}`)).statusCode).toBe(400);
    },
  );
});
