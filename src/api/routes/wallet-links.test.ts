import { describe, expect, test } from 'vitest';
import { signature } from '../../../tests/support/build-transaction.ts';
import {
  asOfFakeSlot,
  CLASSIFICATION,
  fakeApiDeps,
  MINT,
  OTHER_MINT,
  SLOT,
  WALLET,
} from '../../../tests/support/fake-api-deps.ts';
import { fakeApiServer, getAsReader } from '../../../tests/support/fake-api-server.ts';
import { asLamports, asRawAmount, asSlot } from '../../model/units.ts';
import {
  LINK_KINDS,
  type LinkPage,
  type LinkPageQuery,
  type WalletLink,
} from '../../model/wallet-lists.ts';

const url = `/v1/wallets/${WALLET}/links`;

function serverWith(page: LinkPage) {
  const asked: LinkPageQuery[] = [];
  const links = async (query: LinkPageQuery) => {
    asked.push(query);
    return asOfFakeSlot(page);
  };
  return { server: fakeApiServer({ wallets: { ...fakeApiDeps().wallets, links } }), asked };
}

const PAID: WalletLink = {
  ...{ wallet: OTHER_MINT, kind: 'funded_by', class: 'cex', strength: 2 / 3, findings: [] },
  transactions: [
    {
      ...{ slot: asSlot(5), signature: signature('paid'), lamports: asLamports(2_500_000_000n) },
      ...{ mint: null, amountRaw: null, decimals: null },
    },
  ],
};
const SENT: WalletLink = {
  ...{ wallet: OTHER_MINT, kind: 'sent_tokens', class: null, strength: 0.5, findings: [] },
  transactions: [
    {
      ...{ slot: asSlot(6), signature: signature('sent'), lamports: null },
      ...{ mint: MINT, amountRaw: asRawAmount(1_500_000n), decimals: 6 },
    },
  ],
};
const FOUND: WalletLink = {
  ...{ wallet: MINT, kind: 'same_finding', class: null, strength: 0.25, transactions: [] },
  findings: [CLASSIFICATION],
};

describe('GET /v1/wallets/{address}/links', () => {
  test('returns links with their transactions', async () => {
    const { server, asked } = serverWith({ links: [PAID, SENT, FOUND], next: null });
    const response = await getAsReader(server, url);
    expect(response.headers['x-slot']).toBe(String(SLOT));
    expect(response.json()).toEqual({
      wallet_address: WALLET,
      links: [
        {
          ...{ wallet_address: OTHER_MINT, kind: 'funded_by', class: 'cex', strength: '0.6667' },
          transactions: [
            {
              ...{ slot: 5, signature: signature('paid'), sol_amount: '2.500000000' },
              ...{ token_address: null, token_amount: null },
            },
          ],
          classification_ids: [],
        },
        {
          ...{ wallet_address: OTHER_MINT, kind: 'sent_tokens', class: null, strength: '0.5000' },
          transactions: [
            {
              ...{ slot: 6, signature: signature('sent'), sol_amount: null },
              ...{ token_address: MINT, token_amount: '1.500000' },
            },
          ],
          classification_ids: [],
        },
        {
          ...{ wallet_address: MINT, kind: 'same_finding', class: null, strength: '0.2500' },
          ...{ transactions: [], classification_ids: [CLASSIFICATION] },
        },
      ],
      next_cursor: null,
    });
    expect(asked).toEqual([{ wallet: WALLET, kinds: LINK_KINDS, after: null, limit: 100 }]);
  });

  test('continues after a cursor of the same kinds', async () => {
    const next = { strengthE4: 6_667, kind: 'funded_by', wallet: OTHER_MINT } as const;
    const { server, asked } = serverWith({ links: [], next });
    const list = `${url}?kind=funded,funded_by`;
    const { next_cursor: cursor } = (await getAsReader(server, list)).json();
    await getAsReader(server, `${url}?kind=funded_by,funded&limit=2&cursor=${cursor}`);
    expect(asked[1]).toEqual({
      ...{ wallet: WALLET, kinds: ['funded_by', 'funded'], after: next, limit: 2 },
    });
    expect((await getAsReader(server, `${url}?cursor=${cursor}`)).statusCode).toBe(400);
  });

  test.each([
    ['/v1/wallets/x/links', 400, /^address must be the base58 text of a 32-byte address/],
    [`${url}?kind=friends`, 422, /^kind must be a comma-separated list of funded_by, funded, /],
    [`${url}?limit=501`, 400, /^limit must be a whole number from 1 to 500/],
    [`${url}?cursor=abc`, 400, /^cursor must be one returned by an earlier page/],
  ])('refuses %s', async (path, code, message) => {
    const response = await getAsReader(serverWith({ links: [], next: null }).server, path);
    expect([response.statusCode, response.json().code]).toEqual([code, code]);
    expect(response.json().message).toMatch(message);
  });
});
