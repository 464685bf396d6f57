import { describe, expect, test } from 'vitest';
import {
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
import { type Address, asRawAmount } from '../../model/units.ts';

const url = `/v1/token/${MINT}/holders`;

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
        return query.mint === MINT ? { token: fakeToken({ decimals }), page } : null;
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
          },
          {
            holder_address: WALLET,
            balance: '0.000001',
            kind: 'wallet',
            created_at: '2025-01-15T14:32:08.000Z',
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
    const response = await getAsReader(server, `${url}?limit=1000&cursor=${cursor}`);
    expect(response.statusCode).toBe(200);
    expect(asked[1]).toEqual({ mint: MINT, after: place, limit: 1_000 });
  });

  test('returns null for a balance with unknown decimals and for the last cursor', async () => {
    const { server } = serverWith({ ...PAGE, next: null }, null);
    expect((await getAsReader(server, url)).json()).toMatchObject({
      holders: [{ balance: null }, { balance: null }],
      next_cursor: null,
    });
  });

  const cursorOf = (text: string) => Buffer.from(text).toString('base64url');
  const BAD_CURSOR = 'cursor must be one returned by an earlier page.';
  const LONG = 'cursor must be a text of 1 to 112 characters.';

  test.each([
    [
      'a bad address',
      '/v1/token/x/holders',
      400,
      'token_address must be the base58 text of a 32-byte address.',
    ],
    ['an unknown token', `/v1/token/${POOL}/holders`, 404, 'This token is not known.'],
    ['no holders asked for', `${url}?limit=0`, 400, 'limit must be a whole number from 1 to 1000.'],
    ['too many', `${url}?limit=1001`, 400, 'limit must be a whole number from 1 to 1000.'],
    ['an empty cursor', `${url}?cursor=`, 400, LONG],
    ['a long cursor', `${url}?cursor=${'a'.repeat(113)}`, 400, LONG],
    ['a made-up cursor', `${url}?cursor=abc`, 400, BAD_CURSOR],
    ['a cursor below zero', `${url}?cursor=${cursorOf(`-1.${MINT}`)}`, 400, BAD_CURSOR],
    ['a cursor without an owner', `${url}?cursor=${cursorOf('1.')}`, 400, BAD_CURSOR],
    [
      'a cursor with a bad owner',
      `${url}?cursor=${cursorOf(`1.${'z'.repeat(44)}`)}`,
      400,
      BAD_CURSOR,
    ],
    [
      'an earlier slot',
      `${url}?as_of_slot=1`,
      422,
      'history before slot 300000000 is not retained',
    ],
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
