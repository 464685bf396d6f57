import { describe, expect, test } from 'vitest';
import {
  fakeApiDeps,
  MINT,
  OTHER_MINT,
  POOL,
  SLOT,
  SLOT_TIME_MS,
} from '../../../tests/support/fake-api-deps.ts';
import {
  fakeApiServer,
  getAsReader,
  sharedApiServer,
} from '../../../tests/support/fake-api-server.ts';
import type { ClonePage, CloneQuery } from '../../model/off-chain.ts';

const url = `/v1/token/${MINT}/clones`;

function serverWith(page: ClonePage) {
  const asked: CloneQuery[] = [];
  const offchain = {
    ...fakeApiDeps().offchain,
    clones: (query: CloneQuery) => {
      asked.push(query);
      return page;
    },
  };
  return { server: fakeApiServer({ offchain }), asked };
}

const CLONE = {
  mint: OTHER_MINT,
  name: 'Cat',
  symbol: null,
  createdSlot: SLOT,
  createdAtMs: SLOT_TIME_MS,
  matches: ['document', 'picture'] as const,
  pictureDistance: 2,
  thumbnailHash: '0123456789abcdef',
};

describe('GET /v1/token/{token_address}/clones', () => {
  test('returns similar tokens, their matches and the next cursor', async () => {
    const place = { createdSlot: SLOT, mint: OTHER_MINT };
    const { server, asked } = serverWith({ clones: [CLONE], next: place });
    const response = await getAsReader(server, url);
    expect(response.statusCode).toBe(200);
    expect(response.body).toBe(
      JSON.stringify({
        token_address: MINT,
        clones: [
          {
            token_address: OTHER_MINT,
            name: 'Cat',
            symbol: null,
            creation_slot: SLOT,
            created_at: '2025-01-15T14:32:08.000Z',
            matches: ['document', 'picture'],
            picture_distance: 2,
            picture_url: `/v1/token/${OTHER_MINT}/picture?hash=0123456789abcdef`,
          },
        ],
        next_cursor: response.json().next_cursor,
      }),
    );
    await getAsReader(server, `${url}?limit=5&cursor=${response.json().next_cursor}`);
    expect(asked).toEqual([
      { mint: MINT, after: null, limit: 100 },
      { mint: MINT, after: place, limit: 5 },
    ]);
  });

  test('returns an empty list without off-chain data', async () => {
    const { server } = serverWith({ clones: [], next: null });
    expect((await getAsReader(server, url)).json()).toEqual({
      token_address: MINT,
      clones: [],
      next_cursor: null,
    });
  });

  const BAD_CURSOR = 'cursor must be one returned by an earlier page.';

  test.each([
    [
      'a bad address',
      '/v1/token/x/clones',
      400,
      'token_address must be the base58 text of a 32-byte address.',
    ],
    ['an unknown token', `/v1/token/${POOL}/clones`, 404, 'This token is not known.'],
    ['a limit of none', `${url}?limit=0`, 400, 'limit must be a whole number from 1 to 500.'],
    ['too many', `${url}?limit=501`, 400, 'limit must be a whole number from 1 to 500.'],
    ['a made-up cursor', `${url}?cursor=abc`, 400, BAD_CURSOR],
  ])('answers for %s', async (_what, path, code, message) => {
    const response = await getAsReader(serverWith({ clones: [], next: null }).server, path);
    expect(response.json()).toEqual({ code, message });
  });

  test('answers 401 without a key', async () => {
    const response = await sharedApiServer().inject({ url });
    expect(response.statusCode).toBe(401);
  });
});
