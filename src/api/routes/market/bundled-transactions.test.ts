import { describe, expect, test } from 'vitest';
import { buildBundle } from '../../../../tests/support/build-records.ts';
import { address, signature } from '../../../../tests/support/build-transaction.ts';
import { asOfFakeSlot, fakeApiDeps, MINT } from '../../../../tests/support/fake-api-deps.ts';
import { fakeApiServer, getAsReader } from '../../../../tests/support/fake-api-server.ts';
import { groupBundles } from '../../../model/bundle-groups.ts';
import { asLamports, asSlot } from '../../../model/units.ts';
import type { BundleItem, BundleQuery } from '../../deps.ts';

const url = `/v1/market/bundled-transactions?token_address=${MINT}`;
const ITEMS: readonly BundleItem[] = [1n, 2n, 3n, 4n, 5n].map((lamports) => ({
  signature: signature(`transaction ${lamports}`),
  owner: address(`owner ${lamports}`),
  lamports: asLamports(lamports),
}));

const GROUPS = groupBundles([
  buildBundle(MINT, 'a', { slot: asSlot(7), txIndex: 4, tipLamports: asLamports(5n), timeMs: 0 }),
  buildBundle(MINT, 'b', {
    ...{ slot: asSlot(7), txIndex: 5, group: { slot: asSlot(7), txIndex: 4 } },
    ...{ tipLamports: asLamports(5n), level: 'L2', certainty: 0.9 },
  }),
]);

function serverWith(items: readonly BundleItem[]) {
  const asked: BundleQuery[] = [];
  const { chain } = fakeApiDeps();
  const server = fakeApiServer({
    chain: {
      ...chain,
      coverage: async () => ({ ...(await chain.coverage()), firstSlot: asSlot(299_999_999) }),
    },
    bundles: {
      page: async (query) => {
        asked.push(query);
        const { offset, limit } = query;
        const found = { items: items.slice(offset, offset + limit), total: items.length };
        return asOfFakeSlot(found);
      },
      groups: async () => asOfFakeSlot({ groups: GROUPS, total: 3 }),
    },
  });
  return { server, asked };
}

