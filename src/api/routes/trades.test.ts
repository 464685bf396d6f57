import { describe, expect, test } from 'vitest';
import { buildTrade } from '../../../tests/support/build-trade.ts';
import {
  ADMIN_KEY,
  asOfFakeSlot,
  MINT,
  OTHER_MINT,
  OTHER_POOL,
  POOL,
  SLOT,
  WALLET,
} from '../../../tests/support/fake-api-deps.ts';
import {
  fakeApiServer,
  getAsReader,
  sendAs,
  sharedApiServer,
} from '../../../tests/support/fake-api-server.ts';
import type { Trade, TradePage, TradeQuery } from '../../model/trade.ts';
import { asUsdNano } from '../../model/units.ts';

const TRADES = '/v1/trades';
const OF_TOKEN = `${TRADES}?token_address=${MINT}`;
const OF_WALLET = `/v1/wallets/${WALLET}/trades`;

function serverWith(page: TradePage) {
  const asked: TradeQuery[] = [];
  const server = fakeApiServer({
    trades: {
      page: async (query) => {
        asked.push(query);
        return asOfFakeSlot(page);
      },
    },
  });
  return { server, asked };
}

const trade = buildTrade();
const { timeMs, slot, txIndex, outerIx, innerIx, pool } = trade;
const place = { timeMs, slot, txIndex, outerIx, innerIx, pool };
const WIRE = {
  trade_id: '299999999-7-3--1',
  slot: 299_999_999,
  timestamp: '2025-01-15T14:32:08.000Z',
  commitment: 'finalized',
  signature: trade.signature,
  pair_address: trade.pool,
  token_address: trade.mint,
  venue: 'pump_amm',
  router: null,
  terminal: 'axiom',
  wallet_address: trade.wallet,
  side: 'buy',
  token_amount: '1.500000',
  quote_mint: trade.quoteMint,
  quote_amount: '0.250000000',
  price_usd: '33.333333333333333333',
  value_usd: '50.00',
  wallet_class: 'organic',
  flags: ['bundled', 'wash'],
};

const EVERY: TradeQuery = {
  ...{ mint: null, pool: null, wallet: null, fromMs: null, toMs: null, side: null },
  ...{ valueUsdMin: null, class: 'all', view: 'all', before: null, limit: 100 },
};

