import { Value } from 'typebox/value';
import { describe, expect, test } from 'vitest';
import {
  buildListing,
  buildOutcome,
  buildSignal,
  buildSignalDetail,
} from '../../../../tests/support/build-signal.ts';
import {
  asOfFakeSlot,
  fakeApiDeps,
  MINT,
  NOW_MS,
  POOL,
  SIGNAL,
  SLOT_TIME_MS,
  WRITE_KEY,
} from '../../../../tests/support/fake-api-deps.ts';
import {
  fakeApiServer,
  getAsReader,
  sendAs,
  sharedApiServer,
} from '../../../../tests/support/fake-api-server.ts';
import { OPERATOR } from '../../../model/rule-change.ts';
import type { AskedAuthors } from '../../../model/rule-hit-page.ts';
import { SIGNAL_MODELS } from '../../../model/signal.ts';
import {
  ruleOfSignal,
  type SignalListing,
  type SignalPageQuery,
  type SignalQuery,
} from '../../../model/signal-listing.ts';
import { asUsdNano } from '../../../model/units.ts';
import { executionStatistics } from '../../../signals/statistics/execution-statistics.ts';
import { signalStatistics } from '../../../signals/statistics/signal-statistics.ts';
import { SignalStatisticsBody } from '../../present/present-signal-statistics.ts';
import { SignalDetailBody } from '../../present/signal-detail-body.ts';
import { SignalsBody } from '../../present/signals-body.ts';

const E9 = 1_000_000_000n;
const LIST = '/v1/signals';
const STATISTICS = '/v1/signals/statistics';
const NOW = '2025-01-15T14:32:09.000Z';

function serverWith(listings: readonly SignalListing[] = [], chainMs = SLOT_TIME_MS) {
  const asked: (SignalPageQuery | SignalQuery)[] = [];
  const deps = fakeApiDeps();
  const server = fakeApiServer({
    chain: {
      ...deps.chain,
      freshness: () => ({ ...deps.chain.freshness(), timeMs: chainMs }),
    },
    signals: {
      ...deps.signals,
      list: async (query) => {
        asked.push(query);
        return asOfFakeSlot(listings);
      },
      statistics: async (query) => {
        asked.push(query);
        const rows = listings.map((listing) => ({ ...listing, createdAtMs: listing.createdAtMs }));
        return asOfFakeSlot({
          statistics: signalStatistics(rows),
          execution: executionStatistics([], []),
        });
      },
    },
  });
  return { server, asked };
}

