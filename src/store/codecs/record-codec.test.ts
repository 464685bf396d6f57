import { describe, expect, test } from 'vitest';
import { buildPool, buildToken } from '../../../tests/support/build-records.ts';
import { address } from '../../../tests/support/build-transaction.ts';
import type { Lamports, PriceE18, RawAmount, Slot, UsdNano } from '../../model/units.ts';
import {
  decodePoolRecord,
  decodeTokenRecord,
  encodePoolRecord,
  encodeTokenRecord,
} from './record-codec.ts';

const priceChain = {
  usd: (10n ** 19n) as PriceE18,
  links: [{ mint: address('quote'), pool: address('quote pool') }],
  reference: address('reference'),
  setSlot: 7 as Slot,
  ageMs: 900_000,
  thinnestUsd: (2n ** 60n) as UsdNano,
  hasLaunchpadCoin: null,
};

describe('token and pool records as text', () => {
  const empty = buildToken(address('mint'));
  const full = buildToken(address('mint'), {
    tokenProgram: address('program'),
    creator: address('creator'),
    supplyRaw: (2n ** 64n - 1n) as RawAmount,
    burnedRaw: 3n as RawAmount,
    name: 'Näme "quoted" \\ 😀',
    symbol: '',
    mintAuthority: address('creator'),
    freezeAuthority: address('freezer'),
    creationSlot: 1 as Slot,
    metadata: {
      updateAuthority: address('creator'),
      uri: 'https://example.org/1.json',
      creators: [{ address: address('creator'), verified: true, sharePercent: 100 }],
      primarySaleHappened: false,
      isMutable: true,
      tokenStandard: 'Fungible',
      sellerFeeBps: 0,
    },
    liquidityEvent: {
      pool: address('pool'),
      quoteMint: address('quote'),
      lamports: 0n as Lamports,
      baseRaw: 1n as RawAmount,
      valueUsd: (2n ** 60n) as UsdNano,
      slot: 2 as Slot,
      timeMs: 3,
    },
    primaryPool: address('pool'),
    priceUsd: (10n ** 40n) as PriceE18,
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
      createdSlot: 0 as Slot,
      reserves: {
        base: 1n as RawAmount,
        quote: 2n as RawAmount,
        virtualBase: 3n as RawAmount,
        virtualQuote: null,
      },
      priceChain,
      buyVolumeUsd: (2n ** 65n) as UsdNano,
      price: 1n as PriceE18,
      priceUsd: 2n as PriceE18,
      athPriceUsd: (10n ** 30n) as PriceE18,
      liquidityUsd: 0n as UsdNano,
      lockedLiquidity: { issuedRaw: (2n ** 60n) as RawAmount, lockedRaw: 0n as RawAmount },
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

  test('are not decoded as each other', () => {
    expect(() => decodePoolRecord(encodeTokenRecord(empty))).toThrow('has the format token/1');
  });
});
