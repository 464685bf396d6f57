import type { ApiDeps } from '../../../src/api/deps.ts';
import { WRAPPED_SOL } from '../../../src/model/program.ts';
import { address } from '../build-transaction.ts';
import { fakeApiDeps, REVIEW_KEY, SLOT } from '../fake-api-deps.ts';
import { type Attempt, type Recipe, withBody, withHeaders, withQuery } from './attempt.ts';
import {
  asIs,
  ask,
  fromForeignPage,
  given,
  inSession,
  send,
  UNKNOWN_ADDRESS,
  upgraded,
  whileSessionsAreFull,
  whileStreamsAreFull,
  whileTicketsAreFull,
} from './changes.ts';

const fake = fakeApiDeps();

const BROKEN_KEYS: Recipe = (sound) => ({ ...sound, deps: 'broken keys' });
const FAILING_KEYS: Recipe = (sound) => ({ ...sound, deps: 'failing keys' });

const DATES_REVERSED = ask({ from_date: '2025-01-15', to_date: '2025-01-14' });
const SPAN_REVERSED = ask({ from: '2025-01-15', to: '2025-01-14' });
const BEFORE_HISTORY = ask({ as_of_slot: '1' });
const OF_SOL = (sound: Attempt): Attempt => ({
  ...sound,
  url: sound.url.replace(/[1-9A-HJ-NP-Za-km-z]{32,44}/, WRAPPED_SOL),
});

const NO_WEBHOOK = given({ webhooks: fake.webhooks });
const NO_BACKTEST = given({ backtests: fake.backtests });
const NO_TRIGGER = given({ triggers: fake.triggers });
const DISABLED: Partial<ApiDeps> = {
  webhooks: {
    ...fake.webhooks,
    test: async () => ({ kind: 'disabled' }),
    redeliver: async () => ({ kind: 'disabled' }),
  },
};

const MANY = Array.from({ length: 11 }, (_, index) => address(`one of many ${index}`));
/** A request that counts as two, where a key may send one. */
const BATCH: Readonly<Record<string, Recipe>> = {
  '422': (sound) => ({ ...withBody(sound, { addresses: MANY }), narrow: 'once' }),
};

const SOCKET: Readonly<Record<string, Recipe>> = {
  '429': (sound) => ({ ...upgraded(sound), narrow: 'repeatedly' }),
  '500': BROKEN_KEYS,
  '503': whileStreamsAreFull,
};

const EXPORT: Readonly<Record<string, Recipe>> = {
  '404': ask({ token_address: UNKNOWN_ADDRESS }),
  '422': SPAN_REVERSED,
};

