import { expect, test } from 'vitest';
import { address } from '../../tests/support/build-transaction.ts';
import { fakeIndicators } from '../../tests/support/fake-api-deps.ts';
import type { IndicatorBucket } from '../model/indicators.ts';
import { type Address, asSlot } from '../model/units.ts';
import type { IndicatorBucketQuery } from '../store/reads/indicators.ts';
import { currentHolderCounts } from './current-holder-counts.ts';

const [curve, pool] = [address('curve'), address('pool')];
const bucket = (openMs: number, slot: number, rawHolders: number): IndicatorBucket => ({
  openMs,
  record: fakeIndicators({ slot: asSlot(slot), rawHolders }),
});

test('holders over time are the newest count of each bucket, of any pool, oldest first', async () => {
  const histories = new Map<Address, IndicatorBucket[]>([
    [pool, [bucket(120, 7, 30), bucket(180, 9, 40)]],
    [curve, [bucket(60, 3, 10), bucket(120, 5, 20)]],
  ]);
  const asked: IndicatorBucketQuery[] = [];
  const history = async (query: IndicatorBucketQuery) => {
    asked.push(query);
    return histories.get(query.pool) ?? [];
  };
  const range = { fromMs: 60, toMs: 240, intervalMs: 60, untilMs: 300 };
  const query = { mint: address('mint'), ...range };
  expect(await currentHolderCounts({ history }, [pool, curve], query)).toEqual([
    { openMs: 60, slot: 3, holders: 10 },
    { openMs: 120, slot: 7, holders: 30 },
    { openMs: 180, slot: 9, holders: 40 },
  ]);
  expect(asked).toEqual([
    { ...range, pool },
    { ...range, pool: curve },
  ]);
});