describe('GET /v1/signals', () => {
  test('returns the fifteen keys of the specification in its order', async () => {
    const { server } = serverWith([buildListing(), buildListing({ name: null, symbol: null })]);
    const response = await getAsReader(server, `${LIST}?from_date=2025-01-15`);
    expect(response.statusCode).toBe(200);
    const signal =
      `{"row_id":7,"token_address":"${MINT}","pair_address":"${POOL}","image":null,` +
      '"name":"Example","symbol":"EXMP","signal_market_cap":"100000.00",' +
      '"liquidity_usd":"25000.00","ath_market_cap_usd":"150000.00","roi_percentage":"50.0000",' +
      '"max_drawdown_percentage":"10.0000","max_drawdown_market_cap":"90000.00","version":1,' +
      '"model_name":"organic_momentum","created_at":"2025-01-15T14:32:08.000Z"}';
    const unnamed = signal.replace('"Example"', 'null').replace('"EXMP"', 'null');
    expect(response.body).toBe(
      `{"from_date":"2025-01-15","to_date":"${NOW}","model_name":null,"count":2,` +
        `"signals":[${signal},${unnamed}]}`,
    );
    expect(Value.Check(SignalsBody, response.json())).toBe(true);
    expect(response.headers['x-slot']).toBe('300000000');
  });

  test('adds signals of rules of the account and the operator that are asked for', async () => {
    const asked: [SignalPageQuery, AskedAuthors][] = [];
    const { signals } = fakeApiDeps();
    const { model: _, ...figures } = buildListing({ rowId: 9, version: 2 });
    const rule = { author: OPERATOR, name: 'dip', version: 2, hash: '0123456789abcdef0123' };
    const server = fakeApiServer({
      signals: {
        ...signals,
        listWithRules: async (...query) => {
          asked.push(query);
          return asOfFakeSlot({ signals: [buildListing()], ruleSignals: [{ ...figures, rule }] });
        },
      },
    });
    const url = `${LIST}?from_date=2025-01-15&limit=7&before_row_id=10`;
    const response = await getAsReader(server, `${url}&author=operator,built_in`);
    expect(asked).toMatchObject([
      [
        { model: null, limit: 7, beforeRowId: 10 },
        { isBuiltIn: true, ofRules: [OPERATOR] },
      ],
    ]);
    const body = response.json();
    expect(Value.Check(SignalsBody, body)).toBe(true);
    expect([body.count, body.signals.length]).toEqual([2, 1]);
    expect(body.rule_signals[0]).toMatchObject({
      ...{ row_id: 9, token_address: MINT, roi_percentage: '50.0000', version: 2 },
      ...{ rule_id: 'dip@2+0123456789abcdef', author: 'operator' },
    });
    await getAsReader(server, `${url}&author=account`);
    expect(asked[1]?.[1]).toEqual({ isBuiltIn: false, ofRules: ['account of reader'] });
    expect((await getAsReader(server, `${url}&author=someone`)).statusCode).toBe(422);
    expect((await getAsReader(server, `${url}&author=built_in`)).json().rule_signals).toBe(
      undefined,
    );
  });

  test('returns a loss as a negative ROI, and an empty list without signals', async () => {
    const lost = buildListing({ roiE9: -20n * E9 - 55_000n, maxDrawdownE9: 99_999_950_000n });
    const { server } = serverWith([lost]);
    const [signal] = (await getAsReader(server, `${LIST}?from_date=2025-01-15`)).json().signals;
    expect(signal).toMatchObject({
      roi_percentage: '-20.0001',
      max_drawdown_percentage: '100.0000',
    });
    const none = await getAsReader(serverWith().server, `${LIST}?from_date=2025-01-15`);
    expect(none.json()).toMatchObject({ count: 0, signals: [] });
  });

  test('passes on the requested range, model and page', async () => {
    const { server, asked } = serverWith();
    const day = Date.UTC(2025, 0, 15);
    await getAsReader(server, `${LIST}?from_date=2025-01-15`);
    const given = 'from_date=2025-01-15T01:00:00%2B01:00&to_date=2025-01-15';
    const named = `${given}&model_name=smart_money_surge&limit=5&before_row_id=9`;
    const response = await getAsReader(server, `${LIST}?${named}`);
    expect(asked).toEqual([
      { fromMs: day, toMs: NOW_MS, model: null, limit: 10_000, beforeRowId: null },
      { fromMs: day, toMs: day, model: 'smart_money_surge', limit: 5, beforeRowId: 9 },
    ]);
    expect(response.json()).toMatchObject({
      from_date: '2025-01-15T01:00:00+01:00',
      to_date: '2025-01-15',
      model_name: 'smart_money_surge',
    });
  });

  test('yields to other tasks while the pictures of many signals are read', async () => {
    const listings = Array.from({ length: 1_000 }, (_, at) => buildListing({ rowId: at + 1 }));
    const deps = fakeApiDeps();
    let lookedFor = 0;
    let mostInATurn = 0;
    const server = fakeApiServer({
      signals: { ...deps.signals, list: async () => asOfFakeSlot(listings) },
      offchain: {
        ...deps.offchain,
        imageOf: () => {
          if (lookedFor === 0) setImmediate(endTurn);
          lookedFor++;
          return null;
        },
      },
    });
    const endTurn = () => {
      mostInATurn = Math.max(mostInATurn, lookedFor);
      lookedFor = 0;
    };
    const response = await getAsReader(server, `${LIST}?from_date=2025-01-15`);
    expect(response.json().count).toBe(1_000);
    expect(mostInATurn).toBe(250);
  });

  test('uses the time of the chain as now if it is ahead of the clock', async () => {
    const ahead = Date.UTC(2031, 0, 1);
    const { server, asked } = serverWith([], ahead);
    const response = await getAsReader(server, `${LIST}?from_date=2030-01-01`);
    expect(response.json().to_date).toBe('2031-01-01T00:00:00.000Z');
    expect(asked).toMatchObject([{ toMs: ahead }]);
  });

  test.each([
    ['limit=0', 400],
    ['limit=10001', 400],
    ['before_row_id=0', 400],
    ['before_row_id=x', 400],
  ])('refuses ?%s with %i', async (query, status) => {
    const { server } = serverWith();
    const response = await getAsReader(server, `${LIST}?from_date=2025-01-15&${query}`);
    expect([response.statusCode, response.json().code]).toEqual([status, status]);
  });
});

