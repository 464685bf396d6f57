import { describe, expect, test } from 'vitest';
import { address } from '../../../tests/support/build-transaction.ts';
import {
  FIRST_SLOT,
  fakeApiDeps,
  fakePast,
  fakeToken,
  MINT,
  POOL,
  SLOT,
  SLOT_TIME_MS,
} from '../../../tests/support/fake-api-deps.ts';
import { fakeApiServer, getAsReader } from '../../../tests/support/fake-api-server.ts';
import type { HolderBalance } from '../../model/derived.ts';
import { ApiError } from '../../model/errors.ts';
import { NO_OFFCHAIN_FACTS, type OffchainFacts } from '../../model/off-chain.ts';
import { WRAPPED_SOL } from '../../model/program.ts';
import type { TokenRecord } from '../../model/token-record.ts';
import { asLamports, asRawAmount, asUsdNano } from '../../model/units.ts';

const BOUNDS =
  'as_of_slot must be from 299999488, the oldest retained slot, to 300000000, the newest.';
const CREATOR = address('creator');
const AUTHORITY = address('authority');
const WALLET = address('wallet');
const TIME = '2025-01-15T14:32:08.000Z';

const KNOWN: Partial<TokenRecord> = {
  creator: CREATOR,
  supplyRaw: asRawAmount(1_000_000_000_000_000n),
  decimals: 6,
  name: 'Cat “in” a \u0000hat 🐈',
  symbol: 'CAT',
  mintAuthority: AUTHORITY,
  freezeAuthority: null,
  creationSlot: SLOT,
  metadata: {
    updateAuthority: AUTHORITY,
    uri: 'https://example.org/cat.json',
    creators: [{ address: CREATOR, verified: true, sharePercent: 100 }],
    primarySaleHappened: false,
    isMutable: true,
    tokenStandard: 'Fungible',
    sellerFeeBps: 0,
    editionNonce: 254,
    collection: { verified: true, key: WALLET },
    uses: { useMethod: 'Multiple', remaining: 3n, total: 2n ** 64n - 1n },
    collectionDetails: { size: 5n },
    programmableConfig: { ruleSet: AUTHORITY },
  },
  liquidityEvent: {
    pool: POOL,
    quoteMint: WRAPPED_SOL,
    lamports: asLamports(84_990_359_057n),
    baseRaw: asRawAmount(206_900_000_000_000n),
    valueUsd: asUsdNano(10_614_795_000_000n),
    slot: SLOT,
    timeMs: SLOT_TIME_MS,
  },
  updatedAtMs: SLOT_TIME_MS + 1,
};

function serverWith(token: Partial<TokenRecord>, holders: readonly HolderBalance[] = []) {
  const deps = fakeApiDeps();
  const record = fakeToken(token);
  return fakeApiServer({
    tokens: {
      ...deps.tokens,
      find: (mint) => (mint === record.mint ? record : null),
      withHolders: (mint) => (mint === record.mint ? { token: record, holders } : null),
    },
  });
}

function holder(index: number): HolderBalance {
  return {
    mint: MINT,
    owner: WALLET,
    balanceRaw: asRawAmount(BigInt(1_000_000 - index)),
    isPool: index === 0,
    firstSeenMs: SLOT_TIME_MS,
    slot: SLOT,
  };
}

