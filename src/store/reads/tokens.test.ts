import { beforeAll, describe, expect, test } from 'vitest';
import {
  buildCandle,
  buildChanges,
  buildMinute,
  buildToken,
  prices,
} from '../../../tests/support/build-records.ts';
import { address } from '../../../tests/support/build-transaction.ts';
import { transports, useDataPlane } from '../../../tests/support/data-planes.ts';
import type { Candle } from '../../model/derived.ts';
import { WRAPPED_SOL } from '../../model/program.ts';
import type { TokenRecord } from '../../model/token-record.ts';
import type { TokenQuery } from '../../model/token-search.ts';
import { asRawAmount, asSlot, asUsdNano } from '../../model/units.ts';
import { StoredTokens } from './tokens.ts';

const DAY_MS = 86_400_000;
const NOW_MS = 20 * DAY_MS;
const DAY = { search: null, offset: 0, limit: 10, nowMs: NOW_MS } as const;
const usd = (dollars: number) => asUsdNano(BigInt(dollars * 1_000_000_000));

describe.each(transports)('tokens %s', (_, open) => {
  const opened = useDataPlane(open);
  const named = (word: string, given: Partial<TokenRecord>) =>
    buildToken(address(word), { primaryPool: address(`${word} pool`), ...given });
  const [cat, dog, odd, old] = [
    named('cat', { name: 'Grumpy Cat', symbol: 'CAT', createdAtMs: 500 }),
    named('dog', { name: 'A dog 100% real_dog', symbol: 'ÄDOG', createdAtMs: 900 }),
    named('odd', { name: '\\ \' " <b> %_', symbol: null, createdAtMs: null }),
    named('old', { name: null, symbol: 'cats', createdAtMs: 100, primaryPool: null }),
  ] as const;

  beforeAll(async () => {
    const candle = (word: string, agoMs: number, given: Partial<Candle>) =>
      buildCandle(address(word), NOW_MS - agoMs, given);
    const candles = [
      candle('cat', DAY_MS + 30_000, { volumeUsd: usd(900), usd: prices(1n) }),
      candle('cat', DAY_MS, { volumeUsd: usd(5), usd: prices(300n, 300n, 200n, 250n) }),
      candle('cat', 30_000, { volumeUsd: usd(7), usd: prices(310n, 400n, 300n, 400n) }),
      candle('dog', 60_000, { volumeUsd: usd(20), usd: prices(8n, 8n, 5n, 5n) }),
      candle('dog pool', 60_000, { volumeUsd: usd(20_000) }),
      candle('odd', 60_000, {
        volumeUsd: usd(1),
        pricedBaseVolumeRaw: asRawAmount(8n),
        usd: null,
        quote: null,
      }),
    ];
    const minute = (word: string, organicWallets: number) =>
      buildMinute(address(`${word} pool`), NOW_MS, { organicWallets });
    const changes = buildChanges(7, {
      tokens: [cat, dog, odd, old],
      candles,
      indicators: [minute('cat', 30), minute('dog', 4)],
    });
    const other = buildChanges(7, { tokens: [named('elsewhere', { name: 'cat' })] });
    await opened.writer.writeBatch({ slots: [], changes: [changes], epoch: 1 });
    await opened.writer.writeBatch({ slots: [], changes: [other], epoch: 2 });
    const sol = buildToken(WRAPPED_SOL, { primaryPool: address('sol pool') });
    const withQuote = buildChanges(7, {
      tokens: [cat, sol],
      candles: [
        candle('cat', 30_000, { usd: prices(2n) }),
        buildCandle(WRAPPED_SOL, NOW_MS - 30_000, { usd: prices(0n, 9n, 0n, 9n) }),
      ],
      indicators: [
        buildMinute(address('cat pool'), NOW_MS, { smartHolders: 5, rawHolders: 5 }),
        buildMinute(address('sol pool'), NOW_MS, { smartHolders: 0, rawHolders: 9 }),
      ],
    });
    await opened.writer.writeBatch({ slots: [], changes: [withQuote], epoch: 3 });
  });

  const page = (given: Partial<TokenQuery>) =>
    new StoredTokens(opened.plane.fast, { epoch: 1, slot: asSlot(7) }).page({
      search: null,
      orderBy: 'newest',
      orderDir: 'desc',
      offset: 0,
      limit: 10,
      nowMs: NOW_MS,
      ...given,
    });
  const mints = async (given: Partial<TokenQuery>) =>
    (await page(given)).items.map(({ token }) => token.mint);
  const of = (...tokens: readonly TokenRecord[]) => tokens.map(({ mint }) => mint);

  test('are listed newest first, those of unknown age last, in pages', async () => {
    expect(await mints({})).toEqual(of(dog, cat, old, odd));
    expect(await mints({ orderDir: 'asc' })).toEqual(of(old, cat, dog, odd));
    expect(await mints({ offset: 1, limit: 2 })).toEqual(of(cat, old));
    expect(await page({ offset: 4 })).toEqual({ items: [], total: 4, slot: 7 });
  });

  test('are found by a part of name or symbol in any case, and by a prefix of the address', async () => {
    expect(await mints({ search: 'cAt' })).toEqual(of(cat, old));
    expect(await mints({ search: 'äD' })).toEqual(of(dog));
    expect(await mints({ search: cat.mint })).toEqual(of(cat));
    expect(await mints({ search: dog.mint.slice(0, 12) })).toContain(dog.mint);
    expect(await page({ search: 'nothing like it' })).toEqual({ items: [], total: 0, slot: 7 });
    expect((await page({ search: 'cat', limit: 1 })).total).toBe(2);
  });

  test.each([
    ['%', 'dog', 'odd'],
    ['l_d', 'dog'],
    ['_', 'dog', 'odd'],
    ['\\ \' "', 'odd'],
    ["' OR 1=1 --"],
    ['{search:String}'],
  ])('are not found by wildcards nor by SQL: %s', async (search, ...words) => {
    expect(await mints({ search })).toEqual(words.map(address));
  });

  test('are ordered by the volume of 24 hours over all pools, unknown volume last', async () => {
    expect(await mints({ orderBy: 'volume_24h_usd' })).toEqual(of(dog, cat, old, odd));
    expect(await mints({ orderBy: 'volume_24h_usd', search: 'cat' })).toEqual(of(cat, old));
    const { items } = await page({ orderBy: 'volume_24h_usd' });
    expect(items.map(({ volume24hUsd }) => volume24hUsd)).toEqual([usd(20), usd(12), 0n, null]);
  });

  test('are ordered by the price change over 24 hours', async () => {
    const { items } = await page({ orderBy: 'price_change_24h' });
    expect(items.map(({ token, priceChange24h }) => [token.mint, priceChange24h])).toEqual([
      // 300 to 400 is a third more, 8 to 5 three eighths less.
      [cat.mint, 0.3333],
      [dog.mint, -0.375],
      ...of(odd, old)
        .sort()
        .map((mint) => [mint, null]),
    ]);
  });

  // Holders of quote mints are not tracked, and a change from a price of 0 is none.
  test.each(['smart_holders', 'raw_holders', 'price_change_24h'] as const)(
    'without a value are the last by %s in both directions',
    async (orderBy) => {
      const reads = new StoredTokens(opened.plane.fast, { epoch: 3, slot: asSlot(7) });
      for (const orderDir of ['asc', 'desc'] as const) {
        const { items } = await reads.page({ ...DAY, orderBy, orderDir });
        expect(items.map(({ token }) => token.mint)).toEqual([cat.mint, WRAPPED_SOL]);
      }
    },
  );

  test('are ordered by a figure of their primary pool, and include all its figures', async () => {
    const { items } = await page({ orderBy: 'organic_wallets', orderDir: 'asc' });
    expect(items.map(({ indicators }) => indicators?.organicWallets)).toEqual([
      4,
      30,
      undefined,
      undefined,
    ]);
    expect(items[1]?.token).toEqual(cat);
    expect(items[1]?.indicators).toEqual(
      buildMinute(address('cat pool'), NOW_MS, { organicWallets: 30 }).record,
    );
  });
});