describe.each([LIST, STATISTICS])('GET %s', (path) => {
  test.each([
    ['', 400, 'from_date is required.'],
    ['to_date=2025-01-15', 400, 'from_date is required.'],
    ['from_date=2025-01-15&from_date=2025-01-15', 400, 'from_date is given more than once.'],
    ['from_date=yesterday', 422, /^from_date must be an ISO 8601/],
    ['from_date=2025-02-30', 422, /^from_date must be an ISO 8601/],
    ['from_date=1736899200', 422, /^from_date must be an ISO 8601/],
    ['from_date=2025-01-15&to_date=x', 422, /^to_date must be an ISO 8601/],
    ['from_date=2025-01-16&to_date=2025-01-15', 422, 'from_date must not be after to_date.'],
    ['from_date=2035-01-16', 422, 'from_date must not be after to_date.'],
    ['from_date=2025-01-15&model_name=nope', 422, /^model_name must be one of/],
    ['from_date=2025-01-15&model_name=random_minute', 422, /^model_name must be one of/],
    ['from_date=2025-01-15&model_name=', 422, /^model_name must be one of/],
  ])('refuses ?%s with %i', async (query, status, message) => {
    const { server, asked } = serverWith();
    const response = await getAsReader(server, `${path}?${query}`);
    expect(response.json()).toEqual({ code: status, message: expect.stringMatching(message) });
    expect([response.statusCode, asked]).toEqual([status, []]);
  });

  test('refuses a missing key, and a key without the scope, before anything else', async () => {
    const { server } = serverWith();
    expect((await sendAs(server, 'GET', path)).statusCode).toBe(401);
    expect((await sendAs(server, 'GET', path, WRITE_KEY)).statusCode).toBe(403);
  });
});

