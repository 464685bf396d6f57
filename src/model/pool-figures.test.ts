import { describe, expect, test } from 'vitest';
import { fakePool, MINT } from '../../tests/support/fake-api-deps.ts';
import { poolFiguresOf } from './pool-figures.ts';
import { USDC, WRAPPED_SOL } from './program.ts';
import type { Reserves } from './reserves.ts';
import { asPriceE18, asRawAmount, asUsdNano } from './units.ts';

const raw = (amount: bigint) => asRawAmount(amount);
const reserves: Reserves = {
  base: raw(7n),
  quote: raw(9n),
  virtualBase: raw(70n),
  virtualQuote: raw(90n),
};

describe('the figures of a pool', () => {
  test('have the price of the pool', () => {
    const priceUsd = asPriceE18(5n);
    expect(poolFiguresOf(fakePool({ priceUsd })).priceUsd).toBe(5n);
    expect(poolFiguresOf(fakePool()).priceUsd).toBeNull();
  });

  test('are the SOL and the tokens that it holds, not the virtual ones', () => {
    expect(poolFiguresOf(fakePool({ reserves }))).toMatchObject({
      tokenMint: MINT,
      tokenDecimals: 6,
      solLamports: 9n,
      tokenRaw: 7n,
    });
  });

  test('have SOL as their SOL side even when it is priced in a stablecoin', () => {
    const pool = fakePool({
      baseMint: WRAPPED_SOL,
      baseDecimals: 9,
      quoteMint: USDC,
      quoteDecimals: 6,
      reserves,
    });
    expect(poolFiguresOf(pool)).toMatchObject({
      tokenMint: USDC,
      tokenDecimals: 6,
      solLamports: 7n,
      tokenRaw: 9n,
    });
  });

  test('have no SOL in a pool without any, and nothing while reserves are unknown', () => {
    expect(poolFiguresOf(fakePool({ quoteMint: USDC, reserves }))).toMatchObject({
      solLamports: null,
      tokenRaw: 7n,
    });
    expect(poolFiguresOf(fakePool())).toMatchObject({ solLamports: null, tokenRaw: null });
  });

  test('have dollars while at least nine tenths of the volume are priced', () => {
    const volume = { buyVolumeUsd: asUsdNano(5n), sellVolumeUsd: asUsdNano(6n) };
    const of = (priced: bigint) =>
      poolFiguresOf(
        fakePool({ ...volume, quoteVolumeRaw: raw(1_000n), pricedQuoteVolumeRaw: raw(priced) }),
      );
    expect(of(900n)).toMatchObject({ buyVolumeUsd: 5n, sellVolumeUsd: 6n, totalVolumeUsd: 11n });
    expect(of(899n)).toMatchObject({
      buyVolumeUsd: null,
      sellVolumeUsd: null,
      totalVolumeUsd: null,
    });
  });
});
