import { describe, expect, test } from 'vitest';
import {
  asOfFakeSlot,
  fakeApiDeps,
  fakePool,
  fakeWindows,
  MINT,
  OTHER_POOL,
  POOL,
  SLOT,
  WALLET,
} from '../../../../tests/support/fake-api-deps.ts';
import { fakeApiServer, getAsReader, sendAs } from '../../../../tests/support/fake-api-server.ts';
import { ApiError } from '../../../model/errors.ts';
import type { PoolDetail, PoolListPage, PoolListQuery } from '../../../model/market-listing.ts';
import { NO_WIDER_FIGURES } from '../../../model/pool-figures.ts';
import { WRAPPED_SOL } from '../../../model/program.ts';
import { TRIGGER_FIELDS } from '../../../model/trigger.ts';
import { asPriceE18, asRawAmount, asUsdNano } from '../../../model/units.ts';
import { presentStreamedPool } from '../../present/present-pool-block.ts';

const LISTED: PoolDetail = {
  pool: fakePool({
    ...{ venue: 'pump', creator: WALLET, createdSlot: SLOT },
    reserves: {
      base: asRawAmount(1_500_000n),
      quote: asRawAmount(2_000_000_000n),
      virtualBase: asRawAmount(2_500_000n),
      virtualQuote: asRawAmount(32_000_000_000n),
    },
    price: asPriceE18(10n ** 15n),
    priceUsd: asPriceE18(2n * 10n ** 17n),
    liquidityUsd: asUsdNano(800_000_000_000n),
    lockedLiquidity: { issuedRaw: asRawAmount(3n), lockedRaw: asRawAmount(2n) },
  }),
  windows: fakeWindows(),
  marketCapUsd: asUsdNano(5_000_000_000n),
  isPrimary: true,
  wider: {
    marketCapUsd: asUsdNano(5_000_000_000n),
    organicRatioE4: 5_714n,
    rawHolders: 12,
    smartMoneyInflux10min: asUsdNano(184_200_000_000n),
    priceChange5mE4: -2_500n,
    priceChange1hE4: null,
    fraudConfidenceE4: 0n,
  },
};

function serverWith(page: Partial<PoolListPage>, listing: PoolDetail | null = LISTED) {
  const asked: PoolListQuery[] = [];
  const server = fakeApiServer({
    pools: {
      ...fakeApiDeps().pools,
      list: async (query) => {
        asked.push(query);
        return asOfFakeSlot({ items: [LISTED], total: 1, next: null, isComplete: true, ...page });
      },
      listing: async () => asOfFakeSlot(listing),
    },
  });
  return { server, asked };
}

const ITEM = {
  pair_address: POOL,
  token_address: MINT,
  quote_mint: WRAPPED_SOL,
  venue: 'pump',
  creator_address: WALLET,
  created_slot: SLOT,
  is_primary: true,
  is_curve_complete: false,
  migrated_to: null,
  // The pool has 1.5 tokens and 2 SOL, and prices with 2.5 tokens and 32 SOL.
  reserves: { base_amount: '1.500000', quote_amount: '2.000000000' },
  effective_reserves: { base_amount: '2.500000', quote_amount: '32.000000000' },
  price: '0.001',
  price_usd: '0.2',
  liquidity_usd: '800.00',
  marketcap_usd: '5.00',
  // Two of three LP tokens.
  locked_share: '0.6667',
};

