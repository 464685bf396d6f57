import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type FuzzedApi, openFuzzedApi } from '../support/api-fuzz/open-fuzzed-api.ts';
import { buildChanges } from '../support/build-records.ts';
import { buildOutcome, buildSignal } from '../support/build-signal.ts';
import { HAS_PYTHON, runPython } from '../support/python.ts';

const KEY = 'notebook-test-secret';
const FOLDER = resolve('examples/notebook');
const NOTEBOOK = resolve(FOLDER, 'published-tables.ipynb');
/** Runs the notebook as its README says, then writes what it has computed. */
const SCRIPT = `
import json, sys
sys.path.insert(0, ${JSON.stringify(FOLDER)})
from run import run
names = run(${JSON.stringify(NOTEBOOK)})
print(json.dumps({name: names[name] for name in ("models", "tokens", "differences")}))
`;

if (!HAS_PYTHON) process.stdout.write('SKIPPING the notebook: Python 3.11 is missing.\n');

interface Tables {
  readonly models: readonly Readonly<Record<string, unknown>>[];
  readonly tokens: readonly Readonly<Record<string, unknown>>[];
  readonly differences: readonly unknown[];
}

interface Cell {
  readonly id: string;
  readonly cell_type: string;
  readonly outputs?: readonly unknown[];
  readonly execution_count?: number | null;
}

let api: FuzzedApi;
let baseUrl = '';

/** Returns in 10⁻⁹ percent, and their model: means and medians have to be rounded. */
const SIGNALS = [
  { model: 'organic_momentum', roiE9: 10_000_000_001n, maxDrawdownE9: 7n },
  { model: 'organic_momentum', roiE9: -20_000_000_000n, maxDrawdownE9: 8n },
  { model: 'smart_money_surge', roiE9: 3n, maxDrawdownE9: 1_000_000_000n },
  { model: 'smart_money_surge', roiE9: 4n, maxDrawdownE9: 0n },
  { model: 'smart_money_surge', roiE9: -5n, maxDrawdownE9: 99_999_999_999n },
] as const;

beforeAll(async () => {
  api = await openFuzzedApi();
  const { store } = api.service;
  store.keys.installBootstrap(KEY);
  const at = (index: number) => ({
    rowId: 20 + index,
    createdAtMs: Date.UTC(2026, 0, 1, 0, 0, index),
  });
  const signals = SIGNALS.map(({ model }, index) => buildSignal({ ...at(index), model }));
  const outcomes = SIGNALS.map(({ roiE9, maxDrawdownE9 }, index) =>
    buildOutcome({ rowId: at(index).rowId, roiE9, maxDrawdownE9 }),
  );
  const changes = buildChanges(api.lastSlot, { signals, outcomes });
  await store.writer.writeBatch({ slots: [], changes: [changes], epoch: store.cursor.epoch });
  await api.app.listen({ port: 0, host: '127.0.0.1' });
  baseUrl = addressOf(api.app.server);
  const ask = () => api.app.inject({ url: '/v1/pools', headers: { 'x-api-key': KEY } });
  while ((await ask()).statusCode === 503) await delay(20);
});

afterAll(() => api.close());

function addressOf(server: Server): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function runNotebook(url: string, key = KEY): Promise<Tables> {
  const { stdout } = await runPython(['-W', 'default', '-c', SCRIPT], {
    ...{ MINTSCOPE_URL: url, MINTSCOPE_API_KEY: key },
    ...{ MINTSCOPE_FROM: '2026-01-01', MINTSCOPE_TO: '2026-12-31' },
  });
  return JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '') as Tables;
}

/** The same service, seen through a server that changes what it answers. */
async function changed(change: (path: string, text: string) => string): Promise<Server> {
  const server = createServer(async ({ url = '' }, response) => {
    const answer = await api.app.inject({ url, headers: { 'x-api-key': KEY } });
    response.writeHead(answer.statusCode).end(change(url, answer.body));
  });
  server.listen(0, '127.0.0.1');
  await new Promise((listening) => server.once('listening', listening));
  return server;
}

test('the notebook is kept without outputs, and every cell has a name', () => {
  const { nbformat, nbformat_minor: minor, cells } = JSON.parse(readFileSync(NOTEBOOK, 'utf8'));
  expect([nbformat, minor]).toEqual([4, 5]);
  expect(new Set(cells.map(({ id }: Cell) => id)).size).toBe(cells.length);
  for (const cell of cells as readonly Cell[]) {
    if (cell.cell_type !== 'code') continue;
    expect([cell.outputs, cell.execution_count], cell.id).toEqual([[], null]);
  }
});

describe.skipIf(!HAS_PYTHON)('the notebook of published tables', () => {
  test('computes from exports what the service publishes', async () => {
    const { models, tokens, differences } = await runNotebook(baseUrl);
    expect(differences).toEqual([]);
    // By hand: (3 + 4 - 5) / 3 and the drawdowns (10⁹ + 10¹¹ - 1) / 3 in 10⁻⁹ percent, and so on.
    expect(models).toEqual([
      {
        ...{ model_name: 'smart_money_surge', signal_count: 3 },
        ...{ avg_max_roi: '0.000000001', median_max_roi: '0.000000003' },
        avg_drawdown_before_ath: '33.666666666',
      },
      {
        ...{ model_name: 'organic_momentum', signal_count: 2 },
        ...{ avg_max_roi: '-5.000000000', median_max_roi: '-5.000000000' },
        avg_drawdown_before_ath: '0.000000008',
      },
    ]);
    expect(tokens.length).toBeGreaterThan(5);
    expect(
      tokens.some(({ volume_usd, organic_volume_usd }) => volume_usd !== organic_volume_usd),
    ).toBe(true);
  });

  test('finds a figure of the service that is not that of the exports', async () => {
    const server = await changed((path, text) =>
      path.startsWith('/v1/signals/statistics')
        ? text.replace('"avg_max_roi":"-5.000000000"', '"avg_max_roi":"5.000000000"')
        : text,
    );
    const { differences } = await runNotebook(addressOf(server));
    expect(differences).toHaveLength(1);
    server.close();
  });

  test('says why the service refuses it, in the words of the service', async () => {
    await expect(runNotebook(baseUrl, 'wrong')).rejects.toThrow(/A valid API key is required/);
  });

  test('refuses an export that was changed, or cut off', async () => {
    const altered = await changed((path, text) =>
      path.startsWith('/v1/export/trades') ? text.replace(',buy,', ',sell,') : text,
    );
    await expect(runNotebook(addressOf(altered))).rejects.toThrow(/not what the service sent/);
    altered.close();
    const cut = await changed((path, text) =>
      path.startsWith('/v1/export/signals') ? text.slice(0, text.indexOf('\n#')) : text,
    );
    await expect(runNotebook(addressOf(cut))).rejects.toThrow(/was cut off/);
    cut.close();
  });
});
