import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { parquetReadObjects } from 'hyparquet';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newSecret, webhookHeaders } from '../../src/alerts/webhooks/signature.ts';
import type { SlotItem } from '../../src/model/slot-frame.ts';
import { asSlot } from '../../src/model/units.ts';
import { type FuzzedApi, openFuzzedApi } from '../support/api-fuzz/open-fuzzed-api.ts';
import { buildClassification } from '../support/build-classification.ts';
import { buildTrade } from '../support/build-trade.ts';
import { temporaryFolder } from '../support/command-line.ts';
import { DOCUMENT_VERSION } from '../support/document-version.ts';
import {
  fakeApiDeps,
  fakeCandle,
  fakeToken,
  MINT,
  POOL,
  READ_KEY,
  WALLET,
} from '../support/fake-api-deps.ts';
import { fakeApiServer } from '../support/fake-api-server.ts';
import { HAS_PYTHON, runPython, startPython } from '../support/python.ts';

const KEY = 'python-examples-test-secret';
const EXAMPLES = resolve('clients/python/examples');
const folder = temporaryFolder();
/** Examples that ran here. */
const ran = new Set<string>();

if (!HAS_PYTHON) process.stdout.write('SKIPPING the examples of Python: it is missing.\n');

type Settings = Readonly<Record<string, string>>;

function pathOf(name: string): string {
  ran.add(`${name}.py`);
  return join(EXAMPLES, `${name}.py`);
}

async function run(name: string, args: readonly string[], settings: Settings): Promise<string> {
  return (await runPython(['-W', 'default', pathOf(name), ...args], settings, folder)).stdout;
}

const urlOf = (server: FastifyInstance) =>
  `http://127.0.0.1:${(server.server.address() as AddressInfo).port}`;

beforeAll(() => {
  const build = ['--disable-warning=ExperimentalWarning', 'scripts/build-python-client.ts'];
  const { status, stderr } = spawnSync(process.execPath, build);
  if (status !== 0) throw new Error(String(stderr));
});

describe.skipIf(!HAS_PYTHON)('an example on a simulated market', () => {
  let api: FuzzedApi;
  let service: Settings;

  beforeAll(async () => {
    api = await openFuzzedApi();
    api.service.store.keys.installBootstrap(KEY);
    await api.app.listen({ port: 0, host: '127.0.0.1' });
    service = { MINTSCOPE_URL: urlOf(api.app), MINTSCOPE_KEY: KEY };
    const windows = () => api.app.inject({ url: '/v1/pools', headers: { 'x-api-key': KEY } });
    while ((await windows()).statusCode === 503) await delay(20);
  });

  afterAll(() => api.close());

  const answerOf = async (url: string) =>
    (await api.app.inject({ url, headers: { 'x-api-key': KEY } })).json();

  test('safety_check advises against a token with findings, and names them', async () => {
    const [mint = ''] = api.mints;
    const output = await run('safety_check', [mint], service);
    const check = await answerOf(`/v1/fraud/check?token_address=${mint}`);
    expect(check.classifications.length).toBeGreaterThan(0);
    expect(output).toMatch(new RegExp(`^do not buy ${mint} \\(slot ${api.lastSlot}\\)\n`));
    expect(output).toContain(`- ${check.classifications[0].fraud_type} with confidence`);
  });

  test('wallet_portfolio lists each open position', async () => {
    const [wallet = ''] = api.wallets;
    const output = await run('wallet_portfolio', [wallet], service);
    const { positions } = await answerOf(`/v1/wallets/${wallet}/positions?status=open&limit=500`);
    expect(output.trimEnd().split('\n')).toHaveLength(positions.length + 1);
    expect(output).toMatch(/^(.*\n)*total -?[0-9.]+ USD, realised -?[0-9.]+ USD\n$/);
  });

  test('trending prints the price of each token that is listed', async () => {
    const output = await run('trending', [], service);
    const { items } = await answerOf('/v1/tokens?order_by=trending&order_dir=desc&limit=40');
    expect(items.length).toBeGreaterThan(0);
    expect(output).toContain(`${items.length} prices as of slot ${api.lastSlot}\n`);
    for (const { token_address } of items) expect(output).toContain(token_address);
  });

  test('signal_worth prints the number of signals, and a refusal as a sentence', async () => {
    const output = await run('signal_worth', ['2024-12-01'], service);
    const { total_signals: total } = await answerOf('/v1/signals/statistics?from_date=2024-12-01');
    expect(output).toContain(`${total} signals since 2024-12-01`);
    expect(await run('signal_worth', ['never'], service)).toMatch(/^refused with 4\d\d: .+\n$/);
  });

  test('trades_table adds up the trades that the list has, to the digit', async () => {
    const { trades } = await answerOf(`/v1/trades?token_address=${api.mints[0]}&limit=500`);
    expect(trades.length).toBeLessThan(250);
    const worth: readonly string[] = trades.flatMap(
      ({ value_usd }: { readonly value_usd: string | null }) => value_usd ?? [],
    );
    const scale = Math.max(...worth.map((text) => text.split('.')[1]?.length ?? 0));
    const units = worth.reduce((sum, text) => {
      const [whole = '', fraction = ''] = text.split('.');
      return sum + BigInt(whole + fraction.padEnd(scale, '0'));
    }, 0n);
    const output = await run('trades_table', [api.mints[0] ?? ''], service);
    const [, count, total = ''] = /^(\d+) trades worth ([0-9.]+) USD\n/.exec(output) ?? [];
    const [whole = '', fraction = ''] = total.split('.');
    expect(Number(count)).toBe(trades.length);
    expect(BigInt(whole + fraction.padEnd(scale, '0'))).toBe(units);
  });

  test('backfill_parquet writes the trades that the list has', async () => {
    const file = join(folder, 'trades.parquet');
    const { trades } = await answerOf(`/v1/trades?token_address=${api.mints[0]}&limit=500`);
    const atMs = Date.parse(trades[0].timestamp);
    const span = [atMs - 3_600_000, atMs + 3_600_000].map((ms) => new Date(ms).toISOString());
    expect(await run('backfill_parquet', [...span, file], service)).toBe(`wrote ${file}\n`);
    const bytes = readFileSync(file);
    const buffer = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length);
    const rows = await parquetReadObjects({ file: buffer as ArrayBuffer });
    expect(rows.filter((row) => row.token_address === api.mints[0])).toHaveLength(trades.length);
    expect(existsSync(`${file}.part`)).toBe(false);
  });
});

