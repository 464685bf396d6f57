import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CurrentIndicators } from '../../src/ingestion/current-indicators.ts';
import { UnwrittenRows } from '../../src/ingestion/unwritten-rows.ts';
import type { IndicatorMinute, IndicatorRecord } from '../../src/model/indicators.ts';
import type { UsdNano } from '../../src/model/units.ts';
import { type DataPlane, openDataPlane } from '../../src/store/data-plane.ts';
import { StoredIndicators } from '../../src/store/reads/indicators.ts';
import { SlotWriter } from '../../src/store/writes/slot-writer.ts';
import { buildChanges, buildMinute } from '../support/build-records.ts';
import { address } from '../support/build-transaction.ts';

const MINUTE = 60_000;
const pool = address('history');
const START_MS = Date.UTC(2025, 0, 31, 22);

const figures = fc.record({
  smartMoneyScore: fc.integer({ min: 0, max: 10_000 }).map((cents) => cents / 100),
  organicToTotalWalletsRatio: fc.integer({ min: 0, max: 10_000 }).map((part) => part / 10_000),
  organicMeanHoldSeconds: fc.option(fc.integer({ min: 0, max: 1e12 }).map((part) => part / 100)),
  totalWallets: fc.nat(4_000_000_000),
  /** Traded since the minute before, and how much of it by organic wallets, in thousandths. */
  traded: fc.oneof(fc.constant(0n), fc.bigInt(0n, 2n ** 90n)),
  organicThousandths: fc.bigInt(0n, 1_000n),
  isKnown: fc.integer({ min: 0, max: 9 }).map((draw) => draw > 0),
});

/** Minutes with gaps, around midnight at the end of a month. */
const minutes = fc
  .array(fc.tuple(fc.constantFrom(1, 1, 1, 2, 7, 130), figures), {
    minLength: 1,
    maxLength: 60,
    size: 'max',
  })
  .map((steps) => {
    let minuteMs = START_MS;
    let total = 0n;
    let organic = 0n;
    return steps.map(([gap, { traded, organicThousandths, isKnown, ...given }]) => {
      minuteMs += gap * MINUTE;
      total += traded;
      organic += (traded * organicThousandths) / 1_000n;
      return buildMinute(pool, minuteMs, {
        ...given,
        totalVolumeUsd: isKnown ? (total as UsdNano) : null,
        tradedOrganicUsd: isKnown ? (organic as UsdNano) : null,
      });
    });
  });

/** The expected answer, minute by minute: each record holds until the next one. */
function naiveHistory(
  known: readonly IndicatorMinute[],
  { fromMs, toMs, intervalMs }: { fromMs: number; toMs: number; intervalMs: number },
  untilMs: number,
): unknown[] {
  const answer: unknown[] = [];
  const recordAt = (timeMs: number) => known.findLast(({ minuteMs }) => minuteMs <= timeMs)?.record;
  for (let openMs = fromMs; openMs < toMs; openMs += intervalMs) {
    const endMs = openMs + intervalMs;
    const own = known.filter(({ minuteMs }) => minuteMs >= openMs && minuteMs < endMs);
    const last = own.at(-1);
    if (last === undefined) continue;
    const records: (IndicatorRecord | undefined)[] = [];
    const overMs = Math.min(endMs, Math.max(untilMs, last.minuteMs + MINUTE));
    for (let atMs = openMs; atMs < overMs; atMs += MINUTE) records.push(recordAt(atMs));
    const earlier = recordAt(openMs - 1);
    const total = since(earlier, last.record, 'totalVolumeUsd');
    const organic = since(earlier, last.record, 'tradedOrganicUsd');
    answer.push({
      openMs,
      totalWallets: last.record.totalWallets,
      totalVolumeUsd: total,
      organicVolumeUsd: organic,
      organicVolumeRatio: shareOf(organic, total),
      organicToTotalWalletsRatio: last.record.organicToTotalWalletsRatio,
      smartMoneyScore: mean(records, 100, (record) => record.smartMoneyScore),
      organicMeanHoldSeconds: mean(records, 100, (record) => record.organicMeanHoldSeconds),
    });
  }
  return answer;
}

