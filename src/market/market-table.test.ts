import { describe, expect, test } from 'vitest';
import { buildClassification, classificationId } from '../../tests/support/build-classification.ts';
import {
  buildCandle,
  buildChanges,
  buildMinute,
  buildPool,
  buildSwap,
  buildToken,
} from '../../tests/support/build-records.ts';
import { address } from '../../tests/support/build-transaction.ts';
import type { Classification } from '../model/fraud.ts';
import type { ReviewStatus } from '../model/fraud-review.ts';
import { type MarketRecords, MarketTable } from './market-table.ts';

const [MINT, POOL] = [address('mint'), address('pool')];
const NO_RECORDS: MarketRecords = { token: () => null, pool: () => null, lpMintOf: () => null };

function finding(given: Partial<Classification['finding']>, id = 1): Classification {
  return buildClassification({ id: classificationId(id), finding: { mint: MINT, ...given } });
}

describe('a table of the market', () => {
  test('counts a swap once whose exclusion changes in a later slot', () => {
    const table = new MarketTable(NO_RECORDS, () => null);
    const swap = buildSwap(POOL, 'first', { slot: 100 as never, timeMs: 100_000 });
    const candles = [POOL, MINT].map((scope) => buildCandle(scope, 90_000));
    table.apply(buildChanges(100, { swaps: [swap], candles }));
    table.apply(buildChanges(101, { swaps: [{ ...swap, exclusion: 'spike' }] }));
    expect(table.windowsOf(POOL)['5m']).toMatchObject({ trades: 1, organicVolumeUsd: 3_000n });
  });

  test('leaves quarantined swaps out', () => {
    const table = new MarketTable(NO_RECORDS, () => null);
    const swap = buildSwap(POOL, 'bad', { slot: 100 as never, exclusion: 'quarantined' });
    table.apply(buildChanges(100, { swaps: [swap] }));
    expect(table.windowsOf(POOL)['24h']).toMatchObject({ buyers: 0, organicVolumeUsd: 0n });
  });

  test('scores the risk by the highest published finding, and follows reviews and forks', () => {
    const reviews = new Map<string, ReviewStatus>();
    const table = new MarketTable(
      { ...NO_RECORDS, token: (mint) => buildToken(mint) },
      (id) => reviews.get(id) ?? null,
    );
    const high = finding({ confidence: 0.865 }, 1);
    const low = finding({ confidence: 0.6 }, 2);
    const unpublished = finding({ confidence: 0.49 }, 3);
    table.apply(buildChanges(100, { tokens: [buildToken(MINT)], classifications: [low] }));
    const changes = buildChanges(101, { classifications: [high, unpublished] });
    table.apply(changes);
    const row = table.tokens.columns.find(MINT);
    const listed = () => table.tokens.columns.get(row, 'risk_score');
    expect([table.riskOf(MINT), listed()]).toEqual([87, 87]);
    reviews.set(high.id, 'false_positive');
    table.reviewed(MINT);
    expect([table.riskOf(MINT), listed()]).toEqual([60, 60]);
    reviews.clear();
    table.revert(changes);
    expect([table.riskOf(MINT), listed()]).toEqual([60, 60]);
    expect(table.riskOf(address('other mint'))).toBe(0);
  });

  test('takes the indicators, liquidity and venue of a token from its primary pool', () => {
    const table = new MarketTable(NO_RECORDS, () => null);
    const pools = [buildPool(POOL, MINT, { venue: 'pump', liquidityUsd: 7n as never })];
    const tokens = [buildToken(MINT, { primaryPool: POOL })];
    const indicators = [buildMinute(POOL, 60_000, { rawHolders: 31 })];
    table.apply(buildChanges(100, { pools, tokens, indicators }));
    const { columns } = table.tokens;
    const row = columns.find(MINT);
    expect([columns.get(row, 'raw_holders'), columns.get(row, 'liquidity_usd')]).toEqual([31, 7]);
    expect(table.tokens.poolsOf(MINT)).toMatchObject({ venue: 'pump', launchpad: 'pump' });
  });

  test('reverts slots until they are final', () => {
    const table = new MarketTable(NO_RECORDS, () => null);
    const [first, second] = [100, 101].map((slot) =>
      buildChanges(slot, { tokens: [buildToken(address(`token ${slot}`))] }),
    ) as [ReturnType<typeof buildChanges>, ReturnType<typeof buildChanges>];
    table.apply(first);
    table.apply(second);
    table.finalise(first.slot);
    table.revert(second);
    expect(table.counts.tokens).toBe(1);
    expect(() => table.revert(first)).toThrow(RangeError);
  });
});
