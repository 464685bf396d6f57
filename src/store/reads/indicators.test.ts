import { beforeAll, describe, expect, test } from 'vitest';
import { buildChanges, buildMinute } from '../../../tests/support/build-records.ts';
import { address } from '../../../tests/support/build-transaction.ts';
import { transports, useDataPlane } from '../../../tests/support/data-planes.ts';
import type { IndicatorMinute, IndicatorRecord } from '../../model/indicators.ts';
import { asPriceE18, asSlot, asUsdNano } from '../../model/units.ts';
import { Epochs } from '../epochs.ts';
import { StoredIndicators } from './indicators.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const usd = (dollars: bigint) => asUsdNano(dollars * 1_000_000_000n);

describe.each(transports)('stored indicators %s', (_, open) => {
  const opened = useDataPlane(open);
  const pool = address('indicators');
  const reads = (epoch = 1) => new StoredIndicators(opened.plane.fast, { epoch });
  const write = (minutes: readonly IndicatorMinute[], epoch = 1, slot = 400) =>
    opened.writer.writeBatch({
      slots: [],
      changes: [buildChanges(slot, { indicators: minutes })],
      epoch,
    });
  const at = (minute: number, given: Partial<IndicatorRecord> = {}) =>
    buildMinute(pool, minute * MINUTE, given);
  const nothing = at(61, {
    createdAtMs: null,
    organicProfitableWallets: null,
    profitableOrganicToTotalOrganicRatio: null,
    totalVolumeUsd: null,
    organicVolumeUsd: null,
    botVolumeRatio: null,
    organicVolumeRatio: null,
    organicMeanHoldSeconds: null,
    organicMeanTradeFrequencySeconds: null,
    priceUsd: null,
    smartMoneyInflux10min: null,
    smartMoneyOutflux10min: null,
    rawSmartMoneyInflux: null,
    rawSmartMoneyOutflux: null,
    profitableVolume: null,
    profitableVolumeTotalVolumeRatio: null,
    tradedOrganicUsd: null,
    tradedProfitableUsd: null,
  });
  const stored = [
    at(2, { smartMoneyScore: 10, organicMeanHoldSeconds: 100, priceUsd: asPriceE18(5n) }),
    at(12, { smartMoneyScore: 40, organicMeanHoldSeconds: null, smartHolders: 3 }),
    at(14, { smartMoneyScore: 0.01, organicMeanHoldSeconds: 200.55, totalVolumeUsd: usd(-1n) }),
    nothing,
    at(130, { smartMoneyScore: 99.99 }),
  ];

  beforeAll(() => write(stored));

  test('are returned as they were written, including unknown ones', async () => {
    const range = { pool, fromMs: 0, toMs: 3 * HOUR };
    expect(await reads().minutes(range)).toEqual(stored);
    expect(await reads().minutes({ ...range, fromMs: 12 * MINUTE, toMs: 14 * MINUTE })).toEqual([
      stored[1],
    ]);
    expect(await reads().lastBefore(pool, 12 * MINUTE)).toEqual(stored[0]);
    expect(await reads().lastBefore(pool, 2 * MINUTE)).toBeNull();
  });

  test('are found by the newest slot at or before one', async () => {
    const slot = (minute: number) => asSlot(minute * 60);
    expect(await reads().atSlot(pool, slot(13))).toEqual(stored[1]);
    expect(await reads().atSlot(pool, slot(12))).toEqual(stored[1]);
    expect(await reads().atSlot(pool, asSlot(slot(12) - 1))).toEqual(stored[0]);
    expect(await reads().atSlot(pool, asSlot(1))).toBeNull();
  });

  test('are grouped into buckets: last counts, time-weighted means, no empty buckets', async () => {
    const query = { pool, fromMs: 0, toMs: 3 * HOUR, intervalMs: HOUR, untilMs: 140 * MINUTE };
    const buckets = await reads().buckets(query, null);
    expect(buckets.map(({ openMs }) => openMs)).toEqual([0, HOUR, 2 * HOUR]);
    const [first, second, third] = buckets.map(({ record }) => record);
    // Minutes 2 to 12 at 10, 12 to 14 at 40, 14 to 60 at 0.01: (100 + 80 + 0.46) / 58 = 3.1114.
    // Hold time: (10 × 100 + 46 × 200.55) / 56 = 182.5946, without the two unknown minutes.
    expect(first).toEqual({
      ...stored[2]?.record,
      smartMoneyScore: 3.11,
      organicMeanHoldSeconds: 182.59,
    });
    // Minute 60 to 61 has the value of minute 14, then the score is 72.45: (0.01 + 59 × 72.45) / 60.
    expect(second).toMatchObject({
      smartMoneyScore: 71.24,
      organicMeanHoldSeconds: 200.55,
      botVolumeRatio: null,
      organicVolumeUsd: null,
      slot: 61 * 60,
    });
    // Ten minutes of the third hour are over: ten as in minute 61, ten at 99.99.
    expect(third).toMatchObject({ smartMoneyScore: 86.22, organicMeanHoldSeconds: 120 });
  });

  test('begin with the values of the minute before the range', async () => {
    const query = { pool, fromMs: HOUR, toMs: 2 * HOUR, intervalMs: HOUR, untilMs: 3 * HOUR };
    const before = await reads().lastBefore(pool, HOUR);
    const [bucket, ...more] = await reads().buckets(query, before);
    expect(more).toEqual([]);
    expect(bucket).toMatchObject({ openMs: HOUR, record: { smartMoneyScore: 71.24 } });
    const [alone] = await reads().buckets(query, null);
    expect(alone).toMatchObject({ openMs: HOUR, record: { smartMoneyScore: 72.45 } });
  });

  test('are the same after they were written twice, and belong to their epoch', async () => {
    await write(stored);
    const range = { pool, fromMs: 0, toMs: 3 * HOUR };
    expect(await reads().minutes(range)).toEqual(stored);
    await write([at(2, { totalWallets: 77 })], 2);
    expect(await reads(2).minutes(range)).toEqual([at(2, { totalWallets: 77 })]);
    expect(await reads().minutes(range)).toEqual(stored);
    await new Epochs(opened.plane.heavy, opened.plane.deployment).prepare(2);
    expect(await reads(2).minutes(range)).toEqual([]);
    expect(await reads().minutes(range)).toEqual(stored);
  });

  test('the newest minute of each pool is stored separately, in any order of writing', async () => {
    const one = address('newest one');
    const score = (minute: number, smartMoneyScore: number) =>
      buildMinute(one, minute * MINUTE, { smartMoneyScore });
    await write([score(5, 5)], 1, 500);
    await write([score(4, 4)], 1, 450);
    expect(
      await opened.plane.fast.rows(
        'SELECT smart_money_score AS score FROM newest_indicators FINAL WHERE epoch = 1 AND pool = {one:String}',
        { one },
      ),
    ).toEqual([{ score: 5 }]);
  });
});