/** Recipes that only some operations need, by operation and status. */
export const OWN_RECIPES: Readonly<Record<string, Readonly<Record<string, Recipe>>>> = {
  'GET /v1/token/{token_address}': { '422': BEFORE_HISTORY },
  'GET /v1/token/{token_address}/holders': { '422': OF_SOL },
  'GET /v1/token/{token_address}/top-traders': { '422': OF_SOL },
  'GET /v1/token/{token_address}/first-buyers': { '422': OF_SOL },
  'GET /v1/token/{token_address}/holders-over-time': { '422': SPAN_REVERSED },
  'GET /v1/token/{token_address}/rule-hits': { '422': SPAN_REVERSED },
  'GET /v1/token/{token_address}/picture': {
    '304': (sound) => withHeaders(sound, { 'if-none-match': '"b17e5-128"' }),
  },
  'GET /v1/tokens': { '422': ask({ min_liquidity_usd: '2', max_liquidity_usd: '1' }) },
  'GET /v1/pools': { '422': ask({ venue: 'nowhere' }) },
  'GET /v1/wallets/{address}/trades': { '422': SPAN_REVERSED },
  'GET /v1/wallets/{address}/positions': { '422': ask({ status: 'closed' }) },
  'GET /v1/wallets/{address}/links': { '422': ask({ kind: 'married' }) },
  'GET /v1/trades': { '422': SPAN_REVERSED },
  'GET /v1/export/trades.csv': EXPORT,
  'GET /v1/export/trades.parquet': EXPORT,
  'GET /v1/export/candles.csv': EXPORT,
  'GET /v1/export/candles.parquet': EXPORT,
  'GET /v1/export/indicators.csv': EXPORT,
  'GET /v1/export/indicators.parquet': EXPORT,
  'GET /v1/export/findings.csv': EXPORT,
  'GET /v1/export/findings.parquet': EXPORT,
  'GET /v1/export/signals.csv': EXPORT,
  'GET /v1/export/signals.parquet': EXPORT,
  'GET /v1/indicators/current': { '422': BEFORE_HISTORY },
  'GET /v1/indicators/historic': { '422': SPAN_REVERSED },
  'GET /v1/market/bundled-transactions': { '422': ask({ as_of_slot: String(SLOT + 1) }) },
  'GET /v1/market/ohlc': { '422': ask({ start: '2025-01-15', end: '2025-01-14' }) },
  // Both answer what they know, so only the check of the key can fail.
  'GET /udf/config': { '500': BROKEN_KEYS, '503': FAILING_KEYS },
  'GET /udf/time': { '500': BROKEN_KEYS, '503': FAILING_KEYS },
  'GET /udf/marks': { '422': ask({ from: '1736951528', to: '1736948000' }) },
  'GET /udf/history': { '422': ask({ from: '1736951528', to: '1736948000' }) },
  'POST /v1/triggers/add': {
    '409': given({ triggers: { ...fake.triggers, add: async () => ({ kind: 'taken' }) } }),
    '422': send({ conditions: [{ field: 'sol_amount', operator: 'like', value: '1' }] }),
  },
  'PUT /v1/triggers/update': {
    '404': NO_TRIGGER,
    '422': send({ conditions: [{ field: 'sol_amount', operator: 'like', value: '1' }] }),
  },
  'DELETE /v1/triggers/remove': { '404': NO_TRIGGER },
  // A key for triggers may read its own.
  'GET /v1/triggers': { '403': (sound) => withHeaders(sound, { 'x-api-key': REVIEW_KEY }) },
  'GET /v1/triggers/firings': {
    '403': (sound) => withHeaders(sound, { 'x-api-key': REVIEW_KEY }),
  },
  'GET /v1/triggers/ws': {
    ...SOCKET,
    '403': (sound) => withHeaders(sound, { 'x-api-key': REVIEW_KEY }),
  },
  'POST /v1/rules': {
    '409': given({
      rules: { ...fake.rules, publish: async () => ({ kind: 'full', rulesMax: 100 }) },
    }),
    '422': given({
      rules: {
        ...fake.rules,
        publish: async () => ({ kind: 'refused', problems: ['The file is not YAML.'] }),
      },
    }),
  },
  'GET /v1/rules': { '403': (sound) => withHeaders(sound, { 'x-api-key': REVIEW_KEY }) },
  'DELETE /v1/rules/{rule_id}': {
    '404': given({ rules: { ...fake.rules, withdraw: async () => null } }),
  },
  'GET /v1/rules/{rule_id}/hits': {
    '403': (sound) => withHeaders(sound, { 'x-api-key': REVIEW_KEY }),
  },
  'GET /v1/rules/{rule_id}/statistics': {
    '403': (sound) => withHeaders(sound, { 'x-api-key': REVIEW_KEY }),
    '422': DATES_REVERSED,
  },
  'POST /v1/webhooks': {
    '409': given({
      webhooks: { ...fake.webhooks, add: async () => ({ kind: 'full', webhooksMax: 20 }) },
    }),
    '422': given({
      webhooks: {
        ...fake.webhooks,
        add: async () => ({ kind: 'refused', reason: 'must begin with https://' }),
      },
    }),
  },
  'GET /v1/webhooks': { '403': (sound) => withHeaders(sound, { 'x-api-key': REVIEW_KEY }) },
  'GET /v1/webhooks/{id}': {
    '403': (sound) => withHeaders(sound, { 'x-api-key': REVIEW_KEY }),
    '404': NO_WEBHOOK,
  },
  'DELETE /v1/webhooks/{id}': { '404': NO_WEBHOOK },
  'POST /v1/webhooks/{id}/rotate-secret': { '404': NO_WEBHOOK },
  'POST /v1/webhooks/{id}/enable': { '404': NO_WEBHOOK },
  'POST /v1/webhooks/{id}/test': { '404': NO_WEBHOOK, '409': given(DISABLED) },
  'GET /v1/webhooks/{id}/deliveries': {
    '403': (sound) => withHeaders(sound, { 'x-api-key': REVIEW_KEY }),
    '404': NO_WEBHOOK,
  },
  'POST /v1/webhooks/{id}/deliveries/{delivery_id}/redeliver': {
    '404': NO_WEBHOOK,
    '409': given(DISABLED),
  },
  'POST /v1/backtests': {
    '409': given({
      backtests: { ...fake.backtests, add: async () => ({ kind: 'full', jobsMax: 8 }) },
    }),
    '422': send({ look_ahead: 'maybe' }),
  },
  'GET /v1/backtests': { '403': (sound) => withHeaders(sound, { 'x-api-key': REVIEW_KEY }) },
  'GET /v1/backtests/{id}': {
    '403': (sound) => withHeaders(sound, { 'x-api-key': REVIEW_KEY }),
    '404': NO_BACKTEST,
  },
  'DELETE /v1/backtests/{id}': { '404': NO_BACKTEST },
  'GET /v1/market-data/ws': {
    ...SOCKET,
    '422': (sound) => withQuery(upgraded(sound), { 'dex-name': 'Nowhere' }),
  },
  'GET /v1/indicators/ws': SOCKET,
  'GET /v1/stream': SOCKET,
  'GET /v1/stream/sse': {
    '500': BROKEN_KEYS,
    '503': whileStreamsAreFull,
    '422': ask({ topic: 'token' }),
  },
  'POST /v1/stream/ticket': { '500': BROKEN_KEYS, '503': whileTicketsAreFull },
  'GET /v1/signals': { '422': DATES_REVERSED },
  'GET /v1/signals/statistics': { '422': DATES_REVERSED },
  'GET /v1/signals/ws': {
    ...SOCKET,
    '422': (sound) => withQuery(upgraded(sound), { model_name: 'none' }),
  },
  'GET /v1/fraud/check': { '422': ask({ token_address: '0OIl' }) },
  'GET /v1/fraud/classifications': { '422': SPAN_REVERSED },
  'POST /v1/fraud/classifications/{id}/review': {
    '404': given({ fraud: fake.fraud }),
    '409': given({
      fraud: { ...fake.fraud, review: async () => ({ kind: 'refused', from: 'active' }) },
    }),
    '422': send({ status: 'guessed' }),
  },
  'GET /v1/socials/sentiment-over-time': { '422': DATES_REVERSED },
  'GET /v1/socials/reach-over-time': { '422': DATES_REVERSED },
  'GET /v1/socials/posts-over-time': { '422': DATES_REVERSED },
  'GET /v1/socials/summary': { '422': ask({ token_address: '0OIl' }) },
  'GET /v1/socials/posts': { '422': DATES_REVERSED },
  'POST /v1/batch/prices': BATCH,
  'POST /v1/batch/tokens': BATCH,
  'POST /v1/batch/pools': BATCH,
  'POST /v1/batch/indicators': BATCH,
  'POST /v1/batch/wallets': BATCH,
  'POST /v1/batch/fraud': BATCH,
  'GET /v1/key': { '500': BROKEN_KEYS, '503': FAILING_KEYS },
  'POST /v1/session': {
    '403': fromForeignPage,
    '500': BROKEN_KEYS,
    '503': whileSessionsAreFull,
  },
  'DELETE /v1/session': {
    '204': inSession,
    '403': fromForeignPage,
    '404': asIs,
    '500': BROKEN_KEYS,
    '503': FAILING_KEYS,
  },
  'POST /v1/session/simulated': {
    '403': (sound) => withHeaders(sound, { origin: 'https://other.example' }),
    '500': BROKEN_KEYS,
    '503': whileSessionsAreFull,
  },
  'GET /livez': {
    '503': given({
      chain: { ...fake.chain, standstill: () => ({ sinceMs: 0, isLasting: true }) as never },
    }),
  },
  'GET /readyz': {
    '503': given({
      chain: {
        ...fake.chain,
        readiness: async () => ({
          isReady: false,
          checks: { store: { ok: false, detail: 'no space left on the device' } },
        }),
      },
    }),
  },
  'GET /docs': { '200': (sound) => ({ ...sound, followsRedirects: true }), '301': asIs },
  'GET /docs/api': { '200': (sound) => ({ ...sound, followsRedirects: true }), '301': asIs },
};
