import type { FastifyInstance } from 'fastify';
import { describe, expect, test } from 'vitest';
import {
  asOfFakeSlot,
  fakeApiDeps,
  fakeIndicators,
  fakeToken,
  fakeTokenListing,
  fakeWindows,
  MINT,
  POOL,
  SLOT,
  WALLET,
} from '../../../tests/support/fake-api-deps.ts';
import { fakeApiServer, getAsReader } from '../../../tests/support/fake-api-server.ts';
import {
  NO_TOKEN_FILTER,
  type TokenListing,
  type TokenListPage,
  type TokenListQuery,
} from '../../model/market-listing.ts';
import { WRAPPED_SOL } from '../../model/program.ts';
import { asPriceE18, asSlot, asUsdNano } from '../../model/units.ts';

const PRICE_SET_SLOT = asSlot(SLOT - 32);

function serverWith(
  items: readonly TokenListing[],
  page: Partial<TokenListPage> = {},
): { readonly server: FastifyInstance; readonly asked: TokenListQuery[] } {
  const asked: TokenListQuery[] = [];
  const server = fakeApiServer({
    tokens: {
      ...fakeApiDeps().tokens,
      search: async (query) => {
        asked.push(query);
        return asOfFakeSlot({ items, total: items.length, next: null, isComplete: true, ...page });
      },
    },
  });
  return { server, asked };
}

const QUERY: TokenListQuery = {
  ...NO_TOKEN_FILTER,
  ...{ orderBy: 'newest', orderDir: 'desc', limit: 20 },
};

