import { describe, expect, test } from 'vitest';
import { buildPool, buildToken } from '../../../tests/support/build-records.ts';
import { address } from '../../../tests/support/build-transaction.ts';
import { asLamports, asPriceE18, asRawAmount, asSlot, asUsdNano } from '../../model/units.ts';
import {
  decodePoolRecord,
  decodeTokenRecord,
  encodePoolRecord,
  encodeTokenRecord,
} from './record-codec.ts';

const priceChain = {
  usd: asPriceE18(10n ** 19n),
  links: [{ mint: address('quote'), pool: address('quote pool') }],
  reference: address('reference'),
  setSlot: asSlot(7),
  ageMs: 900_000,
  thinnestUsd: asUsdNano(2n ** 60n),
  hasLaunchpadCoin: null,
};

/** Position of the metadata in a stored token. */
const METADATA_INDEX = 11;

describe('token and pool records as text', () => {
  const empty = buildToken(address('mint'));
  const full = buildToken(address('mint'), {
    tokenProgram: address('program'),
    creator: address('creator'),
    supplyRaw: asRawAmount(2n ** 64n - 1n),
    burnedRaw: asRawAmount(3n),
    name: 'Näme "quoted" \\ 😀',
    symbol: '',
    mintAuthority: address('creator'),
    freezeAuthority: address('freezer'),
    creationSlot: asSlot(1),
    metadata: {
      updateAuthority: address('creator'),
      uri: 'https://example.org/1.json',
      creators: [{ address: address('creator'), verified: true, sharePercent: 100 }],
      primarySaleHappened: false,
      isMutable: true,
      tokenStandard: 'Fungible',
      sellerFeeBps: 0,
      editionNonce: 255,
      collection: { verified: true, key: address('collection') },
      uses: { useMethod: 'Multiple', remaining: 0n, total: 2n ** 64n - 1n },
      collectionDetails: { size: 2n ** 60n },
      programmableConfig: { ruleSet: address('rules') },
    },
    liquidityEvent: {
      pool: address('pool'),
      quoteMint: address('quote'),
      lamports: asLamports(0n),
      baseRaw: asRawAmount(1n),
      valueUsd: asUsdNano(2n ** 60n),
      slot: asSlot(2),
      timeMs: 3,
    },
    primaryPool: address('pool'),
    priceUsd: asPriceE18(10n ** 40n),
    feeRecipient: address('rewards'),
    priceChain,
  });

  test.each([empty, full])('tokens are decoded as they were', (token) => {
    expect(decodeTokenRecord(encodeTokenRecord(token))).toStrictEqual(token);
  });

  test.each([
    buildPool(address('pool'), address('mint')),
    buildPool(address('pool'), address('mint'), {
      creator: address('creator'),
      createdSlot: asSlot(0),
      reserves: {
        base: asRawAmount(1n),
        quote: asRawAmount(2n),
        virtualBase: asRawAmount(3n),
        virtualQuote: null,
      },
      priceChain,
      buyVolumeUsd: asUsdNano(2n ** 65n),
      price: asPriceE18(1n),
      priceUsd: asPriceE18(2n),
      athPriceUsd: asPriceE18(10n ** 30n),
      liquidityUsd: asUsdNano(0n),
      lockedLiquidity: { issuedRaw: asRawAmount(2n ** 60n), lockedRaw: asRawAmount(0n) },
      isCurveComplete: true,
      migratedTo: address('next'),
      lastSwapMs: 9,
    }),
  ])('pools come back as they were', (pool) => {
    expect(decodePoolRecord(encodePoolRecord(pool))).toStrictEqual(pool);
  });

  /** The text of a record with that many fields less. */
  function without(fields: number, text: string): string {
    const [format, strings, body] = JSON.parse(text) as [string, string[], unknown[]];
    return JSON.stringify([format, strings, body.slice(0, -fields)]);
  }

  test.each([1, 2])('of pools written before the last %d fields were added have none', (fields) => {
    const pool = buildPool(address('pool'), address('mint'));
    expect(decodePoolRecord(without(fields, encodePoolRecord(pool)))).toStrictEqual(pool);
  });

  test('of tokens written before fee recipient and chain were added have none', () => {
    expect(decodeTokenRecord(without(2, encodeTokenRecord(empty)))).toStrictEqual(empty);
    const { feeRecipient: _, priceChain: __, ...known } = full;
    expect(decodeTokenRecord(without(2, encodeTokenRecord(full)))).toStrictEqual({
      ...known,
      feeRecipient: null,
      priceChain: null,
    });
  });

  test('of tokens written before the last five fields of the metadata were added have none', () => {
    const [format, strings, body] = JSON.parse(encodeTokenRecord(full)) as [string, [], unknown[]];
    const older = body.map((value, index) =>
      index === METADATA_INDEX ? (value as unknown[]).slice(0, -5) : value,
    );
    expect(decodeTokenRecord(JSON.stringify([format, strings, older]))).toStrictEqual({
      ...full,
      metadata: {
        ...full.metadata,
        editionNonce: null,
        collection: null,
        uses: null,
        collectionDetails: null,
        programmableConfig: null,
      },
    });
  });

  test('are not decoded as each other', () => {
    expect(() => decodePoolRecord(encodeTokenRecord(empty))).toThrow('has the format token/1');
  });
});
