import { describe, expect, test } from 'vitest';
import {
  fakeApiDeps,
  fakeIndicators,
  fakeToken,
  MINT,
  POOL,
  SLOT,
  SLOT_TIME_MS,
  WALLET,
} from '../../../tests/support/fake-api-deps.ts';
import { fakeApiServer, getAsReader } from '../../../tests/support/fake-api-server.ts';
import { WRAPPED_SOL } from '../../model/program.ts';
import type { TokenListing, TokenQuery } from '../../model/token-search.ts';
import { asPriceE18, asSlot, asUsdNano } from '../../model/units.ts';

const WRITTEN = asSlot(SLOT - 32);

function serverWith(items: readonly TokenListing[], total = items.length) {
  const asked: TokenQuery[] = [];
  const server = fakeApiServer({
    tokens: {
      ...fakeApiDeps().tokens,
      search: async (query) => {
        asked.push(query);
        return { items, total, slot: WRITTEN };
      },
    },
  });
  return { server, asked };
}

describe('GET /v1/tokens', () => {
  test('returns tokens with their figures, as of the last written slot', async () => {
    const name = '</script>"\u2028 DROP TABLE tokens';
    const { server, asked } = serverWith(
      [
        {
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
        },
      ],
      41,
    );
    const response = await getAsReader(server, '/v1/tokens');
    expect(response.headers['x-slot']).toBe(String(WRITTEN));
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
          },
        ],
        total: 41,
        page: 1,
        per_page: 20,
        pages: 3,
      }),
    );
    expect(asked).toEqual([
      {
        search: null,
        orderBy: 'newest',
        orderDir: 'desc',
        offset: 0,
        limit: 20,
        nowMs: SLOT_TIME_MS,
      },
    ]);
  });

  test('returns null for unknown values of a token', async () => {
    const unknown = { volume24hUsd: null, priceChange24h: null, indicators: null };
    const { server } = serverWith([{ token: fakeToken({ createdAtMs: null }), ...unknown }]);
    const [item] = (await getAsReader(server, '/v1/tokens')).json().items;
    expect(Object.values(item).filter((value) => value !== null)).toEqual([MINT]);
  });

  test('returns the price source and the recipient of the creator fees', async () => {
    const priceChain = {
      usd: asPriceE18(5n * 10n ** 15n),
      links: [{ mint: MINT, pool: POOL }],
      reference: WRAPPED_SOL,
      setSlot: WRITTEN,
      ageMs: 90_500,
      thinnestUsd: asUsdNano(34_000_000_000_000n),
      hasLaunchpadCoin: true,
    };
    const unknown = { volume24hUsd: null, priceChange24h: null, indicators: null };
    const token = fakeToken({ priceChain, feeRecipient: WALLET });
    const { server } = serverWith([{ token, ...unknown }]);
    const [item] = (await getAsReader(server, '/v1/tokens')).json().items;
    expect(item).toMatchObject({
      fee_recipient_address: WALLET,
      price_source: {
        hops: [{ token_address: MINT, pair_address: POOL }],
        reference_address: WRAPPED_SOL,
        quote_price_usd: '0.005',
        price_set_slot: WRITTEN,
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
    expect(response.json()).toEqual({ items: [], total: 0, page: 3, per_page: 100, pages: 0 });
    expect(asked).toMatchObject([
      { search, orderBy: 'smart_money_score', orderDir: 'asc', offset: 200, limit: 100 },
    ]);
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
    ['order_dir=up', 'order_dir must be one of asc, desc.'],
    ['order_by=record', /^order_by must be one of newest, volume_24h_usd, /],
  ])('answers 400 for %s', async (query, message) => {
    const response = await getAsReader(serverWith([]).server, `/v1/tokens?${query}`);
    expect(response.statusCode).toBe(400);
    expect(response.json().message).toMatch(message);
  });
});
