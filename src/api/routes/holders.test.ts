import { describe, expect, test } from 'vitest';
import {
  asOfFakeSlot,
  fakeApiDeps,
  fakeToken,
  MINT,
  OTHER_MINT,
  POOL,
  SLOT,
  SLOT_TIME_MS,
  WALLET,
} from '../../../tests/support/fake-api-deps.ts';
import { fakeApiServer, getAsReader } from '../../../tests/support/fake-api-server.ts';
import type { HolderPage, HolderPageQuery, ListedHolder } from '../../model/holder-page.ts';
import { WRAPPED_SOL } from '../../model/program.ts';
import type { WalletStanding } from '../../model/token-wallets.ts';
import { type Address, asPriceE18, asRawAmount, asSlot, asUsdNano } from '../../model/units.ts';

const url = `/v1/token/${MINT}/holders`;

/** 6 tokens of known cost, bought for 30 dollars, now at 7 dollars each. */
const STANDING: WalletStanding = {
  walletClass: 'organic',
  judgements: [],
  labels: ['insider', 'smart'],
  cluster: OTHER_MINT,
  position: {
    ...{ mint: MINT, symbol: null, decimals: 6, heldRaw: asRawAmount(6_000_000n) },
    ...{ unknownBasisRaw: asRawAmount(0n), costUsd: asUsdNano(30_000_000_000n) },
    ...{
      hasKnownCost: true,
      realisedUsd: asUsdNano(-1_250_000_000n),
      priceUsd: asPriceE18(7n * 10n ** 18n),
    },
    ...{ buys: 1, sells: 1, firstBuyMs: SLOT_TIME_MS, lastTradeMs: null },
  },
};

function holder(
  owner: Address,
  balanceRaw: bigint,
  holderKind: ListedHolder['holderKind'],
): ListedHolder {
  return {
    mint: MINT,
    owner,
    balanceRaw: asRawAmount(balanceRaw),
    isPool: holderKind === 'pool',
    firstSeenMs: SLOT_TIME_MS,
    slot: SLOT,
    holderKind,
    standing: holderKind === 'wallet' ? STANDING : null,
  };
}

function serverWith(page: HolderPage, decimals: number | null = 6) {
  const asked: HolderPageQuery[] = [];
  const { tokens } = fakeApiDeps();
  const server = fakeApiServer({
    tokens: {
      ...tokens,
      holderPage: async (query) => {
        asked.push(query);
        const token = fakeToken({ decimals, supplyRaw: asRawAmount(10_000_000n) });
        return asOfFakeSlot(query.mint === MINT ? { token, page } : null);
      },
    },
  });
  return { server, asked };
}

const PAGE: HolderPage = {
  holders: [holder(POOL, 2_500_000n, 'pool'), holder(WALLET, 1n, 'wallet')],
  count: 1,
  next: { balanceRaw: asRawAmount(1n), owner: WALLET },
};

describe('GET /v1/token/{token_address}/holders', () => {
  test('returns holders with their kind, the count and the next cursor', async () => {
    const { server, asked } = serverWith(PAGE);
    const response = await getAsReader(server, url);
    expect(response.body).toBe(
      JSON.stringify({
        token_address: MINT,
        count: 1,
        holders: [
          {
            holder_address: POOL,
            balance: '2.500000',
            kind: 'pool',
            created_at: '2025-01-15T14:32:08.000Z',
            share_of_supply: '0.2500',
            class: null,
            token_rules: [],
            labels: [],
            cluster_id: null,
            first_buy_at: null,
            average_cost_usd: null,
            realised_usd: null,
            unrealised_usd: null,
          },
          {
            holder_address: WALLET,
            balance: '0.000001',
            kind: 'wallet',
            created_at: '2025-01-15T14:32:08.000Z',
            share_of_supply: '0.0000',
            class: 'organic',
            token_rules: [],
            labels: ['insider', 'smart'],
            cluster_id: OTHER_MINT,
            first_buy_at: '2025-01-15T14:32:08.000Z',
            // 30 dollars for 6 tokens, which are worth 42 now.
            average_cost_usd: '5',
            realised_usd: '-1.25',
            unrealised_usd: '12.00',
          },
        ],
        next_cursor: response.json().next_cursor,
      }),
    );
    expect(asked).toEqual([{ mint: MINT, after: null, limit: 100 }]);
    expect(response.headers['x-slot']).toBe(String(SLOT));
  });

  test('continues after a cursor', async () => {
    const place = { balanceRaw: asRawAmount(2n ** 100n), owner: OTHER_MINT };
    const { server, asked } = serverWith({ ...PAGE, next: place });
    const { next_cursor: cursor } = (await getAsReader(server, url)).json();
    const response = await getAsReader(server, `${url}?limit=500&cursor=${cursor}`);
    expect(response.statusCode).toBe(200);
    expect(asked[1]).toEqual({ mint: MINT, after: place, limit: 500 });
  });

  test('returns null for a balance with unknown decimals and for the last cursor', async () => {
    const { server } = serverWith({ ...PAGE, next: null }, null);
    expect((await getAsReader(server, url)).json()).toMatchObject({
      holders: [{ balance: null }, { balance: null }],
      next_cursor: null,
    });
  });

  test('returns a page of the holders as of a slot', async () => {
    const asked: unknown[] = [];
    const { past } = fakeApiDeps();
    const server = fakeApiServer({
      past: {
        ...past,
        holders: async (query, slot) => {
          asked.push([query, slot]);
          // The slot itself has no block.
          return { slot: asSlot(slot - 1), timeMs: null, data: { token: fakeToken(), page: PAGE } };
        },
      },
    });
    const response = await getAsReader(server, `${url}?as_of_slot=${SLOT - 7}&limit=3`);
    expect(response.json()).toMatchObject({ token_address: MINT, count: 1 });
    expect(asked).toEqual([[{ mint: MINT, after: null, limit: 3 }, SLOT - 7]]);
    expect(response.headers['x-slot']).toBe(String(SLOT - 8));
  });

  const BOUNDS =
    'as_of_slot must be from 299999488, the oldest retained slot, to 300000000, the newest.';
  const BAD_CURSOR = 'cursor must be one returned by an earlier page.';
  const LONG = 'cursor must be a text of 1 to 256 characters.';

  test.each([
    [
      'a bad address',
      '/v1/token/x/holders',
      400,
      'token_address must be the base58 text of a 32-byte address.',
    ],
    ['an unknown token', `/v1/token/${POOL}/holders`, 404, 'This token is not known.'],
    ['no holders asked for', `${url}?limit=0`, 400, 'limit must be a whole number from 1 to 500.'],
    ['too many', `${url}?limit=501`, 400, 'limit must be a whole number from 1 to 500.'],
    ['an empty cursor', `${url}?cursor=`, 400, LONG],
    ['a long cursor', `${url}?cursor=${'a'.repeat(257)}`, 400, LONG],
    ['a made-up cursor', `${url}?cursor=abc`, 400, BAD_CURSOR],
    ['a slot before the first', `${url}?as_of_slot=1`, 422, BOUNDS],
    ['a slot after the newest', `${url}?as_of_slot=${SLOT + 1}`, 422, BOUNDS],
    [
      'a quote mint',
      `/v1/token/${WRAPPED_SOL}/holders`,
      422,
      'Holders of SOL and stablecoins are not tracked.',
    ],
  ])('answers for %s', async (_what, path, code, message) => {
    const response = await getAsReader(serverWith(PAGE).server, path);
    expect(response.json()).toEqual({ code, message });
  });
});
