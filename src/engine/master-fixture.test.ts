import { beforeAll, describe, expect, test } from 'vitest';
import { address } from '../../tests/support/build-transaction.ts';
import {
  DOLLAR,
  f1,
  fold,
  mint,
  pool,
  SOL,
  START_MS,
  SUPPLY,
  TOKEN,
} from '../../tests/support/master-fixture.ts';
import type { Candle, SlotChanges } from '../model/derived.ts';
import { WRAPPED_SOL } from '../model/program.ts';
import type { Engine } from './engine.ts';

describe('the master fixture', () => {
  let engine: Engine;
  let changes: SlotChanges[];
  beforeAll(() => {
    ({ engine, changes } = fold(f1()));
  });

  test('has four wallets and $1,334 of volume', () => {
    const record = engine.pool(pool);
    expect(record?.walletCount).toBe(4);
    // 200 + 300 + 200 and three times 40 bought; 200 + 200 and three times 38 sold.
    expect(record?.buyVolumeUsd).toBe(820n * DOLLAR);
    expect(record?.sellVolumeUsd).toBe(514n * DOLLAR);
    expect(record?.pricedQuoteVolumeRaw).toBe(record?.quoteVolumeRaw);
  });

  test('counts three buys and two sells, without round trips', () => {
    expect(engine.pool(pool)).toMatchObject({ buyCount: 3, sellCount: 2, swapCount: 11 });
  });

  test('ends at $0.0002 after a high of $0.0004', () => {
    expect(engine.pool(pool)).toMatchObject({
      price: 10n ** 12n,
      priceUsd: 2n * 10n ** 14n,
      athPriceUsd: 4n * 10n ** 14n,
    });
    expect(engine.token(mint)?.priceUsd).toBe(2n * 10n ** 14n);
  });

  test('has the holders A and C, and not the pool', () => {
    expect(engine.holderCount(mint)).toBe(2);
    expect(
      engine
        .topHolders(mint, 100)
        .map(({ owner, balanceRaw, isPool }) => [owner, balanceRaw, isPool]),
    ).toEqual([
      [pool, SUPPLY - 1_000_000n * TOKEN, true],
      ...[address('A'), address('C')].sort().map((owner) => [owner, 500_000n * TOKEN, false]),
    ]);
  });

  test('has a first candle of three trades and $700', () => {
    const last = new Map<string, Candle>();
    for (const candle of changes.flatMap(({ candles }) => candles)) {
      last.set(`${candle.scope} ${candle.openTimeMs}`, candle);
    }
    const [first, second] = [0, 30_000].map((offset) => last.get(`${pool} ${START_MS + offset}`));
    expect([first?.trades, second?.trades]).toEqual([2, 1]);
    expect((first?.volumeUsd ?? 0n) + (second?.volumeUsd ?? 0n)).toBe(700n * DOLLAR);
    expect([first?.usd?.open, second?.usd?.close]).toEqual([2n * 10n ** 14n, 4n * 10n ** 14n]);
    const ofMint = last.get(`${mint} ${START_MS}`);
    expect([ofMint?.supplyRaw, ofMint?.volumeUsd]).toEqual([SUPPLY, 500n * DOLLAR]);
  });

  test('creates the token from its creation event', () => {
    expect(engine.token(mint)).toMatchObject({
      supplyRaw: SUPPLY,
      burnedRaw: 0n,
      decimals: 6,
      creator: address('creator'),
      creationSlot: 1_000,
      createdAtMs: START_MS,
      primaryPool: pool,
      name: null,
      metadata: null,
      liquidityEvent: {
        pool,
        quoteMint: WRAPPED_SOL,
        lamports: 500n * SOL,
        baseRaw: SUPPLY,
        valueUsd: 100_000n * DOLLAR,
        slot: 1_000,
        timeMs: START_MS,
      },
    });
  });
});
