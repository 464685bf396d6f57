import { describe, expect, test } from 'vitest';
import {
  asOfFakeSlot,
  fakeApiDeps,
  MINT,
  SLOT,
  SLOT_TIME_MS,
  WALLET,
} from '../../../tests/support/fake-api-deps.ts';
import { fakeApiServer, getAsReader } from '../../../tests/support/fake-api-server.ts';
import { asPriceE18, asRawAmount, asUsdNano } from '../../model/units.ts';
import type { PositionPage, PositionPageQuery } from '../../model/wallet-lists.ts';
import type { WalletPosition } from '../../model/wallet-record.ts';

const url = `/v1/wallets/${WALLET}/positions`;

/** 6 tokens of known cost, bought for 30 dollars, and 4 of unknown cost; 7 dollars each now. */
const position: WalletPosition = {
  ...{ mint: MINT, symbol: 'CAT', decimals: 6, heldRaw: asRawAmount(6_000_000n) },
  ...{ unknownBasisRaw: asRawAmount(4_000_000n), costUsd: asUsdNano(30_000_000_000n) },
  ...{
    hasKnownCost: true,
    realisedUsd: asUsdNano(-1_250_000_000n),
    priceUsd: asPriceE18(7n * 10n ** 18n),
  },
  ...{ buys: 3, sells: 1, firstBuyMs: SLOT_TIME_MS, lastTradeMs: null },
};

function serverWith(page: PositionPage) {
  const asked: PositionPageQuery[] = [];
  const positions = async (query: PositionPageQuery) => {
    asked.push(query);
    return asOfFakeSlot(page);
  };
  return { server: fakeApiServer({ wallets: { ...fakeApiDeps().wallets, positions } }), asked };
}

describe('GET /v1/wallets/{address}/positions', () => {
  test('returns positions as /v1/wallets does', async () => {
    const { server, asked } = serverWith({ positions: [position], next: null });
    const response = await getAsReader(server, url);
    expect(response.headers['x-slot']).toBe(String(SLOT));
    expect(response.json()).toEqual({
      wallet_address: WALLET,
      positions: [
        {
          ...{ token_address: MINT, symbol: 'CAT', balance: '10.000000' },
          ...{ unknown_basis_balance: '4.000000', cost_usd: '30.00', average_price_usd: '5' },
          ...{ price_usd: '7', value_usd: '70.00', realised_usd: '-1.25', unrealised_usd: '12.00' },
          ...{ buys: 3, sells: 1, first_buy_at: '2025-01-15T14:32:08.000Z', last_trade_at: null },
        },
      ],
      next_cursor: null,
    });
    expect(asked).toEqual([{ wallet: WALLET, isOpen: false, before: null, limit: 100 }]);
  });

  test('continues after a cursor of the same list', async () => {
    const { server, asked } = serverWith({ positions: [], next: 7 });
    const { next_cursor: cursor } = (await getAsReader(server, `${url}?status=open`)).json();
    await getAsReader(server, `${url}?status=open&limit=2&cursor=${cursor}`);
    expect(asked[1]).toEqual({ wallet: WALLET, isOpen: true, before: 7, limit: 2 });
    expect((await getAsReader(server, `${url}?cursor=${cursor}`)).statusCode).toBe(400);
  });

  test.each([
    ['/v1/wallets/x/positions', 400, 'address must be the base58 text of a 32-byte address.'],
    [`${url}?status=closed`, 422, 'status must be one of all, open.'],
    [`${url}?limit=0`, 400, 'limit must be a whole number from 1 to 500.'],
    [`${url}?cursor=abc`, 400, 'cursor must be one returned by an earlier page.'],
  ])('answers for %s', async (path, code, message) => {
    const { server } = serverWith({ positions: [], next: null });
    expect((await getAsReader(server, path)).json()).toEqual({ code, message });
  });
});