describe('GET /v1/signals/statistics', () => {
  test('returns the nesting of the contract with nine fraction digits', async () => {
    // METHODS §6.4: returns of 50, -20 and 110 percent.
    const listings = [50n, -20n, 110n].map((percent, at) =>
      buildListing({
        ...{ roiE9: percent * E9, maxDrawdownE9: BigInt(at) * E9 },
        model: at === 0 ? 'smart_money_surge' : 'organic_momentum',
        createdAtMs: Date.UTC(2025, 0, 15 + at),
        marketCapUsd: asUsdNano(BigInt(at + 1) * 100n * E9),
      }),
    );
    const { server } = serverWith(listings);
    const response = await getAsReader(server, `${STATISTICS}?from_date=2025-01-15`);
    const body = response.json();
    expect(Value.Check(SignalStatisticsBody, body)).toBe(true);
    const { execution_statistics: execution, ...contract } = body;
    expect(JSON.stringify(contract)).toBe(
      JSON.stringify({
        ...{ from_date: '2025-01-15', to_date: NOW, model_name: null, total_signals: 3 },
        roi_statistics: {
          ...{ avg_max_roi: '46.666666667', median_max_roi: '50.000000000' },
          ...{ min_roi: '-20.000000000', max_roi: '110.000000000', std_dev_roi: '65.064070986' },
        },
        drawdown_statistics: {
          ...{ avg_drawdown_before_ath: '1.000000000', median_drawdown_before_ath: '1.000000000' },
          ...{ min_drawdown: '0.000000000', max_drawdown: '2.000000000' },
          std_dev_drawdown: '1.000000000',
        },
        market_cap_statistics: {
          avg_signal_market_cap: '200.000000000',
          median_signal_market_cap: '200.000000000',
          avg_ath_market_cap: '150000.000000000',
          median_ath_market_cap: '150000.000000000',
        },
        liquidity_statistics: {
          avg_liquidity_usd: '25000.000000000',
          median_liquidity_usd: '25000.000000000',
        },
        model_breakdown: [
          {
            ...{ model_name: 'organic_momentum', signal_count: 2, avg_max_roi: '45.000000000' },
            ...{ median_max_roi: '45.000000000', avg_drawdown_before_ath: '1.500000000' },
          },
          {
            ...{ model_name: 'smart_money_surge', signal_count: 1, avg_max_roi: '50.000000000' },
            ...{ median_max_roi: '50.000000000', avg_drawdown_before_ath: '0.000000000' },
          },
        ],
        daily_breakdown: [
          { date: '2025-01-15', signal_count: 1, avg_max_roi: '50.000000000' },
          { date: '2025-01-16', signal_count: 1, avg_max_roi: '-20.000000000' },
          { date: '2025-01-17', signal_count: 1, avg_max_roi: '110.000000000' },
        ],
      }),
    );
    expect(execution).toHaveLength(10);
  });

  test('returns zeros and empty breakdowns without signals', async () => {
    const response = await getAsReader(serverWith().server, `${STATISTICS}?from_date=2025-01-15`);
    const body = response.json();
    expect(Value.Check(SignalStatisticsBody, body)).toBe(true);
    expect(body).toMatchObject({ total_signals: 0, model_breakdown: [], daily_breakdown: [] });
    const groups = ['roi', 'drawdown', 'market_cap', 'liquidity'].map((name) =>
      Object.values(body[`${name}_statistics`]),
    );
    expect(groups.map(({ length }) => length)).toEqual([5, 5, 4, 2]);
    expect(new Set(groups.flat())).toEqual(new Set(['0.000000000']));
    expect(body.execution_statistics[0]).toEqual({
      ...{ exit_rule: 'hold_5m', ticket_usd: 200, signal_count: 0, avg_return: '0.000000000' },
      ...{ median_return: '0.000000000', win_rate: null, random_minutes: null },
    });
  });

  test('returns the returns of random minutes and their interval', async () => {
    const deps = fakeApiDeps();
    const server = fakeApiServer({
      signals: {
        ...deps.signals,
        statistics: async () =>
          asOfFakeSlot({
            statistics: signalStatistics([]),
            execution: [
              {
                ...{ rule: 'hold_1h', ticketUsd: 200, count: 3, meanE9: -1n, medianE9: 2n * E9 },
                winShare: 2 / 3,
                lift: { matched: 2, mean: 1.25, baseRate: -0.5, lift: 1.75, interval: [-1, 4.5] },
              },
            ],
          }),
      },
    });
    const response = await getAsReader(server, `${STATISTICS}?from_date=2025-01-15`);
    expect(response.json().execution_statistics).toEqual([
      {
        ...{ exit_rule: 'hold_1h', ticket_usd: 200, signal_count: 3 },
        ...{ avg_return: '-0.000000001', median_return: '2.000000000', win_rate: '0.6667' },
        random_minutes: {
          ...{ matched_signal_count: 2, avg_return: '1.2500', base_rate: '-0.5000' },
          ...{ lift: '1.7500', lift_interval: ['-1.0000', '4.5000'] },
        },
      },
    ]);
  });
});

