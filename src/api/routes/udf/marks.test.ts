import { describe, expect, test } from 'vitest';
import { buildClassification } from '../../../../tests/support/build-classification.ts';
import { buildBundle } from '../../../../tests/support/build-records.ts';
import { buildListing } from '../../../../tests/support/build-signal.ts';
import {
  asOfFakeSlot,
  fakeApiDeps,
  fakePool,
  fakeToken,
  MINT,
  OTHER_MINT,
  OTHER_POOL,
  POOL,
  SLOT,
} from '../../../../tests/support/fake-api-deps.ts';
import { fakeApiServer, getAsReader } from '../../../../tests/support/fake-api-server.ts';
import { groupBundles } from '../../../model/bundle-groups.ts';
import { asSlot } from '../../../model/units.ts';

const NOON = Date.UTC(2025, 0, 15, 12) / 1_000;
const url = (rest = `from=${NOON}&to=${NOON + 3_600}`, symbol: string = MINT, resolution = '5') =>
  `/udf/marks?symbol=${symbol}&resolution=${resolution}&${rest}`;
const secondsAfterNoon = (seconds: number) => (NOON + seconds) * 1_000;

/** Launch at 12:01, migration at 12:31, a bundle at 12:01:10, findings at 12:02 and 12:07, a signal at 12:40. */
function eventfulServer() {
  const fake = fakeApiDeps();
  const liquidityEvent = {
    ...{ pool: POOL, quoteMint: OTHER_MINT, lamports: null, baseRaw: null, valueUsd: null },
    ...{ slot: SLOT, timeMs: secondsAfterNoon(60) },
  };
  const pools = new Map([
    [POOL, fakePool({ migratedTo: OTHER_POOL })],
    [OTHER_POOL, fakePool({ pool: OTHER_POOL, firstSeenMs: secondsAfterNoon(1_860) })],
  ]);
  const finding = (seconds: number, id: string, confidence: number) => ({
    classification: buildClassification({
      id,
      createdMs: secondsAfterNoon(seconds),
      finding: { fraudType: 'traditional_bundle', confidence },
    }),
    status: 'active' as const,
  });
  const groups = groupBundles([
    buildBundle(MINT, 'a', { slot: asSlot(7), txIndex: 4, timeMs: secondsAfterNoon(70) }),
    buildBundle(MINT, 'b', {
      ...{ slot: asSlot(7), txIndex: 5, group: { slot: asSlot(7), txIndex: 4 } },
      ...{ level: 'L2', certainty: 0.9 },
    }),
  ]);
  return fakeApiServer({
    tokens: {
      ...fake.tokens,
      find: (mint) => (mint === MINT ? fakeToken({ mint, liquidityEvent }) : null),
    },
    pools: { ...fake.pools, find: (pool) => pools.get(pool) ?? null },
    fraud: {
      ...fake.fraud,
      check: async () =>
        asOfFakeSlot([
          finding(420, 'one', 0.61),
          finding(120, 'two', 0.89),
          finding(130, 'three', 0.8),
        ]),
    },
    bundles: { ...fake.bundles, groups: async () => asOfFakeSlot({ groups, total: 2 }) },
    signals: {
      ...fake.signals,
      list: async () =>
        asOfFakeSlot([
          buildListing({ rowId: 8, mint: OTHER_MINT, createdAtMs: secondsAfterNoon(2_400) }),
          buildListing({ rowId: 9, mint: MINT, createdAtMs: secondsAfterNoon(2_400) }),
        ]),
    },
  });
}

describe('GET /udf/marks', () => {
  test('marks the bars in which something happened, those of one kind in one bar together', async () => {
    const response = await getAsReader(eventfulServer(), url());
    const marks: Record<string, string | number>[] = response.json();
    expect(marks.map(({ label, time }) => [label, Number(time) - NOON])).toEqual([
      ['L', 0],
      ['B', 0],
      ['F', 0],
      ['F', 300],
      ['M', 1_800],
      ['S', 2_400],
    ]);
    expect(new Set(marks.map(({ id }) => id)).size).toBe(6);
    expect(marks[2]).toEqual({
      id: `finding-${NOON}`,
      time: NOON,
      color: 'red',
      text:
        'Finding traditional_bundle: confidence 89 % (high).\n' +
        'Finding traditional_bundle: confidence 80 % (high).',
      label: 'F',
      labelFontColor: 'white',
      minSize: 14,
    });
    expect(marks[1]?.text).toBe(
      '2 trades of 2 wallets were placed together (level L1, certainty 99 %).',
    );
    expect(response.headers).toMatchObject({ 'x-slot': String(SLOT), 'x-complete': 'true' });
  });

  test('contains the start of the range and not its end', async () => {
    const labels = async (from: number, to: number) =>
      (await getAsReader(eventfulServer(), url(`from=${NOON + from}&to=${NOON + to}`)))
        .json()
        .map(({ label }: { readonly label: string }) => label);
    expect(await labels(60, 61)).toEqual(['L']);
    expect(await labels(59, 60)).toEqual([]);
    expect(await labels(1_860, 2_400)).toEqual(['M']);
  });

  test('takes a pool for its token', async () => {
    const marks = (await getAsReader(eventfulServer(), url(undefined, POOL))).json();
    expect(marks).toHaveLength(6);
  });

  test.each([
    [url('from=2&to=2'), 422, 'from must be before to.'],
    [url('from=1'), 400, 'to is required.'],
    [url(undefined, MINT, '7'), 422, null],
    [url(undefined, 'nothing'), 400, null],
    [url(undefined, 'So11111111111111111111111111111111111111112'), 404, null],
  ])('%s is refused with %d, as charts read it too', async (path, status, message) => {
    const response = await getAsReader(eventfulServer(), path);
    expect(response.statusCode).toBe(status);
    const body = response.json();
    expect(body).toEqual({
      ...{ code: status, message: message ?? body.message },
      ...{ s: 'error', errmsg: body.message },
    });
  });
});