describe('GET /v1/pools/{pair_address}', () => {
  test('returns the pool with its windows, as of the slot that it was read at', async () => {
    const response = await getAsReader(serverWith({}).server, `/v1/pools/${POOL}`);
    expect(response.headers).toMatchObject({ 'x-slot': String(SLOT), 'x-complete': 'true' });
    expect(response.json()).toMatchObject(ITEM);
    expect(response.json().windows['5m']).toEqual({
      from: '2025-01-15T14:27:30.000Z',
      ...{ trades: 5, buys: 3, sells: 2, buyers: 2, sellers: 1 },
      ...{ volume_usd: '12.35', organic_volume_usd: '1.00', price_change: '-0.2500' },
    });
  });

  test('returns what triggers compare, as the stream sends what it has of it', async () => {
    const pool = fakePool({ buyCount: 12, sellCount: 3 });
    const listing = { ...LISTED, pool };
    const response = await getAsReader(serverWith({}, listing).server, `/v1/pools/${POOL}`);
    const { trigger_figures: figures } = response.json();
    expect(figures).toMatchObject({ number_of_buys: 12, number_of_sells: 3 });
    const streamed: Readonly<Record<string, unknown>> = presentStreamedPool(pool, null);
    const common = Object.keys(figures).filter((name) => name in streamed);
    expect(common).toEqual(expect.arrayContaining(['price_usd', 'sol_amount', 'number_of_buys']));
    for (const name of common) expect([name, figures[name]]).toEqual([name, streamed[name]]);
  });

  test('has every figure that triggers compare, by the name of the field', async () => {
    const response = await getAsReader(serverWith({}).server, `/v1/pools/${POOL}`);
    const { trigger_figures: figures } = response.json();
    expect(Object.keys(figures)).toEqual(expect.arrayContaining([...TRIGGER_FIELDS]));
    expect(figures).toMatchObject({
      ...{ price_usd: '0.2', liquidity_usd: '800.00', marketcap_usd: '5.00' },
      ...{ organic_to_total_wallets_ratio: '0.5714', raw_holders: 12 },
      ...{ smart_money_influx_10min: '184.20', fraud_confidence: '0.0000' },
      ...{ price_change_5m: '-0.2500', price_change_1h: null },
    });
  });

  test('returns null for what is unknown, and no windows while the service starts', async () => {
    const pool = fakePool({ reserves: null, liquidityUsd: null, createdSlot: null });
    const unknown = { windows: null, marketCapUsd: null, isPrimary: false };
    const listing = { pool, ...unknown, wider: NO_WIDER_FIGURES };
    const response = await getAsReader(serverWith({}, listing).server, `/v1/pools/${POOL}`);
    expect(response.headers['x-complete']).toBe('false');
    expect(response.json()).toMatchObject({
      ...{ reserves: null, effective_reserves: null, liquidity_usd: null, locked_share: null },
      ...{ created_slot: null, marketcap_usd: null, windows: null, is_primary: false },
    });
  });

  test('answers 404 for an unknown pool, 400 for no address and 401 without a key', async () => {
    const { server } = serverWith({}, null);
    const status = async (path: string) => (await getAsReader(server, path)).statusCode;
    expect(await status(`/v1/pools/${OTHER_POOL}`)).toBe(404);
    expect(await status('/v1/pools/pool')).toBe(400);
    expect((await sendAs(server, 'GET', `/v1/pools/${POOL}`)).statusCode).toBe(401);
  });
});

describe('GET /v1/pools', () => {
  test('returns a page of pools, newest first by default', async () => {
    const { server, asked } = serverWith({ total: 3 });
    const response = await getAsReader(server, '/v1/pools');
    expect(response.json()).toMatchObject({ items: [ITEM], total: 3, next_cursor: null });
    expect(asked).toEqual([
      {
        ...{ mint: null, venue: null, orderBy: 'newest', orderDir: 'desc' },
        ...{ after: null, limit: 100 },
      },
    ]);
  });

  test('passes on the token, the venue, the order and the position', async () => {
    const next = { value: 12.5, address: POOL };
    const { server, asked } = serverWith({ next });
    const filter = `token_address=${MINT}&venue=pump&order_by=volume_1h_usd&order_dir=asc`;
    const { next_cursor: cursor } = (await getAsReader(server, `/v1/pools?${filter}`)).json();
    await getAsReader(server, `/v1/pools?${filter}&limit=7&cursor=${cursor}`);
    expect(asked[1]).toEqual({
      ...{ mint: MINT, venue: 'pump', orderBy: 'volume_1h_usd', orderDir: 'asc' },
      ...{ after: next, limit: 7 },
    });
  });

  test('refuses cursors of another token and of the list of tokens', async () => {
    const { server } = serverWith({ next: { value: 1, address: POOL } });
    const { next_cursor: cursor } = (await getAsReader(server, '/v1/pools')).json();
    for (const path of [`/v1/pools?token_address=${MINT}&`, '/v1/tokens?order_by=newest&']) {
      const response = await getAsReader(server, `${path}cursor=${cursor}`);
      expect(response.statusCode).toBe(400);
    }
  });

  test.each([
    ['limit=0', 400],
    ['limit=501', 400],
    ['token_address=x', 400],
    ['order_by=price', 400],
    ['cursor=x', 400],
    ['venue=nyse', 422],
    ['mint=x', 400],
  ])('answers %s with %d', async (query, status) => {
    const response = await getAsReader(serverWith({}).server, `/v1/pools?${query}`);
    expect(response.statusCode).toBe(status);
  });

  test('answers 503 while the service computes the windows', async () => {
    const list = async () => {
      throw new ApiError(503, 'starting');
    };
    const server = fakeApiServer({ pools: { ...fakeApiDeps().pools, list } });
    expect((await getAsReader(server, '/v1/pools')).statusCode).toBe(503);
  });
});
