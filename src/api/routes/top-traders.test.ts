import { describe, expect, test } from 'vitest';
import {
  asOfFakeSlot,
  fakeApiDeps,
  fakeToken,
  MINT,
  POOL,
  SLOT,
  SLOT_TIME_MS,
  WALLET,
} from '../../../tests/support/fake-api-deps.ts';
import { fakeApiServer, getAsReader } from '../../../tests/support/fake-api-server.ts';
import { ApiError } from '../../model/errors.ts';
import { WRAPPED_SOL } from '../../model/program.ts';
import type { TokenTrader, TraderPage, TraderPageQuery } from '../../model/token-wallets.ts';
import { asPriceE18, asRawAmount, asUsdNano } from '../../model/units.ts';

const url = `/v1/token/${MINT}/top-traders`;
const AT = '2025-01-15T14:32:08.000Z';

/** 6 tokens of known cost, bought for 30 dollars, and 4 of unknown cost; 7 dollars each now. */
const position: TokenTrader['position'] = {
  ...{ mint: MINT, symbol: null, decimals: 6, heldRaw: asRawAmount(6_000_000n) },
  ...{ unknownBasisRaw: asRawAmount(4_000_000n), costUsd: asUsdNano(30_000_000_000n) },
  ...{
    hasKnownCost: true,
    realisedUsd: asUsdNano(-1_250_000_000n),
    priceUsd: asPriceE18(7n * 10n ** 18n),
  },
  ...{ buys: 3, sells: 1, firstBuyMs: SLOT_TIME_MS, lastTradeMs: SLOT_TIME_MS },
};
const standing = {
  walletClass: 'bot',
  judgements: [],
  labels: ['copied'],
  cluster: POOL,
  position,
} as const;

function serverWith(page: TraderPage) {
  const asked: TraderPageQuery[] = [];
  const { tokens } = fakeApiDeps();
  const topTraders = async (query: TraderPageQuery) => {
    asked.push(query);
    const token = fakeToken({ decimals: 6, supplyRaw: asRawAmount(40_000_000n) });
    return asOfFakeSlot(query.mint === MINT ? { token, page } : null);
  };
  return { server: fakeApiServer({ tokens: { ...tokens, topTraders } }), asked };
}

describe('GET /v1/token/{token_address}/top-traders', () => {
  test('returns traders with their holding, profit and class', async () => {
    const { server, asked } = serverWith({
      traders: [{ wallet: WALLET, standing, position }],
      next: null,
    });
    const response = await getAsReader(server, url);
    expect(response.headers['x-slot']).toBe(String(SLOT));
    expect(response.body).toBe(
      JSON.stringify({
        token_address: MINT,
        traders: [
          {
            wallet_address: WALLET,
            balance: '10.000000',
            share_of_supply: '0.2500',
            class: 'bot',
            token_rules: [],
            labels: ['copied'],
            cluster_id: POOL,
            first_buy_at: AT,
            average_cost_usd: '5',
            realised_usd: '-1.25',
            unrealised_usd: '12.00',
            profit_usd: '10.75',
            buys: 3,
            sells: 1,
            last_trade_at: AT,
          },
        ],
        next_cursor: null,
      }),
    );
    expect(asked).toEqual([{ mint: MINT, orderBy: 'profit', after: null, limit: 100 }]);
  });

  test.each([asUsdNano(5n), asUsdNano(-5n), null])(
    'continues after a profit of %s',
    async (usd) => {
      const next = { usd, number: 7 };
      const { server, asked } = serverWith({ traders: [], next });
      const list = `${url}?order_by=realised`;
      const { next_cursor: cursor } = (await getAsReader(server, list)).json();
      expect((await getAsReader(server, `${list}&limit=3&cursor=${cursor}`)).statusCode).toBe(200);
      expect(asked[1]).toEqual({ mint: MINT, orderBy: 'realised', after: next, limit: 3 });
      const other = await getAsReader(server, `${url}?cursor=${cursor}`);
      expect(other.json()).toEqual({
        code: 400,
        message: 'cursor must be one returned by an earlier page.',
      });
    },
  );

  test.each([
    ['/v1/token/x/top-traders', 400, 'token_address must be the base58 text of a 32-byte address.'],
    [`/v1/token/${POOL}/top-traders`, 404, 'This token is not known.'],
    [`/v1/token/${WRAPPED_SOL}/top-traders`, 422, 'Traders of SOL and stablecoins are not ranked.'],
    [`${url}?order_by=volume`, 422, 'order_by must be one of profit, realised.'],
    [`${url}?limit=501`, 400, 'limit must be a whole number from 1 to 500.'],
    [`${url}?cursor=abc`, 400, 'cursor must be one returned by an earlier page.'],
  ])('answers for %s', async (path, code, message) => {
    const { server } = serverWith({ traders: [], next: null });
    expect((await getAsReader(server, path)).json()).toEqual({ code, message });
  });

  test('passes on the refusal of a token with too many traders', async () => {
    const topTraders = async () => {
      throw new ApiError(422, 'too many');
    };
    const server = fakeApiServer({ tokens: { ...fakeApiDeps().tokens, topTraders } });
    expect((await getAsReader(server, url)).json()).toEqual({ code: 422, message: 'too many' });
  });
});