function since(
  before: IndicatorRecord | undefined,
  last: IndicatorRecord,
  figure: 'totalVolumeUsd' | 'tradedOrganicUsd',
): bigint | null {
  const from = before === undefined ? 0n : before[figure];
  const to = last[figure];
  return from === null || to === null ? null : to - from;
}

/** Rounded half up to four decimals; null where nothing was traded. */
function shareOf(part: bigint | null, whole: bigint | null): number | null {
  if (part === null || whole === null || whole === 0n) return null;
  return Number((20_000n * part + whole) / (2n * whole)) / 10_000;
}

function mean(
  records: readonly (IndicatorRecord | undefined)[],
  scale: number,
  read: (record: IndicatorRecord) => number | null,
): number | null {
  const values = records.flatMap((record) => {
    const value = record === undefined ? null : read(record);
    return value === null ? [] : [BigInt(Math.round(value * scale))];
  });
  if (values.length === 0) return null;
  const doubled = values.reduce((sum, value) => sum + 2n * value, 0n);
  const count = BigInt(values.length);
  return Number((doubled + count) / (2n * count)) / scale;
}

describe('the history of a pool’s figures', () => {
  let folder: string;
  let plane: DataPlane;
  let epoch = 0;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'indicator-history-'));
    plane = await openDataPlane({ dataDir: folder });
  });

  afterAll(async () => {
    await plane.close();
    rmSync(folder, { recursive: true });
  });

  test('equals a reading of every minute, for any stored part and any bucket length', async () => {
    const writer = new SlotWriter(plane.writer);
    const found = { buckets: 0, overlaid: 0 };
    const query = fc.record({
      intervalMs: fc.constantFrom(1, 5, 15, 60, 240, 1_440).map((count) => count * MINUTE),
      fromMinutes: fc.integer({ min: -60, max: 90 }),
      lengthMinutes: fc.integer({ min: 1, max: 600 }),
    });
    const queries = fc.array(query, { minLength: 6, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(minutes, queries, fc.nat(40), async (known, asked, unwritten) => {
        epoch++;
        const cut = Math.max(0, known.length - unwritten);
        const change = (part: readonly IndicatorMinute[], slot: number) =>
          buildChanges(slot, { indicators: part });
        await writer.writeBatch({ slots: [], changes: [change(known.slice(0, cut), 1)], epoch });
        // Written but not forgotten yet: the newest stored minute is in memory too.
        const rest = [{ changes: change(known.slice(Math.max(0, cut - 1)), 2) }];
        const reads = new CurrentIndicators(
          new StoredIndicators(plane.fast, { epoch }),
          new UnwrittenRows(() => rest),
        );
        const untilMs = (known.at(-1)?.minuteMs ?? 0) + 3 * MINUTE;
        for (const { intervalMs, fromMinutes, lengthMinutes } of asked) {
          const fromMs = Math.floor((START_MS + fromMinutes * MINUTE) / intervalMs) * intervalMs;
          const toMs = fromMs + Math.ceil((lengthMinutes * MINUTE) / intervalMs) * intervalMs;
          const range = { fromMs, toMs, intervalMs };
          const expected = naiveHistory(known, range, untilMs);
          const answer = await reads.history({ pool, ...range, untilMs });
          found.buckets += expected.length;
          found.overlaid += cut > 1 && cut < known.length ? expected.length : 0;
          expect(
            answer.map(({ openMs, record }) => ({
              openMs,
              totalWallets: record.totalWallets,
              totalVolumeUsd: record.totalVolumeUsd,
              organicVolumeUsd: record.organicVolumeUsd,
              organicVolumeRatio: record.organicVolumeRatio,
              organicToTotalWalletsRatio: record.organicToTotalWalletsRatio,
              smartMoneyScore: record.smartMoneyScore,
              organicMeanHoldSeconds: record.organicMeanHoldSeconds,
            })),
          ).toEqual(expected);
        }
      }),
      { numRuns: 20, seed: 77 },
    );
    expect(found.buckets).toBeGreaterThan(150);
    expect(found.overlaid).toBeGreaterThan(30);
  });
});