describe('GET /v1/tokens', () => {
  test('returns tokens with their figures, as of the slot that they were read at', async () => {
    const name = '</script>"\u2028 DROP TABLE tokens';
    const { server, asked } = serverWith(
      [
        fakeTokenListing({
          token: fakeToken({
            name,
            symbol: 'CAT',
            decimals: 6,
            creator: WALLET,
            primaryPool: POOL,
            priceUsd: asPriceE18(10n ** 15n),
          }),
          volume24hUsd: asUsdNano(12_345_000_000n),
          priceChange24h: -0.25,
          indicators: fakeIndicators({ totalWallets: 9, smartMoneyScore: 72.4, organicWallets: 4 }),
          windows: fakeWindows(),
          marketCapUsd: asUsdNano(1_005_000_000n),
          liquidityUsd: asUsdNano(2_000_000_000n),
          venue: 'pump_amm',
          launchpad: 'pump',
          riskScore: 87,
          trending: 2.5,
        }),
      ],
      { total: 41 },
    );
    const response = await getAsReader(server, '/v1/tokens');
    expect(response.headers['x-slot']).toBe(String(SLOT));
    expect(response.body).toBe(
      JSON.stringify({
        items: [
          {
            token_address: MINT,
            name,
            symbol: 'CAT',
            decimals: 6,
            creator_address: WALLET,
            created_at: '2025-01-15T14:32:08.000Z',
            pair_address: POOL,
            price_usd: '0.001',
            volume_24h_usd: '12.35',
            price_change_24h: '-0.2500',
            total_wallets: 9,
            organic_wallets: 4,
            organic_volume_usd: '0.00',
            smart_money_score: '72.40',
            smart_holders: 0,
            raw_holders: 0,
            fee_recipient_address: null,
            price_source: null,
            marketcap_usd: '1.01',
            liquidity_usd: '2.00',
            venue: 'pump_amm',
            launchpad: 'pump',
            organic_to_total_wallets_ratio: '0.0000',
            risk_score: 87,
            trending: '2.5000',
            windows: Object.fromEntries(
              [
                ['5m', '2025-01-15T14:27:30.000Z'],
                ['1h', '2025-01-15T13:32:30.000Z'],
                ['6h', '2025-01-15T08:32:30.000Z'],
                ['24h', '2025-01-14T14:32:30.000Z'],
              ].map(([window, from]) => [
                window,
                {
                  from,
                  trades: 5,
                  buys: 3,
                  sells: 2,
                  buyers: 2,
                  sellers: 1,
                  volume_usd: '12.35',
                  organic_volume_usd: '1.00',
                  price_change: '-0.2500',
                },
              ]),
            ),
            picture_url: null,
          },
        ],
        total: 41,
        page: 1,
        per_page: 20,
        pages: 3,
        next_cursor: null,
      }),
    );
    expect(asked).toEqual([QUERY]);
  });

  test('returns null for unknown values of a token', async () => {
    const { server } = serverWith([fakeTokenListing({ token: fakeToken({ createdAtMs: null }) })]);
    const [item] = (await getAsReader(server, '/v1/tokens')).json().items;
    expect(Object.values(item).filter((value) => value !== null)).toEqual([MINT]);
  });

  test('returns the price source and the recipient of the creator fees', async () => {
    const priceChain = {
      usd: asPriceE18(5n * 10n ** 15n),
      links: [{ mint: MINT, pool: POOL }],
      reference: WRAPPED_SOL,
      setSlot: PRICE_SET_SLOT,
      ageMs: 90_500,
      thinnestUsd: asUsdNano(34_000_000_000_000n),
      hasLaunchpadCoin: true,
    };
    const token = fakeToken({ priceChain, feeRecipient: WALLET });
    const { server } = serverWith([fakeTokenListing({ token })]);
    const [item] = (await getAsReader(server, '/v1/tokens')).json().items;
    expect(item).toMatchObject({
      fee_recipient_address: WALLET,
      price_source: {
        hops: [{ token_address: MINT, pair_address: POOL }],
        reference_address: WRAPPED_SOL,
        quote_price_usd: '0.005',
        price_set_slot: PRICE_SET_SLOT,
        age_seconds: '90.50',
        thinnest_liquidity_usd: '34000.00',
        depends_on_launchpad_coin: true,
      },
    });
  });

  test('passes on the page, the order and the search text', async () => {
    const { server, asked } = serverWith([]);
    const search = "%_'é 🐈";
    const query = new URLSearchParams({
      search,
      order_by: 'smart_money_score',
      order_dir: 'asc',
      page: '3',
      per_page: '100',
    });
    const response = await getAsReader(server, `/v1/tokens?${query}`);
    const counts = { total: 0, page: 3, per_page: 100, pages: 0 };
    expect(response.json()).toEqual({ items: [], ...counts, next_cursor: null });
    expect(asked).toMatchObject([
      { search, orderBy: 'smart_money_score', orderDir: 'asc', offset: 200, limit: 100 },
    ]);
  });

  test('passes on every filter', async () => {
    const { server, asked } = serverWith([]);
    const query = new URLSearchParams({
      q: 'cat',
      min_marketcap_usd: '1000.5',
      max_marketcap_usd: '2000',
      min_liquidity_usd: '0',
      max_organic_volume_1h_usd: '7',
      min_raw_holders: '10',
      max_organic_to_total_wallets_ratio: '0.25',
      max_risk_score: '50',
      min_age_seconds: '60',
      max_age_seconds: '3600',
      venue: 'pump_amm',
      launchpad: 'pump',
      creator_address: WALLET,
      include: 'nameless,lp_mints',
      order_by: 'trending',
      limit: '500',
    });
    expect((await getAsReader(server, `/v1/tokens?${query}`)).statusCode).toBe(200);
    const range = (figure: string, min: number | null, max: number | null) => ({
      figure,
      min,
      max,
    });
    expect(asked).toEqual([
      {
        ...QUERY,
        search: 'cat',
        ranges: [
          range('marketcap_usd', 1_000.5e9, 2_000e9),
          range('liquidity_usd', 0, null),
          range('organic_volume_1h_usd', null, 7e9),
          range('raw_holders', 10, null),
          range('organic_to_total_wallets_ratio', null, 0.25),
          range('risk_score', null, 50),
        ],
        ...{ ageSecondsMin: 60, ageSecondsMax: 3_600, venue: 'pump_amm', launchpad: 'pump' },
        ...{ creator: WALLET, include: ['nameless', 'lp_mints'], orderBy: 'trending', limit: 500 },
      },
    ]);
  });

  test('continues after the last token of a page by its cursor', async () => {
    const next = { value: 0.1, address: MINT };
    const { server, asked } = serverWith([fakeTokenListing()], { total: 9, next });
    const first = (await getAsReader(server, '/v1/tokens?limit=1&order_by=trending')).json();
    const path = `/v1/tokens?limit=3&order_by=trending&cursor=${first.next_cursor}`;
    const second = await getAsReader(server, path);
    expect(second.json()).toMatchObject({ total: 9, page: null, per_page: 3, pages: null });
    expect(asked[1]).toMatchObject({ after: next, offset: 0, limit: 3 });
  });

  test('has 20 tokens on a page by number or without a size, and 100 by cursor', async () => {
    const { server, asked } = serverWith([], { next: { value: 1, address: MINT } });
    const { next_cursor: cursor } = (await getAsReader(server, '/v1/tokens')).json();
    await getAsReader(server, '/v1/tokens?page=2');
    await getAsReader(server, `/v1/tokens?cursor=${cursor}`);
    await getAsReader(server, `/v1/tokens?cursor=${cursor}&per_page=7`);
    expect(asked.map(({ limit }) => limit)).toEqual([20, 20, 100, 7]);
  });

  test('continues after tokens without a value too', async () => {
    const next = { value: null, address: MINT };
    const { server, asked } = serverWith([], { next });
    const { next_cursor: cursor } = (await getAsReader(server, '/v1/tokens')).json();
    await getAsReader(server, `/v1/tokens?cursor=${cursor}`);
    expect(asked[1]?.after).toEqual(next);
  });

  test.each([
    ['another order', 'order_by=newest&order_dir=asc'],
    ['another filter', 'min_raw_holders=3'],
    ['another search', 'search=cat'],
  ])('refuses a cursor of %s', async (_, query) => {
    const { server } = serverWith([], { next: { value: 1, address: MINT } });
    const { next_cursor: cursor } = (await getAsReader(server, '/v1/tokens')).json();
    const response = await getAsReader(server, `/v1/tokens?${query}&cursor=${cursor}`);
    expect(response.statusCode).toBe(400);
    expect(response.json().message).toBe('cursor must be one returned by an earlier page.');
  });

  test('says that the list is incomplete while the service starts', async () => {
    const { server } = serverWith([fakeTokenListing()], { isComplete: false });
    const response = await getAsReader(server, '/v1/tokens');
    expect(response.headers['x-complete']).toBe('false');
    expect(response.json().items[0].windows).toBe(null);
  });

  const SEARCH = 'search must be a text of 1 to 64 characters.';

  test.each([
    ['search=', SEARCH],
    [`search=${'a'.repeat(65)}`, SEARCH],
    ['search=a%00', SEARCH],
    ['search=a&search=b', 'search is given more than once.'],
    ['page=0', 'page must be a whole number from 1 to 1000.'],
    ['page=1001', 'page must be a whole number from 1 to 1000.'],
    ['per_page=101', 'per_page must be a whole number from 1 to 100.'],
    ['limit=501', 'limit must be a whole number from 1 to 500.'],
    ['limit=5&per_page=5', 'limit and per_page cannot be combined.'],
    ['search=a&q=a', 'search and q cannot be combined.'],
    [`page=1&cursor=a`, 'cursor and page cannot be combined.'],
    ['cursor=abc', 'cursor must be one returned by an earlier page.'],
    ['order_dir=up', 'order_dir must be one of asc, desc.'],
    ['order_by=record', /^order_by must be one of newest, marketcap_usd, /],
    ['creator_address=me', 'creator_address must be the base58 text of a 32-byte address.'],
    ['min_price_usd=1', /^min_price_usd is not a parameter/],
  ])('answers 400 for %s', async (query, message) => {
    const response = await getAsReader(serverWith([]).server, `/v1/tokens?${query}`);
    expect(response.statusCode).toBe(400);
    expect(response.json().message).toMatch(message);
  });

  test.each([
    ['min_liquidity_usd=-1', /^min_liquidity_usd must be a decimal number/],
    ['min_liquidity_usd=1e3', /^min_liquidity_usd must be a decimal number/],
    ['min_liquidity_usd=2&max_liquidity_usd=1.99', /^min_liquidity_usd must not be above/],
    ['min_age_seconds=2&max_age_seconds=1', /^min_age_seconds must not be above/],
    ['max_risk_score=101', /^max_risk_score must be a whole number from 0 to 100/],
    ['min_organic_to_total_wallets_ratio=1.1', /must be a decimal number from 0 to 1/],
    ['venue=nyse', /^venue must be one of pump, /],
    ['launchpad=pump_amm', /^launchpad must be one of pump, /],
    ['include=scams', /^include must be a comma-separated list of base_assets/],
  ])('answers 422 for %s', async (query, message) => {
    const response = await getAsReader(serverWith([]).server, `/v1/tokens?${query}`);
    expect(response.statusCode).toBe(422);
    expect(response.json().message).toMatch(message);
  });
});