describe('GET /v1/token/{token_address}', () => {
  const url = `/v1/token/${MINT}`;

  test('returns everything known of a token, keys in order', async () => {
    const response = await getAsReader(serverWith(KNOWN, [holder(0)]), url);
    expect(response.statusCode).toBe(200);
    expect(response.body).toBe(
      JSON.stringify({
        token: {
          token_address: MINT,
          creator_address: CREATOR,
          total_supply: '1000000000.000000',
          name: 'Cat “in” a \u0000hat 🐈',
          symbol: 'CAT',
          decimals: 6,
          mint_authority_address: AUTHORITY,
          freeze_authority_address: null,
          creation_slot: 300_000_000,
          created_at: TIME,
          updated_at: '2025-01-15T14:32:08.001Z',
        },
        metadata: {
          update_authority_address: AUTHORITY,
          uri: 'https://example.org/cat.json',
          uri_metadata: null,
          creators: [{ address: CREATOR, verified: true, share: 100 }],
          primary_sale_happened: false,
          is_mutable: true,
          edition_nonce: 254,
          token_standard: 'Fungible',
          collection: { verified: true, key: WALLET },
          uses: { use_method: 'Multiple', remaining: '3', total: '18446744073709551615' },
          collection_details: { size: '5' },
          programmable_config: { rule_set: AUTHORITY },
          seller_fee_basis_points: 0,
        },
        liquidity_event: {
          pair_address: POOL,
          initial_liquidity_solana_amount: '84.990359057',
          initial_liquidity_token_amount: '206900000.000000',
          initial_liquidity_value_usd: '10614.80',
          initial_liquidity_add_slot_number: 300_000_000,
          initial_liquidity_add_slot_timestamp: TIME,
          block_time_at: TIME,
        },
        social_links: [],
        image_hash: { phash_32: null, phash_64: null, created_at: null },
        holders: [{ holder_address: WALLET, balance: '1.000000', is_lp: true, created_at: TIME }],
        picture_url: null,
      }),
    );
  });

  test('returns off-chain data with the time it was observed', async () => {
    const seenAtMs = SLOT_TIME_MS + 60_000;
    const facts: OffchainFacts = {
      document: {
        name: '<img src=x onerror=alert(1)>',
        symbol: null,
        description: 'two\nlines',
        image: 'ipfs://cat',
        seenAtMs,
      },
      links: [
        { platform: 'twitter', url: 'https://x.com/cat', statusCode: 200, checkedAtMs: seenAtMs },
        { platform: 'website', url: 'https://cat.example/', statusCode: null, checkedAtMs: null },
      ],
      picture: { hash32: 'ba8c8453', hash64: 'ba8c84536bd3c366', hashedAtMs: seenAtMs },
      thumbnailHash: '0123456789abcdef',
    };
    const deps = fakeApiDeps();
    const token = { token: fakeToken(KNOWN), holders: [] };
    const server = fakeApiServer({
      tokens: { ...deps.tokens, withHolders: () => token },
      offchain: {
        ...deps.offchain,
        factsOf: (mint) => (mint === MINT ? facts : NO_OFFCHAIN_FACTS),
      },
    });
    const response = await getAsReader(server, url);
    const at = '2025-01-15T14:33:08.000Z';
    expect(response.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(JSON.stringify(response.json().metadata.uri_metadata)).toBe(
      `{"name":"<img src=x onerror=alert(1)>","symbol":null,"description":"two\\nlines","image":"ipfs://cat","seen_at":"${at}"}`,
    );
    expect(response.json()).toMatchObject({
      social_links: [
        { platform: 'twitter', url: 'https://x.com/cat', status_code: 200, checked_at: at },
        {
          platform: 'website',
          url: 'https://cat.example/',
          status_code: null,
          checked_at: null,
        },
      ],
      image_hash: { phash_32: 'ba8c8453', phash_64: 'ba8c84536bd3c366', created_at: at },
      picture_url: `/v1/token/${MINT}/picture?hash=0123456789abcdef`,
    });
    expect(response.headers['x-slot']).toBe(String(SLOT));
  });

  test('returns null for unknown values', async () => {
    const response = await getAsReader(serverWith({}, [holder(0)]), url);
    expect(response.json()).toEqual({
      token: {
        token_address: MINT,
        creator_address: null,
        total_supply: null,
        name: null,
        symbol: null,
        decimals: null,
        mint_authority_address: null,
        freeze_authority_address: null,
        creation_slot: null,
        created_at: TIME,
        updated_at: TIME,
      },
      metadata: {
        update_authority_address: null,
        uri: null,
        uri_metadata: null,
        creators: null,
        primary_sale_happened: null,
        is_mutable: null,
        edition_nonce: null,
        token_standard: null,
        collection: null,
        uses: null,
        collection_details: null,
        programmable_config: null,
        seller_fee_basis_points: null,
      },
      liquidity_event: null,
      social_links: [],
      image_hash: { phash_32: null, phash_64: null, created_at: null },
      holders: [{ holder_address: WALLET, balance: null, is_lp: true, created_at: TIME }],
      picture_url: null,
    });
  });

  test('returns null for metadata fields that are absent, and for parts of them', async () => {
    const metadata = {
      ...KNOWN.metadata,
      editionNonce: null,
      collection: null,
      uses: null,
      collectionDetails: { size: null },
      programmableConfig: { ruleSet: null },
    };
    const token = { ...KNOWN, metadata } as Partial<TokenRecord>;
    const body = (await getAsReader(serverWith(token), url)).json();
    expect(body.metadata).toMatchObject({
      token_standard: 'Fungible',
      edition_nonce: null,
      collection: null,
      uses: null,
      collection_details: { size: null },
      programmable_config: { rule_set: null },
    });
  });

  test('returns null for liquidity of unknown value', async () => {
    const liquidityEvent = { ...KNOWN.liquidityEvent, lamports: null, valueUsd: null };
    const response = await getAsReader(
      serverWith({ ...KNOWN, liquidityEvent } as Partial<TokenRecord>),
      url,
    );
    expect(response.json().liquidity_event).toMatchObject({
      initial_liquidity_solana_amount: null,
      initial_liquidity_token_amount: '206900000.000000',
      initial_liquidity_value_usd: null,
    });
  });

  test('returns null for unknown times', async () => {
    const liquidityEvent = { ...KNOWN.liquidityEvent, baseRaw: null, timeMs: null };
    const token = { ...KNOWN, createdAtMs: null, updatedAtMs: null, liquidityEvent };
    const body = (await getAsReader(serverWith(token as Partial<TokenRecord>), url)).json();
    expect(body.token).toMatchObject({ created_at: null, updated_at: null });
    expect(body.liquidity_event).toMatchObject({
      initial_liquidity_token_amount: null,
      initial_liquidity_add_slot_timestamp: null,
      block_time_at: null,
    });
  });

  test('returns a supply without decimals as a whole number', async () => {
    const token = { supplyRaw: asRawAmount(2n ** 64n), decimals: 0 };
    const response = await getAsReader(serverWith(token), url);
    expect(response.json().token.total_supply).toBe('18446744073709551616');
  });

  test('returns the holders in the given order', async () => {
    const holders = Array.from({ length: 100 }, (_, index) => holder(index));
    const { holders: answered } = (await getAsReader(serverWith(KNOWN, holders), url)).json();
    expect(answered).toHaveLength(100);
    expect([answered[0].balance, answered[99].balance]).toEqual(['1.000000', '0.999901']);
  });

  test('returns the same for fetched rows as for cached ones', async () => {
    const tokens = {
      ...fakeApiDeps().tokens,
      withHolders: async () => ({ token: fakeToken(KNOWN), holders: [holder(0)] }),
    };
    const asked = await getAsReader(fakeApiServer({ tokens }), url);
    const held = await getAsReader(serverWith(KNOWN, [holder(0)]), url);
    expect([asked.statusCode, asked.body]).toEqual([200, held.body]);
  });

  test('answers 503 while the engine is too busy', async () => {
    const tokens = {
      ...fakeApiDeps().tokens,
      withHolders: async () => {
        throw new ApiError(503, 'Too many requests are waiting: try again.');
      },
    };
    const response = await getAsReader(fakeApiServer({ tokens }), url);
    expect(response.statusCode).toBe(503);
    expect(response.headers['retry-after']).toBe('1');
    expect(response.json()).toEqual({
      code: 503,
      message: 'Too many requests are waiting: try again.',
    });
  });

  test.each([
    [
      'a bad address',
      '/v1/token/abc',
      400,
      'token_address must be the base58 text of a 32-byte address.',
    ],
    ['no address', '/v1/token/', 400, 'token_address is empty.'],
    [
      'a long address',
      `/v1/token/${'1'.repeat(10_000)}`,
      400,
      'token_address must be the base58 text of a 32-byte address.',
    ],
    [
      'a NUL in the address',
      `/v1/token/${MINT}%00`,
      400,
      'token_address must be the base58 text of a 32-byte address.',
    ],
    ['an encoding that is none', '/v1/token/%zz', 400, 'The request is malformed.'],
    ['a token it never saw', `/v1/token/${POOL}`, 404, 'This token is not known.'],
    [
      'a slot that is no number',
      `${url}?as_of_slot=now`,
      400,
      'as_of_slot must be a whole number from 0 to 9007199254740991.',
    ],
    [
      'a negative slot',
      `${url}?as_of_slot=-1`,
      400,
      'as_of_slot must be a whole number from 0 to 9007199254740991.',
    ],
    ['a slot before the first', `${url}?as_of_slot=${FIRST_SLOT - 1}`, 422, BOUNDS],
    ['a slot after the newest', `${url}?as_of_slot=${SLOT + 1}`, 422, BOUNDS],
    ['such a slot of an unknown token', `/v1/token/${POOL}?as_of_slot=0`, 422, BOUNDS],
    [
      'an earlier slot of an unknown token',
      `/v1/token/${POOL}?as_of_slot=${SLOT - 1}`,
      404,
      'This token is not known.',
    ],
  ])('answers for %s', async (_what, path, code, message) => {
    const response = await getAsReader(serverWith(KNOWN), path);
    expect(response.statusCode).toBe(code);
    expect(response.body).toBe(JSON.stringify({ code, message }));
  });

  test.each([FIRST_SLOT, SLOT - 1, SLOT])('returns the state as of slot %i', async (slot) => {
    const now = fakeToken(KNOWN);
    const then = fakeToken({ ...KNOWN, name: `as of ${slot}` });
    const deps = fakeApiDeps();
    const server = fakeApiServer({
      tokens: { ...deps.tokens, withHolders: () => ({ token: now, holders: [] }) },
      past: fakePast({ token: () => ({ token: then, holders: [] }), pool: () => undefined }),
    });
    const response = await getAsReader(server, `${url}?as_of_slot=${slot}`);
    expect(response.statusCode).toBe(200);
    expect(response.json().token.name).toBe(`as of ${slot}`);
    expect(response.headers['x-slot']).toBe(String(slot));
    // The fake clock is one second after the newest slot.
    expect(response.headers['x-data-age-ms']).toBe(String(1_000 + (SLOT - slot) * 400));
  });
});