describe('A-15 GET /v1/market/bundled-transactions', () => {
  test('returns a page, keys in order', async () => {
    const { server } = serverWith(ITEMS);
    const response = await getAsReader(server, `${url}&page=2&per_page=2`);
    expect(response.statusCode).toBe(200);
    expect(response.body).toBe(
      JSON.stringify({
        items: [3, 4].map((number) => ({
          transaction_id: signature(`transaction ${number}`),
          signing_address: address(`owner ${number}`),
          solana_amount: `0.00000000${number}`,
        })),
        total: 5,
        page: 2,
        per_page: 2,
        pages: 3,
      }),
    );
  });

  test('reads the first 20 by slot, newest first, by default', async () => {
    const { server, asked } = serverWith(ITEMS);
    await getAsReader(server, url);
    expect(asked).toEqual([
      { mint: MINT, orderBy: 'slot', orderDir: 'desc', offset: 0, limit: 20, asOfSlot: null },
    ]);
  });

  test('returns bundles with group=true, keys in order', async () => {
    const { server, asked } = serverWith(ITEMS);
    const response = await getAsReader(server, `${url}&group=true&per_page=1`);
    const member = { solana_amount: '0.000000001', side: 'buy', slot: 7 };
    expect(response.body).toBe(
      JSON.stringify({
        items: [
          {
            slot: 7,
            timestamp: '1970-01-01T00:00:00.000Z',
            level: 'L1',
            certainty: 0.99,
            tip: '0.000000005',
            members: [
              { transaction_id: 'a', signing_address: 'a', ...member },
              { transaction_id: 'b', signing_address: 'b', ...member },
            ],
          },
        ],
        total: 3,
        page: 1,
        per_page: 1,
        pages: 3,
      }),
    );
    expect(asked).toEqual([]);
  });

  test('answers 400 for bundles in another order than that of slots', async () => {
    const query = `${url}&group=true&order_by=solana_amount`;
    const response = await getAsReader(serverWith(ITEMS).server, query);
    expect(response.statusCode).toBe(400);
    expect(response.json().message).toBe('order_by must be slot with group=true.');
  });

  test('passes on page, order and slot', async () => {
    const { server, asked } = serverWith(ITEMS);
    const options = 'page=3&per_page=100&order_by=solana_amount&order_dir=asc&as_of_slot=299999999';
    const response = await getAsReader(server, `${url}&${options}`);
    expect(asked).toEqual([
      {
        mint: MINT,
        orderBy: 'solana_amount',
        orderDir: 'asc',
        offset: 200,
        limit: 100,
        asOfSlot: 299_999_999,
      },
    ]);
    expect(response.headers['x-slot']).toBe('299999999');
  });

  test('reads the rows as of the newest slot, even if a later one follows', async () => {
    const { server, asked } = serverWith(ITEMS);
    const response = await getAsReader(server, `${url}&as_of_slot=300000000`);
    expect(asked[0]?.asOfSlot).toBe(300_000_000);
    expect(response.headers['x-slot']).toBe('300000000');
  });

  test.each([299_999_998, 300_000_001])(
    'answers 422 for slot %i, which is not stored',
    async (slot) => {
      const { server, asked } = serverWith(ITEMS);
      const response = await getAsReader(server, `${url}&as_of_slot=${slot}`);
      expect(response.statusCode).toBe(422);
      expect(response.json()).toEqual({
        code: 422,
        message:
          'as_of_slot must be from 299999999, the oldest retained slot, to 300000000, the newest.',
      });
      expect(asked).toEqual([]);
    },
  );

  test.each([
    ['just past the end', 4],
    ['the last there can be', 2_147_483_648],
  ])('returns no items and the right total on the page %s', async (_which, page) => {
    const response = await getAsReader(serverWith(ITEMS).server, `${url}&page=${page}&per_page=2`);
    expect(response.statusCode).toBe(200);
    expect(response.json()).toEqual({ items: [], total: 5, page, per_page: 2, pages: 3 });
  });

  const badPage = 'page must be a whole number from 1 to 2147483648.';
  const badSize = 'per_page must be a whole number from 1 to 100.';
  test.each([
    ['page=0', badPage],
    ['page=-1', badPage],
    ['page=2147483649', badPage],
    ['page=1000000000000', badPage],
    ['page=', badPage],
    ['page=%D9%A1', badPage],
    ['page=+1', badPage],
    ['per_page=0', badSize],
    ['per_page=-1', badSize],
    ['per_page=101', badSize],
    ['per_page=1000000000', badSize],
    ['per_page=1.5', badSize],
    ['per_page=NaN', badSize],
    ['per_page=1e1', badSize],
    ['page=1&page=2', 'page is given more than once.'],
    [
      'order_by=price',
      'order_by must be one of slot, solana_amount, transaction_id, signing_address.',
    ],
    ['order_dir=up', 'order_dir must be one of asc, desc.'],
    ['as_of_slot=x', 'as_of_slot must be a whole number from 0 to 9007199254740991.'],
  ])('answers 400 for %s', async (option, message) => {
    const response = await getAsReader(serverWith(ITEMS).server, `${url}&${option}`);
    expect(response.statusCode).toBe(400);
    expect(response.body).toBe(JSON.stringify({ code: 400, message }));
  });

  test.each([
    ['', 'token_address is required.'],
    ['?token_address=', 'token_address is empty.'],
    ['?token_address=0OIl', 'token_address must be the base58 text of a 32-byte address.'],
  ])('answers 400 for the token %j', async (query, message) => {
    const { server } = serverWith(ITEMS);
    const response = await getAsReader(server, `/v1/market/bundled-transactions${query}`);
    expect(response.statusCode).toBe(400);
    expect(response.body).toBe(JSON.stringify({ code: 400, message }));
  });

  test('answers 404 when the token has none', async () => {
    const response = await getAsReader(serverWith([]).server, url);
    expect(response.statusCode).toBe(404);
    expect(response.json()).toEqual({
      code: 404,
      message: 'No bundled transactions are known for this token.',
    });
  });
});
