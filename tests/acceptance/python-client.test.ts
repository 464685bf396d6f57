import { spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { basename, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import { newSecret, webhookHeaders } from '../../src/alerts/webhooks/signature.ts';
import { openFuzzedApi } from '../support/api-fuzz/open-fuzzed-api.ts';
import { temporaryFolder } from '../support/command-line.ts';
import { POOL, READ_KEY } from '../support/fake-api-deps.ts';
import { HAS_PYTHON, PYTHON, runPython } from '../support/python.ts';
import { openOrderedService } from '../support/python-stream-service.ts';

const KEY = 'python-client-test-secret';
const FOLDER = 'clients/python';
/** Tests that need no service but a server that lies. */
const OWN_TESTS = globSync(`${FOLDER}/tests/test_*.py`).map((path) => basename(path, '.py'));

if (!HAS_PYTHON) process.stdout.write('SKIPPING the Python client: Python 3.11 is missing.\n');

beforeAll(() => {
  // The methods of the client, as the documents of the API are now.
  const { status, stderr } = spawnSync(process.execPath, [
    '--disable-warning=ExperimentalWarning',
    'scripts/build-python-client.ts',
  ]);
  if (status !== 0) throw new Error(String(stderr));
});

/** Runs tests of Python, and throws if one of them fails or is left out. */
async function runTests(names: readonly string[], settings: Readonly<Record<string, string>> = {}) {
  const modules = names.map((name) => `tests.${name}`);
  const { stderr } = await runPython(['-m', 'unittest', ...modules], settings);
  const [, count = '0'] = /^Ran (\d+) tests?/m.exec(stderr) ?? [];
  expect(stderr).toMatch(/^OK$/m);
  return Number(count);
}

describe.skipIf(!HAS_PYTHON)('the Python client', () => {
  test.each(OWN_TESTS)('passes its own tests: %s', async (name) => {
    expect(await runTests([name])).toBeGreaterThan(5);
  });

  test('loses and doubles nothing while connections are cut and the service restarts', async () => {
    const service = await openOrderedService();
    const facts = { control: service.control, pool: POOL };
    const settings = {
      MINTSCOPE_TEST_URL: service.url,
      MINTSCOPE_TEST_KEY: READ_KEY,
      MINTSCOPE_TEST_FACTS: JSON.stringify(facts),
    };
    try {
      expect(await runTests(['service.test_streams'], settings)).toBe(8);
    } finally {
      await service.close();
    }
  });

  test('reads what a service on a simulated market answers to others', async () => {
    const api = await openFuzzedApi();
    try {
      api.service.store.keys.installBootstrap(KEY);
      await api.app.listen({ port: 0, host: '127.0.0.1' });
      const { port } = api.app.server.address() as AddressInfo;
      const ask = (url: string) => api.app.inject({ url, headers: { 'x-api-key': KEY } });
      while ((await ask('/v1/pools')).statusCode === 503) await delay(20);
      const [mint] = api.mints;
      const { trades } = (await ask(`/v1/trades?token_address=${mint}&limit=500`)).json();
      const seconds = Math.floor(Date.parse(trades[0].timestamp) / 1_000);
      const body =
        '{"type":"ping","timestamp":"2025-01-15T14:32:08.000Z","data":{"webhook_id":"é"}}';
      const secrets = [newSecret(), newSecret()];
      const timestamp = Math.floor(Date.now() / 1_000);
      const facts = {
        mint,
        pool: api.pools[0],
        lastSlot: api.lastSlot,
        token: (await ask(`/v1/token/${mint}`)).json(),
        tradeIds: trades.map(({ trade_id }: { readonly trade_id: string }) => trade_id),
        tradedAt: trades[0].timestamp,
        fromSeconds: seconds - 3_600,
        toSeconds: seconds + 60,
        condition: { field: 'price_usd', operator: 'gt', value: '1' },
        delivery: {
          ...{ body, secrets },
          headers: webhookHeaders({ id: 'event-1', timestamp, body }, secrets),
        },
      };
      const settings = {
        MINTSCOPE_TEST_URL: `http://127.0.0.1:${port}`,
        MINTSCOPE_TEST_KEY: KEY,
        MINTSCOPE_TEST_FACTS: JSON.stringify(facts),
      };
      expect(await runTests(['service.test_market'], settings)).toBe(10);
    } finally {
      await api.close();
    }
  });

  test('has a method for each operation of the document that is for programs', async () => {
    const { paths } = JSON.parse(readFileSync('docs/openapi.json', 'utf8'));
    const wanted: string[] = [];
    for (const operations of Object.values<Record<string, Operation>>(paths)) {
      for (const { operationId, responses } of Object.values(operations)) {
        const types = Object.keys(responses['200']?.content ?? {});
        const isForBrowsers = /html|javascript|event-stream/.test(types.join());
        if (responses['101'] === undefined && !isForBrowsers) wanted.push(operationId);
      }
    }
    const script =
      'import mintscope_client as m; print(*(n for n in dir(m.MintscopeClient)), sep="\\n");' +
      'assert set(dir(m.MintscopeClient.__base__)) == set(dir(m.AsyncMintscopeClient.__base__)' +
      ') - {"__aenter__", "__aexit__"} | {"__enter__", "__exit__"}';
    const { stdout } = await runPython(['-c', script]);
    const methods = new Set(stdout.split('\n').map((name) => name.replaceAll('_', '')));
    expect(wanted.length).toBeGreaterThan(60);
    expect(wanted.filter((name) => !methods.has(name.toLowerCase()))).toEqual([]);
  });

  test('is of the version of the API and of this package', () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
    const project = readFileSync(`${FOLDER}/pyproject.toml`, 'utf8');
    expect(/^version = "(.*)"$/m.exec(project)?.[1]).toBe(version);
    expect(/^dependencies = (.*)$/m.exec(project)?.[1]).toBe('[]');
  });
});

interface Operation {
  readonly operationId: string;
  readonly responses: Readonly<Record<string, { readonly content?: object }>>;
}

const hasMypy = HAS_PYTHON && spawnSync('mypy', ['--version']).status === 0;
if (!hasMypy) process.stdout.write('SKIPPING the types of the Python client: mypy is missing.\n');

describe.skipIf(!hasMypy)('the types of the Python client', () => {
  const cache = temporaryFolder();
  const check = (...paths: readonly string[]) =>
    spawnSync(
      'mypy',
      [
        '--python-executable',
        PYTHON,
        '--cache-dir',
        cache,
        '--config-file',
        'pyproject.toml',
        ...paths,
      ],
      { cwd: resolve(FOLDER), encoding: 'utf8' },
    );

  test('are right in the package and its tests', () => {
    const { status, stdout } = check('src', 'tests');
    expect(status, stdout).toBe(0);
  });

  test.each(globSync('examples/*.py', { cwd: FOLDER }))('are right in %s', (path) => {
    const { status, stdout } = check(path);
    expect(status, stdout).toBe(0);
  });

  test('refuse what the API does not have', () => {
    const code = [
      'from mintscope_client import MintscopeClient',
      'client = MintscopeClient("http://localhost:8080")',
      'client.get_token(mint="x")',
      'client.get_nothing()',
      'client.get_key().data["nothing"]',
      'client.list_trades(side="both")',
      'client.list_trades(min_value_usd=0.5)',
      'client.stream_nothing()',
    ].join('\n');
    const { stdout } = check('-c', code);
    const lines = [...stdout.matchAll(/^<string>:(\d+): error/gm)].map(([, line]) => Number(line));
    expect([...new Set(lines)]).toEqual([3, 4, 5, 6, 7, 8]);
  });
});
