import { Value } from 'typebox/value';
import { describe, expect, test } from 'vitest';
import { address } from '../../../../tests/support/build-transaction.ts';
import {
  asOfFakeSlot,
  fakeApiDeps,
  fakePool,
  fakeToken,
  MINT,
  OTHER_MINT,
  OTHER_POOL,
  POOL,
  READ_KEY,
  SLOT,
  SLOT_TIME_MS,
  WALLET,
  WRITE_KEY,
} from '../../../../tests/support/fake-api-deps.ts';
import {
  fakeApiServer,
  getAsReader,
  sharedApiServer,
} from '../../../../tests/support/fake-api-server.ts';
import { ApiError } from '../../../model/errors.ts';
import { NO_WIDER_FIGURES } from '../../../model/pool-figures.ts';
import { asPriceE18, asRawAmount, asSlot } from '../../../model/units.ts';
import type { BatchReads } from '../../batch-reads.ts';
import { PriceBody } from '../../present/price-body.ts';

type Server = ReturnType<typeof fakeApiServer>;

const UNKNOWN = address('unknown');

function post(server: Server, url: string, payload: unknown, key: string | null = READ_KEY) {
  const headers = key === null ? {} : { 'x-api-key': key };
  return server.inject({ method: 'POST', url, headers, payload: payload as object });
}

const ask = (server: Server, name: string, addresses: readonly unknown[]) =>
  post(server, `/v1/batch/${name}`, { addresses });

/** Kind, known addresses, and the endpoint of one of them. */
const SINGLES = [
  ['tokens', [OTHER_MINT, MINT], (one: string) => `/v1/token/${one}`],
  ['indicators', [OTHER_POOL, POOL], (one: string) => `/v1/indicators/current?pair_address=${one}`],
  ['pools', [OTHER_POOL, POOL], (one: string) => `/v1/pools/${one}`],
  ['wallets', [WALLET], (one: string) => `/v1/wallets/${one}`],
  ['fraud', [OTHER_MINT, MINT], (one: string) => `/v1/fraud/check?token_address=${one}`],
] as const;

const ALL = [
  ...SINGLES.map(([name, known]) => [name, known] as const),
  ['prices', [OTHER_MINT, MINT]],
] as const;

describe.each(SINGLES)('POST /v1/batch/%s', (name, known, urlOf) => {
  test('has the body of the endpoint for one address, for each address', async () => {
    const server = sharedApiServer();
    const { items } = (await ask(server, name, known)).json();
    const singles = await Promise.all(
      known.map(async (one) => ({
        address: one,
        data: (await getAsReader(server, urlOf(one))).json(),
      })),
    );
    expect(items).toEqual(singles);
  });
});

describe.each(ALL)('POST /v1/batch/%s', (name, known) => {
  test('answers in the order of the request, repeated addresses once', async () => {
    const [first = UNKNOWN] = known;
    const asked = [UNKNOWN, ...known, first, UNKNOWN, address('unknown too')];
    const response = await ask(sharedApiServer(), name, asked);
    expect(response.statusCode).toBe(200);
    const { items, missing } = response.json();
    expect(items.map((item: { address: string }) => item.address)).toEqual(known);
    expect(missing).toEqual([UNKNOWN, address('unknown too')]);
    expect(response.headers).toMatchObject({ 'x-slot': String(SLOT), 'x-complete': 'true' });
  });

  test('answers when no address is known', async () => {
    const response = await ask(sharedApiServer(), name, [UNKNOWN]);
    expect([response.statusCode, response.json()]).toEqual([
      200,
      { items: [], missing: [UNKNOWN] },
    ]);
  });

  test.each([
    [{}, 'addresses is required.'],
    [{ addresses: null }, 'addresses must be an array.'],
    [{ addresses: MINT }, 'addresses must be an array.'],
    [{ addresses: [] }, 'addresses must be 1 to 100 texts.'],
    [{ addresses: Array(101).fill(MINT) }, 'addresses must be 1 to 100 texts.'],
    [{ addresses: [MINT, 7] }, 'addresses[1] must be a string.'],
    [{ addresses: [MINT, ''] }, 'addresses[1] is empty.'],
    [
      { addresses: [MINT, POOL, 'l0', 'l1'] },
      'addresses[2] must be the base58 text of a 32-byte address.',
    ],
    [[], 'The request body must be a JSON object.'],
  ])('refuses %j with 400', async (payload, message) => {
    const response = await post(sharedApiServer(), `/v1/batch/${name}`, payload);
    expect(response.json()).toEqual({ code: 400, message });
  });

  test('refuses requests without a key, without the scope, and of other methods', async () => {
    const server = sharedApiServer();
    const url = `/v1/batch/${name}`;
    const statusOf = async (key: string | null) =>
      (await post(server, url, { addresses: known }, key)).statusCode;
    expect([await statusOf(null), await statusOf('wrong'), await statusOf(WRITE_KEY)]).toEqual([
      ...[401, 401, 403],
    ]);
    expect((await getAsReader(server, url)).statusCode).toBe(405);
    const headers = { 'x-api-key': READ_KEY, 'content-type': 'text/plain' };
    const text = await server.inject({ method: 'POST', url, headers, payload: 'addresses' });
    expect(text.statusCode).toBe(415);
    const large = await post(server, url, { addresses: known, more: 'x'.repeat(70_000) });
    expect(large.statusCode).toBe(413);
  });

  test('is 503 while its rows cannot be read', async () => {
    const refuse = () => {
      throw new ApiError(503, 'Not now.');
    };
    const batches: BatchReads = {
      tokenRecords: refuse,
      pricedTokens: refuse,
      tokens: refuse,
      pools: async () => refuse(),
      indicators: refuse,
      wallets: async () => refuse(),
      fraudChecks: async () => refuse(),
    };
    const response = await ask(fakeApiServer({ batches }), name, known);
    expect(response.json()).toEqual({ code: 503, message: 'Not now.' });
  });

  test('counts as one request for every ten addresses begun, or is refused as a whole', async () => {
    const server = fakeApiServer({}, { rateLimitPerMinute: 600, rateLimitBurst: 20 });
    const send = async (count: number) => {
      const { statusCode, headers } = await ask(server, name, Array(count).fill(known[0]));
      return [statusCode, headers['ratelimit-remaining'], headers['retry-after']];
    };
    expect(await send(10)).toEqual([200, '19', undefined]);
    expect(await send(11)).toEqual([200, '17', undefined]);
    expect(await send(100)).toEqual([200, '7', undefined]);
    // Three more are needed, of which one is available every 100 ms.
    expect(await send(100)).toEqual([429, '7', '1']);
    expect(await send(70)).toEqual([200, '0', undefined]);
    expect(await send(1)).toEqual([429, '0', '1']);
  });

  test('is 422 if it counts as more requests than may ever be sent at once', async () => {
    const server = fakeApiServer({}, { rateLimitPerMinute: 600, rateLimitBurst: 5 });
    const response = await ask(server, name, Array(51).fill(known[0]));
    expect(response.json()).toEqual({
      code: 422,
      message: 'This request counts as 6 requests, and at most 5 may be sent at once.',
    });
    expect((await ask(server, name, Array(31).fill(known[0]))).statusCode).toBe(200);
  });
});

