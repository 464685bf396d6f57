import { describe, expect, test } from 'vitest';
import { buildClassification } from '../../../../tests/support/build-classification.ts';
import { buildBundle } from '../../../../tests/support/build-records.ts';
import { buildRuleHit } from '../../../../tests/support/build-rule-hit.ts';
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
import { OPERATOR } from '../../../model/rule-change.ts';
import type { HitRange } from '../../../model/rule-hit-page.ts';
import { asSlot } from '../../../model/units.ts';
import type { ApiDeps } from '../../deps.ts';

const NOON = Date.UTC(2025, 0, 15, 12) / 1_000;
const url = (rest = `from=${NOON}&to=${NOON + 3_600}`, symbol: string = MINT, resolution = '5') =>
  `/udf/marks?symbol=${symbol}&resolution=${resolution}&${rest}`;
const secondsAfterNoon = (seconds: number) => (NOON + seconds) * 1_000;

/** Launch at 12:01, migration at 12:31, a bundle at 12:01:10, findings at 12:02 and 12:07, a signal at 12:40. */
function eventfulServer(given: Partial<ApiDeps> = {}) {
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
    ...given,
  });
}

/** The same with hits of three authors at 12:03:20, of which those that are asked for are answered. */
function serverWithHits() {
  const asked: HitRange[] = [];
  const { rules } = fakeApiDeps();
  const hits = ['account of reader', OPERATOR, 'another account'].map((author, at) =>
    buildRuleHit({ rowId: at + 1, author, createdAtMs: secondsAfterNoon(200) }),
  );
  const server = eventfulServer({
    rules: {
      ...rules,
      hitPage: async (range) => {
        asked.push(range);
        const found = hits.filter(({ author }) => range.authors.includes(author));
        return asOfFakeSlot({ hits: found, next: null });
      },
    },
  });
  return { server, asked };
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

  test('marks hits of the rules of authors that are asked for, and of no others', async () => {
    const { server, asked } = serverWithHits();
    const marksOf = async (authors: string) => {
      const answer = await getAsReader(server, `${url()}&author=${authors}`);
      return answer.json().map(({ label, text }: Record<string, string>) => [label, text]);
    };
    const own = 'Rule dip@1+0123456789abcdef (account) passed: alert, confidence 75 %.';
    const operators = 'Rule dip@1+0123456789abcdef (operator) passed: alert, confidence 75 %.';
    // In the bar of the launch, between the bundle and the finding.
    const all = await marksOf('built_in,account,operator');
    expect(all.map(([label]: string[]) => label)).toEqual(['L', 'B', 'F', 'R', 'F', 'M', 'S']);
    expect(all[3]).toEqual(['R', `${own}\n${operators}`]);
    // Only what happened on the chain is there in any case.
    expect(await marksOf('operator')).toEqual([
      ['L', expect.any(String)],
      ['B', expect.any(String)],
      ['R', operators],
      ['M', expect.any(String)],
    ]);
    expect(asked.map(({ authors }) => authors)).toEqual([
      ['account of reader', OPERATOR],
      [OPERATOR],
    ]);
    expect(asked[0]).toMatchObject({
      ...{ mint: MINT, fromMs: secondsAfterNoon(0), toMs: secondsAfterNoon(3_600), limit: 500 },
    });
  });

  test('asks for no hits if no author of rules is named', async () => {
    const { server, asked } = serverWithHits();
    const plain = await getAsReader(server, url());
    const named = await getAsReader(server, `${url()}&author=built_in`);
    expect(named.body).toBe(plain.body);
    expect(plain.json()).toHaveLength(6);
    expect(asked).toEqual([]);
  });

  test('takes a pool for its token', async () => {
    const marks = (await getAsReader(eventfulServer(), url(undefined, POOL))).json();
    expect(marks).toHaveLength(6);
  });

  test.each([
    [url('from=2&to=2'), 422, 'from must be before to.'],
    [url('from=1'), 400, 'to is required.'],
    [`${url()}&author=someone`, 422, null],
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
