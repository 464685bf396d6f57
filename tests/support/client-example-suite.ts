import type { ChildProcess } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { parquetReadObjects } from 'hyparquet';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newSecret, webhookHeaders } from '../../src/alerts/webhooks/signature.ts';
import type { SlotItem } from '../../src/model/slot-frame.ts';
import { asSlot } from '../../src/model/units.ts';
import { type FuzzedApi, openFuzzedApi } from './api-fuzz/open-fuzzed-api.ts';
import { buildClassification } from './build-classification.ts';
import { buildTrade } from './build-trade.ts';
import { temporaryFolder } from './command-line.ts';
import { DOCUMENT_VERSION } from './document-version.ts';
import {
  fakeApiDeps,
  fakeCandle,
  fakeToken,
  MINT,
  POOL,
  READ_KEY,
  WALLET,
} from './fake-api-deps.ts';
import { fakeApiServer } from './fake-api-server.ts';

const KEY = 'client-examples-test-secret';

export type Settings = Readonly<Record<string, string>>;

/** The examples of a client. Those of both clients have the same names and the same output. */
export interface ClientExamples {
  /** False where this machine cannot run them: they are skipped. */
  readonly isAvailable: boolean;
  /** The folder of the examples. */
  readonly path: string;
  /** The name of an example's file, for a name such as `safety-check`. */
  fileOf(name: string): string;
  /** Starts a file in a working folder. */
  start(file: string, args: readonly string[], settings: Settings, folder: string): ChildProcess;
  /** Examples that only this client has, on the simulated market. */
  readonly own?: (market: ExampleMarket) => void;
}

/** What tests of examples on the simulated market use. */
export interface ExampleMarket {
  /** Mints of the market, the most active first. Known once tests run. */
  mints(): readonly string[];
  /** Runs an example to its end; returns its output, or throws what it wrote of an error. */
  run(name: string, args: readonly string[]): Promise<string>;
  /** An answer of the service to the same request. */
  answerOf<Body>(url: string): Promise<Body>;
}

/** Tests all examples of a client against a service on a simulated market, and one with streams. */
export function testExamples(client: ClientExamples): void {
  const folder = temporaryFolder();
  const ran = new Set<string>();
  const start = (name: string, args: readonly string[], settings: Settings) => {
    const file = client.fileOf(name);
    ran.add(file);
    return client.start(join(client.path, file), args, settings, folder);
  };
  const stage = { folder, start, run: runnerOf(start) };
  describe.skipIf(!client.isAvailable)('an example on a simulated market', () => {
    testOnMarket(stage, client);
  });
  describe.skipIf(!client.isAvailable)('an example on a stream', () => testOnStream(stage));
  test.skipIf(!client.isAvailable)('every example ran', () => {
    expect([...ran].sort()).toEqual(readdirSync(client.path).sort());
  });
}

type Start = (name: string, args: readonly string[], settings: Settings) => ChildProcess;
type Run = (name: string, args: readonly string[], settings: Settings) => Promise<string>;

interface Stage {
  /** The working folder of the examples. */
  readonly folder: string;
  readonly start: Start;
  readonly run: Run;
}

function runnerOf(start: Start): Run {
  return async (name, args, settings) => {
    const child = start(name, args, settings);
    let output = '';
    let errors = '';
    child.stdout?.on('data', (chunk) => {
      output += chunk;
    });
    child.stderr?.on('data', (chunk) => {
      errors += chunk;
    });
    const code = await new Promise((ended) => child.once('close', ended));
    if (code !== 0) throw new Error(`${name} ended with ${code}: ${errors}`);
    return output;
  };
}

const urlOf = (server: FastifyInstance) =>
  `http://127.0.0.1:${(server.server.address() as AddressInfo).port}`;

