import { spawnSync } from 'node:child_process';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type FuzzedApi, openFuzzedApi } from '../support/api-fuzz/open-fuzzed-api.ts';
import { CONSISTENCY_CHECKS } from '../support/market-consistency.ts';
import { InjectedReader } from '../support/market-readers/injected-reader.ts';
import type { MarketReader } from '../support/market-readers/market-reader.ts';
import { PythonClientReader } from '../support/market-readers/python-client-reader.ts';
import { TypeScriptClientReader } from '../support/market-readers/typescript-client-reader.ts';
import { HAS_PYTHON } from '../support/python.ts';
import { expectSumsOfTrades } from '../support/trade-sum-checks.ts';

const KEY = 'clients-agree-test-secret';

let api: FuzzedApi;
let baseUrl = '';

beforeAll(async () => {
  if (HAS_PYTHON) {
    const script = ['--disable-warning=ExperimentalWarning', 'scripts/build-python-client.ts'];
    const { status, stderr } = spawnSync(process.execPath, script);
    if (status !== 0) throw new Error(String(stderr));
  }
  api = await openFuzzedApi();
  api.service.store.keys.installBootstrap(KEY);
  await api.app.listen({ port: 0, host: '127.0.0.1' });
  baseUrl = `http://127.0.0.1:${(api.app.server.address() as AddressInfo).port}`;
  const ask = () => api.app.inject({ url: '/v1/pools', headers: { 'x-api-key': KEY } });
  while ((await ask()).statusCode === 503) await delay(20);
});

afterAll(async () => {
  await api.close();
});

const READERS: Readonly<Record<string, () => MarketReader>> = {
  'plain HTTP': () => new InjectedReader(api.app, KEY),
  'the TypeScript client': () => new TypeScriptClientReader(baseUrl, KEY),
  ...(HAS_PYTHON && { 'the Python client': () => new PythonClientReader(baseUrl, KEY) }),
};
if (!HAS_PYTHON) process.stdout.write('SKIPPING the Python client: Python 3.11 is missing.\n');

const CHECKS = Object.keys(CONSISTENCY_CHECKS) as (keyof typeof CONSISTENCY_CHECKS)[];

describe.each(Object.keys(READERS))('a simulated market read through %s', (name) => {
  let reader: MarketReader;

  beforeAll(() => {
    const open = READERS[name];
    if (open === undefined) throw new Error(`there is no reader ${name}`);
    reader = open();
  });

  afterAll(() => reader.close());

  test('has the candles, sums and windows of the trades that it lists', async () => {
    const compared = await expectSumsOfTrades(reader, api.slots, ['30s']);
    expect(compared.trades).toBeGreaterThan(200);
    expect(compared.candles).toBeGreaterThan(20);
    expect(compared.sums).toBeGreaterThan(20);
    expect(compared.windows).toBeGreaterThan(5);
  });

  test.each(CHECKS)(
    'agrees with itself: %s',
    async (check) => {
      expect(await CONSISTENCY_CHECKS[check](reader)).toBeGreaterThan(5);
    },
    60_000,
  );
});