describe.skipIf(!HAS_PYTHON)('an example on a stream', () => {
  const deps = fakeApiDeps();
  const server = fakeApiServer(deps, { version: DOCUMENT_VERSION });
  let slot = 100;
  let service: Settings;
  let publishing: NodeJS.Timeout;

  const items: readonly SlotItem[] = [
    { topic: 'new_tokens', token: fakeToken({ name: 'Cat' }) },
    { topic: 'findings', finding: { classification: buildClassification(), status: 'active' } },
    { topic: 'candles', candle: fakeCandle(0) },
    {
      topic: 'trades',
      trade: buildTrade({ slot: asSlot(5), pool: POOL, mint: MINT, wallet: WALLET }),
    },
  ];

  beforeAll(async () => {
    await server.listen({ port: 0, host: '127.0.0.1' });
    service = { MINTSCOPE_URL: urlOf(server), MINTSCOPE_KEY: READ_KEY, EVENTS: '4' };
    publishing = setInterval(() => {
      const context = { timeMs: null, solUsd: null, finalSlot: null, isUndone: false };
      const frame = { ...context, slot: asSlot(++slot), items };
      deps.hub.take(frame);
      // Every other slot is taken back.
      if (slot % 2 === 0) deps.hub.take({ ...frame, isUndone: true });
    }, 20);
  });

  afterAll(async () => {
    clearInterval(publishing);
    await server.close();
  });

  test('alert_bot posts findings, and withdraws those that a fork takes back', async () => {
    const output = await run('alert_bot', [], service);
    const { mint, fraudType } = buildClassification().finding;
    expect(output).toMatch(/^watching from slot \d+\n/);
    expect(output).toMatch(new RegExp(`\n\\w+ ${fraudType} of ${mint}\n`));
    expect(output).toMatch(new RegExp(`withdrawn: \\w+ ${fraudType} of ${mint}\n`));
  });

  test('candle_stream prints candles as they change', async () => {
    const output = await run('candle_stream', [MINT], service);
    expect(output.trimEnd().split('\n')).toHaveLength(4);
    expect(output).toMatch(/^\d{4}-\d\d-\d\dT\S+Z [0-9.]+ .* candles\)\n/);
  });

  test('launches prints new tokens and what is found', async () => {
    // On a loaded machine the second stream begins long after the first.
    const output = await run('launches', [], { ...service, EVENTS: '200' });
    expect(output).toContain('launched: Cat\n');
    expect(output).toContain(`${buildClassification().finding.fraudType}: `);
  });

  test('follow_wallet continues after the trade that it handled last', async () => {
    const file = join(folder, 'position.txt');
    const first = await run('follow_wallet', [WALLET, file], service);
    const before = Number(readFileSync(file, 'utf8'));
    const second = await run('follow_wallet', [WALLET, file], service);
    expect(first.trimEnd().split('\n')).toHaveLength(4);
    // What was published while it was away is still to be had.
    expect(second).not.toContain('missed');
    expect(Number(readFileSync(file, 'utf8'))).toBeGreaterThan(before);
  });

  test('webhook_receiver takes what is signed, once, and refuses the rest', async () => {
    const secret = newSecret();
    const settings = { WEBHOOK_SECRET: secret, PORT: '0' };
    const child = startPython([pathOf('webhook_receiver')], settings, folder);
    try {
      let output = '';
      child.stdout?.on('data', (chunk) => {
        output += chunk;
      });
      while (!output.includes('\n')) await delay(10);
      const [, port] = /listening on (\d+)/.exec(output) ?? [];
      const body = '{"type":"ping","timestamp":"2025-01-15T14:32:08.000Z","data":{}}';
      const timestamp = Math.floor(Date.now() / 1_000);
      const send = async (with_: string) => {
        const headers = webhookHeaders({ id: 'event-1', timestamp, body }, [with_]);
        return (await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', headers, body })).status;
      };
      expect([await send(secret), await send(secret), await send(newSecret())]).toEqual([
        204, 204, 401,
      ]);
      while (!output.includes('refused')) await delay(10);
      expect(output.split('\n').slice(1)).toEqual(['ping', 'refused: signature', '']);
    } finally {
      child.kill('SIGKILL');
    }
  });
});

test.skipIf(!HAS_PYTHON)('every example of Python ran', () => {
  expect([...ran].sort()).toEqual(readdirSync(EXAMPLES).sort());
});
