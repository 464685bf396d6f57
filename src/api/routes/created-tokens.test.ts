import { describe, expect, test } from 'vitest';
import {
  asOfFakeSlot,
  fakeApiDeps,
  fakeToken,
  MINT,
  OTHER_MINT,
  SLOT,
  WALLET,
} from '../../../tests/support/fake-api-deps.ts';
import { fakeApiServer, getAsReader } from '../../../tests/support/fake-api-server.ts';
import { asPriceE18, asRawAmount, asSlot } from '../../model/units.ts';
import type {
  CreatedTokenCursor,
  CreatedTokenPage,
  CreatedTokenQuery,
} from '../../model/wallet-lists.ts';

const url = `/v1/wallets/${WALLET}/created-tokens`;

function serverWith(page: CreatedTokenPage) {
  const asked: CreatedTokenQuery[] = [];
  const createdTokens = async (query: CreatedTokenQuery) => {
    asked.push(query);
    return asOfFakeSlot(page);
  };
  return { server: fakeApiServer({ wallets: { ...fakeApiDeps().wallets, createdTokens } }), asked };
}

describe('GET /v1/wallets/{address}/created-tokens', () => {
  test('returns tokens with their market capitalisation, without what was burned', async () => {
    const token = fakeToken({
      ...{ name: 'Cat', symbol: 'CAT', decimals: 6, supplyRaw: asRawAmount(2_500_000n) },
      burnedRaw: asRawAmount(500_000n),
      ...{ priceUsd: asPriceE18(7n * 10n ** 18n), creationSlot: asSlot(5), primaryPool: null },
      createdAtMs: null,
    });
    const { server, asked } = serverWith({ tokens: [token], next: null });
    const response = await getAsReader(server, url);
    expect(response.headers['x-slot']).toBe(String(SLOT));
    expect(response.json()).toEqual({
      wallet_address: WALLET,
      tokens: [
        {
          ...{ token_address: MINT, name: 'Cat', symbol: 'CAT', creation_slot: 5 },
          ...{ created_at: null, pair_address: null, price_usd: '7', market_cap_usd: '14.00' },
        },
      ],
      next_cursor: null,
    });
    expect(asked).toEqual([{ creator: WALLET, after: null, limit: 100 }]);
  });

  test.each<CreatedTokenCursor>([
    { slot: asSlot(5), mint: OTHER_MINT },
    { slot: null, mint: OTHER_MINT },
  ])('continues after a token of slot $slot', async (next) => {
    const { server, asked } = serverWith({ tokens: [], next });
    const { next_cursor: cursor } = (await getAsReader(server, url)).json();
    await getAsReader(server, `${url}?limit=2&cursor=${cursor}`);
    expect(asked[1]).toEqual({ creator: WALLET, after: next, limit: 2 });
    const other = `/v1/wallets/${MINT}/created-tokens?cursor=${cursor}`;
    expect((await getAsReader(server, other)).statusCode).toBe(400);
  });

  test.each([
    ['/v1/wallets/x/created-tokens', 'address must be the base58 text of a 32-byte address.'],
    [`${url}?limit=501`, 'limit must be a whole number from 1 to 500.'],
    [`${url}?cursor=abc`, 'cursor must be one returned by an earlier page.'],
  ])('refuses %s', async (path, message) => {
    const { server } = serverWith({ tokens: [], next: null });
    expect((await getAsReader(server, path)).json()).toEqual({ code: 400, message });
  });
});
