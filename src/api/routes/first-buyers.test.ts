import { describe, expect, test } from 'vitest';
import { buildSwap } from '../../../tests/support/build-records.ts';
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
import type { FirstBuyer, FirstBuyerQuery } from '../../model/first-buyers.ts';
import { WRAPPED_SOL } from '../../model/program.ts';
import { asRawAmount, asSlot, asUsdNano } from '../../model/units.ts';

const url = `/v1/token/${MINT}/first-buyers`;

const swap = buildSwap(POOL, 'first', {
  ...{ slot: asSlot(299_000_000), timeMs: SLOT_TIME_MS },
  ...{ priceUsd: null, valueUsd: asUsdNano(50_000_000_000n) },
});
const BUYER: FirstBuyer = {
  ...{ rank: 3, wallet: WALLET },
  swap: {
    ...swap,
    swap: { ...swap.swap, poolBaseDelta: asRawAmount(-1_500_000n), baseDecimals: 6 },
  },
  standing: {
    walletClass: 'bot',
    judgements: [],
    labels: ['copied'],
    cluster: POOL,
    position: null,
  },
};

function serverWith(buyers: readonly FirstBuyer[], next: number | null) {
  const asked: FirstBuyerQuery[] = [];
  const { tokens } = fakeApiDeps();
  const firstBuyers = async (query: FirstBuyerQuery) => {
    asked.push(query);
    return asOfFakeSlot(query.mint === MINT ? { token: fakeToken(), buyers, next } : null);
  };
  return { server: fakeApiServer({ tokens: { ...tokens, firstBuyers } }), asked };
}

describe('GET /v1/token/{token_address}/first-buyers', () => {
  test('returns buyers with their first purchase', async () => {
    const { server, asked } = serverWith([BUYER], null);
    const response = await getAsReader(server, url);
    expect(response.headers['x-slot']).toBe(String(SLOT));
    expect(response.body).toBe(
      JSON.stringify({
        token_address: MINT,
        buyers: [
          {
            rank: 3,
            wallet_address: WALLET,
            slot: 299_000_000,
            timestamp: '2025-01-15T14:32:08.000Z',
            signature: swap.signature,
            pair_address: POOL,
            token_amount: '1.500000',
            price_usd: null,
            value_usd: '50.00',
            balance: null,
            class: 'bot',
            token_rules: [],
            labels: ['copied'],
            cluster_id: POOL,
            first_buy_at: null,
            average_cost_usd: null,
            realised_usd: null,
            unrealised_usd: null,
          },
        ],
        next_cursor: null,
      }),
    );
    expect(asked).toEqual([{ mint: MINT, afterRank: 0, limit: 100 }]);
  });

  test('continues after a cursor of the same token', async () => {
    const { server, asked } = serverWith([], 7);
    const { next_cursor: cursor } = (await getAsReader(server, url)).json();
    await getAsReader(server, `${url}?limit=2&cursor=${cursor}`);
    expect(asked[1]).toEqual({ mint: MINT, afterRank: 7, limit: 2 });
    const other = await getAsReader(server, `/v1/token/${POOL}/first-buyers?cursor=${cursor}`);
    expect(other.statusCode).toBe(400);
  });

  test.each([
    [
      '/v1/token/x/first-buyers',
      400,
      'token_address must be the base58 text of a 32-byte address.',
    ],
    [`/v1/token/${POOL}/first-buyers`, 404, 'This token is not known.'],
    [`/v1/token/${WRAPPED_SOL}/first-buyers`, 422, 'Buyers of SOL and stablecoins are not listed.'],
    [`${url}?limit=501`, 400, 'limit must be a whole number from 1 to 500.'],
    [`${url}?cursor=abc`, 400, 'cursor must be one returned by an earlier page.'],
  ])('answers for %s', async (path, code, message) => {
    const { server } = serverWith([], null);
    expect((await getAsReader(server, path)).json()).toEqual({ code, message });
  });
});