function testOnMarket({ folder, run }: Stage, { own }: ClientExamples): void {
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

  test('safety-check advises against a token with findings, and names them', async () => {
    const [mint = ''] = api.mints;
    const output = await run('safety-check', [mint], service);
    const check = await answerOf(`/v1/fraud/check?token_address=${mint}`);
    expect(check.classifications.length).toBeGreaterThan(0);
    expect(output).toMatch(new RegExp(`^do not buy ${mint} \\(slot ${api.lastSlot}\\)\n`));
    expect(output).toContain(`- ${check.classifications[0].fraud_type} with confidence`);
  });

  test('wallet-portfolio lists each open position', async () => {
    const [wallet = ''] = api.wallets;
    const output = await run('wallet-portfolio', [wallet], service);
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

  test('signal-worth prints the number of signals, and a refusal as a sentence', async () => {
    const output = await run('signal-worth', ['2024-12-01'], service);
    const { total_signals: total } = await answerOf('/v1/signals/statistics?from_date=2024-12-01');
    expect(output).toContain(`${total} signals since 2024-12-01`);
    expect(await run('signal-worth', ['never'], service)).toMatch(/^refused with 4\d\d: .+\n$/);
  });

  test('backfill-parquet writes the trades that the list has', async () => {
    const file = join(folder, 'trades.parquet');
    const { trades } = await answerOf(`/v1/trades?token_address=${api.mints[0]}&limit=500`);
    const atMs = Date.parse(trades[0].timestamp);
    const span = [atMs - 3_600_000, atMs + 3_600_000].map((ms) => new Date(ms).toISOString());
    expect(await run('backfill-parquet', [...span, file], service)).toBe(`wrote ${file}\n`);
    const bytes = readFileSync(file);
    const buffer = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length);
    const rows = await parquetReadObjects({ file: buffer as ArrayBuffer });
    expect(rows.filter((row) => row.token_address === api.mints[0])).toHaveLength(trades.length);
    expect(existsSync(`${file}.part`)).toBe(false);
  });

  own?.({ mints: () => api.mints, run: (name, args) => run(name, args, service), answerOf });
}

function testOnStream({ folder, start, run }: Stage): void {
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

  test('alert-bot posts findings, and withdraws those that a fork takes back', async () => {
    const output = await run('alert-bot', [], service);
    const { mint, fraudType } = buildClassification().finding;
    expect(output).toMatch(/^watching from slot \d+\n/);
    expect(output).toMatch(new RegExp(`\n\\w+ ${fraudType} of ${mint}\n`));
    expect(output).toMatch(new RegExp(`withdrawn: \\w+ ${fraudType} of ${mint}\n`));
  });

  test('candle-stream prints candles as they change', async () => {
    const output = await run('candle-stream', [MINT], service);
    expect(output.trimEnd().split('\n')).toHaveLength(4);
    expect(output).toMatch(/^\d{4}-\d\d-\d\dT\S+Z [0-9.]+ .* candles\)\n/);
  });

  test('launches prints new tokens and what is found', async () => {
    // On a loaded machine the second subscription begins long after the first.
    const output = await run('launches', [], { ...service, EVENTS: '200' });
    expect(output).toContain('launched: Cat\n');
    expect(output).toContain(`${buildClassification().finding.fraudType}: `);
  });

  test('follow-wallet continues after the trade that it handled last', async () => {
    const file = join(folder, 'position.txt');
    const first = await run('follow-wallet', [WALLET, file], service);
    const before = Number(readFileSync(file, 'utf8'));
    const second = await run('follow-wallet', [WALLET, file], service);
    expect(first.trimEnd().split('\n')).toHaveLength(4);
    // What was published while it was away is still to be had.
    expect(second).not.toContain('missed');
    expect(Number(readFileSync(file, 'utf8'))).toBeGreaterThan(before);
  });

  test('webhook-receiver takes what is signed, once, and refuses the rest', async () => {
    const secret = newSecret();
    const child = start('webhook-receiver', [], { WEBHOOK_SECRET: secret, PORT: '0' });
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
}