describe('GET /v1/signals/{row_id}', () => {
  test('returns the conditions of the signal and its outcome', async () => {
    const response = await getAsReader(sharedApiServer(), `${LIST}/${SIGNAL}`);
    const body = response.json();
    expect(Value.Check(SignalDetailBody, body)).toBe(true);
    expect(body).toMatchObject({
      ...{ row_id: 7, slot: 1_000, as_of_slot: 999, price_usd: '0.01', age_seconds: '3600' },
      ...{ total_supply: '10000000.000000', parameters_hash: 'ab'.repeat(32), image: null },
      features: { organic_share_5m: '0.75', return_5m: null },
      passed_conditions: [{ feature: 'organic_share_5m', value: '0.75', least: '0.5', most: null }],
      outcome: {
        ...{ slot: 1_010, is_final: false, ath_price_usd: '0.015', lowest_price_usd: '0.009' },
        peak_drawdown_percentage: '10.0000',
      },
      execution: { entered_at: '2025-01-15T14:32:14.000Z', rose_50_before_fell_30: null },
    });
    expect(body.execution.returns.slice(0, 2)).toEqual([
      {
        exit_rule: 'hold_5m',
        tickets: [
          { ticket_usd: 200, return_percentage: '12.0000' },
          { ticket_usd: 1_000, return_percentage: '8.0000' },
        ],
      },
      { exit_rule: 'hold_1h', tickets: null },
    ]);
  });

  /** A service with the signal 9 of a rule of an author. */
  function serverOfRule(author: string) {
    const asked: (readonly string[])[] = [];
    const { signals } = fakeApiDeps();
    const signal = buildSignal({
      ...{ rowId: 9, model: `rule:${author}/dip`, version: 2, passed: [] },
      ...{ parametersHash: 'cd'.repeat(32), features: { 'pool.swaps': 4, 'pool.venue': null } },
    });
    const rule = ruleOfSignal(signal);
    const server = fakeApiServer({
      signals: {
        ...signals,
        find: async (rowId, authors) => {
          asked.push(authors);
          const isFound = rowId === 9 && authors.includes(author) && rule !== null;
          return asOfFakeSlot(isFound ? { rule, signal, outcome: buildOutcome() } : null);
        },
      },
    });
    return { server, asked };
  }

  test.each([
    ['account of reader', 'account'],
    [OPERATOR, 'operator'],
  ])(
    'returns a signal of a rule of %s, as lists name it, with its evidence',
    async (by, author) => {
      const { server, asked } = serverOfRule(by);
      const response = await getAsReader(server, `${LIST}/9`);
      const body = response.json();
      expect(Value.Check(SignalDetailBody, body)).toBe(true);
      expect(asked).toEqual([['account of reader', OPERATOR]]);
      const keys = [
        // Of its row in lists.
        ...['row_id', 'token_address', 'pair_address', 'image', 'name', 'symbol'],
        ...['signal_market_cap', 'liquidity_usd', 'ath_market_cap_usd', 'roi_percentage'],
        ...['max_drawdown_percentage', 'max_drawdown_market_cap', 'version', 'rule_id', 'author'],
        ...['created_at', 'slot', 'as_of_slot', 'price_usd', 'total_supply', 'age_seconds'],
        ...['parameters_hash', 'features', 'passed_conditions', 'outcome', 'execution'],
      ];
      expect(Object.keys(body).toSorted()).toEqual(keys.toSorted());
      expect(body).toMatchObject({
        ...{ row_id: 9, token_address: MINT, roi_percentage: '50.0000', version: 2, author },
        ...{ rule_id: 'dip@2+cdcdcdcdcdcdcdcd', parameters_hash: 'cd'.repeat(32) },
        ...{ price_usd: '0.01', passed_conditions: [] },
        features: { 'pool.swaps': '4', 'pool.venue': null },
        outcome: { is_final: false, ath_price_usd: '0.015' },
      });
      expect(body.execution.returns).toHaveLength(5);
    },
  );

  test('does not find a signal of a rule of another account', async () => {
    const { server } = serverOfRule('another account');
    const response = await getAsReader(server, `${LIST}/9`);
    expect(response.json()).toEqual({ code: 404, message: 'This signal is not known.' });
  });

  test('writes figures in plain notation, and non-finite numbers as null', async () => {
    const features = { tiny: 1e-12, small: -0.000_000_1, large: 1e15, none: Infinity, zero: -0 };
    const deps = fakeApiDeps();
    const server = fakeApiServer({
      signals: {
        ...deps.signals,
        find: async () => asOfFakeSlot(buildSignalDetail({ features, ageMs: null })),
      },
    });
    const { features: shown, age_seconds: age } = (await getAsReader(server, `${LIST}/7`)).json();
    expect(shown).toEqual({
      ...{ tiny: '0', small: '-0.0000001', large: '1000000000000000', none: null, zero: '0' },
    });
    expect(age).toBeNull();
  });

  test.each([
    [`${LIST}/8`, 404],
    [`${LIST}/0`, 400],
    [`${LIST}/-1`, 400],
    [`${LIST}/seven`, 400],
    [`${LIST}/9007199254740992`, 400],
  ])('refuses %s with %i', async (url, status) => {
    const response = await getAsReader(sharedApiServer(), url);
    expect(response.json()).toEqual({ code: status, message: expect.stringMatching(/[.]$/) });
    expect(response.statusCode).toBe(status);
  });

  test('refuses a missing key', async () => {
    expect((await sendAs(sharedApiServer(), 'GET', `${LIST}/7`)).statusCode).toBe(401);
  });
});

test('every published model can be requested', async () => {
  const { server, asked } = serverWith();
  for (const model of SIGNAL_MODELS) {
    await getAsReader(server, `${LIST}?from_date=2025-01-15&model_name=${model}`);
  }
  expect(asked.map(({ model }) => model)).toEqual(SIGNAL_MODELS);
});