describe('POST /v1/batch/pools', () => {
  test('says that the windows of a pool are not complete yet', async () => {
    const unknown = { windows: null, marketCapUsd: null, wider: NO_WIDER_FIGURES };
    const listing = { pool: fakePool(), isPrimary: false, ...unknown };
    const { batches } = fakeApiDeps();
    const server = fakeApiServer({
      batches: { ...batches, pools: async () => asOfFakeSlot([listing, null]) },
    });
    const response = await ask(server, 'pools', [POOL, UNKNOWN]);
    expect(response.headers['x-complete']).toBe('false');
    expect(response.json()).toMatchObject({ items: [{ data: { windows: null } }] });
  });
});

describe('POST /v1/batch/prices', () => {
  test('returns the price, its value of the supply, and the pool it is from', async () => {
    const token = fakeToken({
      supplyRaw: asRawAmount(1_000_000_000n),
      burnedRaw: asRawAmount(250_000_000n),
      decimals: 6,
      priceUsd: asPriceE18(2_500_000_000_000_000_000n),
      primaryPool: POOL,
    });
    const pool = fakePool({ slot: asSlot(SLOT - 3), updatedAtMs: SLOT_TIME_MS - 1_200 });
    const { batches } = fakeApiDeps();
    const server = fakeApiServer({
      batches: { ...batches, pricedTokens: () => [{ token, pool }, null] },
    });
    const { items } = (await ask(server, 'prices', [MINT, UNKNOWN])).json();
    // 750 tokens of 2.5 dollars.
    const data = {
      token_address: MINT,
      price_usd: '2.5',
      marketcap_usd: '1875.00',
      pair_address: POOL,
      slot: SLOT - 3,
      timestamp: '2025-01-15T14:32:06.800Z',
    };
    expect(items).toEqual([{ address: MINT, data }]);
    expect(Value.Check(PriceBody.schema, data)).toBe(true);
  });

  test('has no figures for a token without a pool', async () => {
    const { items } = (await ask(sharedApiServer(), 'prices', [MINT])).json();
    const none = { price_usd: null, marketcap_usd: null, pair_address: null };
    expect(items).toEqual([
      { address: MINT, data: { token_address: MINT, ...none, slot: null, timestamp: null } },
    ]);
  });
});

describe('POST /v1/batch/fraud', () => {
  test('reads the findings of the known tokens at once, as of one slot', async () => {
    const asked: unknown[] = [];
    const { batches } = fakeApiDeps();
    const server = fakeApiServer({
      batches: {
        ...batches,
        fraudChecks: async (mints) => {
          asked.push(mints);
          return { ...asOfFakeSlot(mints.map(() => [])), slot: asSlot(SLOT - 1) };
        },
      },
    });
    const response = await ask(server, 'fraud', [OTHER_MINT, UNKNOWN, MINT]);
    expect(asked).toEqual([[OTHER_MINT, MINT]]);
    expect(response.headers['x-slot']).toBe(String(SLOT - 1));
  });
});