describe('GET /v1/trades', () => {
  test('returns every field of a trade and the cursor of the next page', async () => {
    const { server, asked } = serverWith({ trades: [trade], next: place });
    const response = await getAsReader(server, OF_TOKEN);
    expect(response.statusCode).toBe(200);
    expect(response.body).toBe(
      JSON.stringify({ trades: [WIRE], next_cursor: response.json().next_cursor }),
    );
    expect(asked).toEqual([{ ...EVERY, mint: MINT }]);
    expect(response.headers['x-slot']).toBe(String(SLOT));
    expect(response.headers['x-complete']).toBe('true');
  });

  test('returns null for what is unknown', async () => {
    const unknown: Partial<Trade> = {
      ...{ terminal: null, wallet: null, quoteMint: null, quoteRaw: null, quoteDecimals: null },
      ...{ priceUsd: null, valueUsd: null, walletClass: null, isFinal: false, flags: [] },
    };
    const { server } = serverWith({ trades: [buildTrade(unknown)], next: null });
    expect((await getAsReader(server, OF_TOKEN)).json()).toEqual({
      trades: [
        {
          ...WIRE,
          ...{ commitment: 'confirmed', terminal: null, wallet_address: null, quote_mint: null },
          ...{ quote_amount: null, price_usd: null, value_usd: null, wallet_class: null },
          flags: [],
        },
      ],
      next_cursor: null,
    });
  });

  test('reads with all filters, and continues after a cursor with another limit', async () => {
    const { server, asked } = serverWith({ trades: [trade], next: place });
    const filters =
      `wallet_address=${WALLET}&pair_address=${POOL}&from=2025-01-01&to=2025-01-02T00:00:00Z` +
      '&side=sell&min_value_usd=12.5&class=organic&view=user';
    const first = await getAsReader(server, `${OF_TOKEN}&${filters}&limit=500`);
    const { next_cursor: cursor } = first.json();
    const second = await getAsReader(server, `${OF_TOKEN}&${filters}&limit=1&cursor=${cursor}`);
    expect(second.statusCode).toBe(200);
    const query: TradeQuery = {
      ...{ mint: MINT, pool: POOL, wallet: WALLET, side: 'sell', class: 'organic', view: 'user' },
      ...{ fromMs: Date.UTC(2025, 0, 1), toMs: Date.UTC(2025, 0, 2), before: null, limit: 500 },
      valueUsdMin: asUsdNano(12_500_000_000n),
    };
    expect(asked).toEqual([query, { ...query, before: place, limit: 1 }]);
  });

  const BAD_CURSOR = 'cursor must be one returned by an earlier page.';

  test('refuses the cursor of other filters and of another endpoint', async () => {
    const { server } = serverWith({ trades: [trade], next: place });
    const { next_cursor: cursor } = (await getAsReader(server, OF_TOKEN)).json();
    const ofWallet = (await getAsReader(server, OF_WALLET)).json().next_cursor;
    for (const path of [
      `${TRADES}?token_address=${OTHER_MINT}&cursor=${cursor}`,
      `${OF_TOKEN}&side=buy&cursor=${cursor}`,
      `${OF_TOKEN}&view=user&cursor=${cursor}`,
      `${OF_WALLET}?cursor=${cursor}`,
      `${TRADES}?wallet_address=${WALLET}&cursor=${ofWallet}`,
      `${OF_TOKEN}&cursor=${cursor.slice(0, -1)}`,
      `${OF_TOKEN}&cursor=abc`,
    ]) {
      const response = await getAsReader(server, path);
      expect(response.json()).toEqual({ code: 400, message: BAD_CURSOR });
    }
  });

  test('continues after a cursor of another account: it names a trade that both see', async () => {
    const { server, asked } = serverWith({ trades: [trade], next: place });
    const { next_cursor: cursor } = (await getAsReader(server, OF_TOKEN)).json();
    const other = await sendAs(server, 'GET', `${OF_TOKEN}&cursor=${cursor}`, ADMIN_KEY);
    expect(other.statusCode).toBe(200);
    expect(other.json()).toEqual((await getAsReader(server, OF_TOKEN)).json());
    expect(asked[1]).toMatchObject({ mint: MINT, before: place });
  });

  const WHOSE = 'token_address, pair_address or wallet_address is required.';
  const ADDRESS = 'must be the base58 text of a 32-byte address.';
  const VALUE =
    'min_value_usd must be a decimal number with at most 9 fraction digits such as 1000.50.';

  test.each([
    ['nobody', TRADES, 400, WHOSE],
    ['a bad token', `${TRADES}?token_address=x`, 400, `token_address ${ADDRESS}`],
    ['a bad pool', `${TRADES}?pair_address=x`, 400, `pair_address ${ADDRESS}`],
    ['a bad wallet', `${TRADES}?wallet_address=x`, 400, `wallet_address ${ADDRESS}`],
    ['an unknown token', `${TRADES}?token_address=${POOL}`, 404, 'This token is not known.'],
    ['an unknown pool', `${TRADES}?pair_address=${MINT}`, 404, 'This pool is not known.'],
    [
      'a pool of another token',
      `${OF_TOKEN}&pair_address=${OTHER_POOL}`,
      404,
      'This token has no such pool.',
    ],
    ['no limit', `${OF_TOKEN}&limit=0`, 400, 'limit must be a whole number from 1 to 500.'],
    ['a large limit', `${OF_TOKEN}&limit=501`, 400, 'limit must be a whole number from 1 to 500.'],
    ['another side', `${OF_TOKEN}&side=both`, 422, 'side must be one of buy, sell.'],
    ['another class', `${OF_TOKEN}&class=x`, 422, 'class must be one of all, organic, bot.'],
    ['another view', `${OF_TOKEN}&view=x`, 422, 'view must be one of all, user.'],
    ['a negative value', `${OF_TOKEN}&min_value_usd=-1`, 422, VALUE],
    ['a value with an exponent', `${OF_TOKEN}&min_value_usd=1e3`, 422, VALUE],
    ['too many digits', `${OF_TOKEN}&min_value_usd=${'9'.repeat(25)}`, 422, VALUE],
    ['too fine a value', `${OF_TOKEN}&min_value_usd=0.0000000001`, 422, VALUE],
    [
      'a bad time',
      `${OF_TOKEN}&from=2024-02-30`,
      422,
      'from must be an ISO 8601 date or date-time such as 2025-01-15T14:32:08Z.',
    ],
    [
      'a range without time',
      `${OF_TOKEN}&from=2025-01-02&to=2025-01-02`,
      422,
      'from must be before to.',
    ],
  ])('answers for %s', async (_what, path, code, message) => {
    const response = await getAsReader(serverWith({ trades: [], next: null }).server, path);
    expect(response.json()).toEqual({ code, message });
  });

  test('answers 401 without a key', async () => {
    expect((await sharedApiServer().inject({ url: OF_TOKEN })).statusCode).toBe(401);
  });
});

describe('GET /v1/wallets/{address}/trades', () => {
  test('returns the trades of a wallet, and none for one that is not known', async () => {
    const { server, asked } = serverWith({ trades: [trade], next: null });
    const path = `${OF_WALLET}?class=bot&limit=5`;
    expect((await getAsReader(server, path)).json()).toEqual({ trades: [WIRE], next_cursor: null });
    expect(asked).toEqual([{ ...EVERY, wallet: WALLET, class: 'bot', limit: 5 }]);
    const empty = serverWith({ trades: [], next: null }).server;
    expect((await getAsReader(empty, `/v1/wallets/${MINT}/trades`)).json()).toEqual({
      trades: [],
      next_cursor: null,
    });
  });

  test('continues after its own cursor', async () => {
    const { server, asked } = serverWith({ trades: [trade], next: place });
    const { next_cursor: cursor } = (await getAsReader(server, OF_WALLET)).json();
    expect((await getAsReader(server, `${OF_WALLET}?cursor=${cursor}`)).statusCode).toBe(200);
    expect(asked[1]).toEqual({ ...EVERY, wallet: WALLET, before: place });
  });

  test.each([
    ['a bad address', '/v1/wallets/x/trades', 400],
    ['a bad limit', `${OF_WALLET}?limit=x`, 400],
    ['a bad side', `${OF_WALLET}?side=x`, 422],
    ['a reversed range', `${OF_WALLET}?from=2025-01-02&to=2025-01-01`, 422],
  ])('answers for %s', async (_what, path, code) => {
    const response = await getAsReader(serverWith({ trades: [], next: null }).server, path);
    expect(response.json()).toMatchObject({ code });
  });

  test('answers 401 without a key', async () => {
    expect((await sharedApiServer().inject({ url: OF_WALLET })).statusCode).toBe(401);
  });
});
