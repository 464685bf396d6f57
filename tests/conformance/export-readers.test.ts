import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { EXPORT_KINDS, type ExportKind } from '../../src/model/export.ts';
import { type FuzzedApi, openFuzzedApi } from '../support/api-fuzz/open-fuzzed-api.ts';
import { temporaryFolder } from '../support/command-line.ts';
import { openPolars, type ReadTable, readByDuckDb } from '../support/parquet-readers.ts';

const KEY = 'export-readers-test-secret';
/** The simulated market, and the findings and signals of a year before it. */
const SPAN = 'from=2025-01-02&to=2026-01-02';

type Row = Readonly<Record<string, string>>;

let api: FuzzedApi;
const folder = temporaryFolder();
const polars = await openPolars();
if (polars === null) process.stdout.write('SKIPPING Polars: it has no program for this machine.\n');

beforeAll(async () => {
  api = await openFuzzedApi();
  api.service.store.keys.installBootstrap(KEY);
});

afterAll(() => api.close());

async function get(url: string): Promise<Buffer> {
  const answer = await api.app.inject({ url, headers: { 'x-api-key': KEY } });
  expect(answer.statusCode, url).toBe(200);
  return answer.rawPayload;
}

async function getJson<Body>(url: string): Promise<Body> {
  return JSON.parse(String(await get(url))) as Body;
}

/** Cells of a line of CSV, in quotes or not. */
function cellsOf(line: string): string[] {
  const cells = line.matchAll(/("(?:[^"]|"")*"|[^,]*)(?:,|$)/g);
  return [...cells]
    .slice(0, -1)
    .map(([, cell = '']) =>
      cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell,
    );
}

async function readCsv(kind: ExportKind): Promise<readonly Row[]> {
  const lines = String(await get(`/v1/export/${kind}.csv?${SPAN}`))
    .trimEnd()
    .split('\n');
  const names = lines[0]?.split(',') ?? [];
  return lines.slice(1, -1).map((line) => {
    const cells = cellsOf(`${line},`);
    expect(cells, line).toHaveLength(names.length);
    return Object.fromEntries(names.map((name, index) => [name, cells[index] ?? '']));
  });
}

async function readParquet(kind: ExportKind, program: string): Promise<ReadTable> {
  const path = join(folder, `${kind}.parquet`);
  writeFileSync(path, await get(`/v1/export/${kind}.parquet?${SPAN}`));
  if (program === 'DuckDB') return await readByDuckDb(path);
  if (polars === null) throw new Error('Polars is missing');
  return polars(path);
}

/** Doubles are written with or without a point; all else is compared digit by digit. */
function comparable(rows: readonly Row[], { types }: ReadTable): readonly Row[] {
  const isDouble = (name: string) => /DOUBLE|Float64/.test(types[name] ?? '');
  return rows.map((row) =>
    Object.fromEntries(
      Object.entries(row).map(([name, cell]) => [
        name,
        isDouble(name) && cell !== '' ? String(Number(cell)) : cell,
      ]),
    ),
  );
}

/** An integer with a point before its last digits, as the decimal beside it: both without zeros. */
function withPoint(raw: string, digits: number): string {
  const text = raw.replace('-', '').padStart(digits + 1, '0');
  const value = `${text.slice(0, text.length - digits)}.${text.slice(text.length - digits)}`;
  return `${raw.startsWith('-') ? '-' : ''}${trimmed(value)}`;
}

const trimmed = (text: string) => (text.includes('.') ? text.replace(/\.?0+$/, '') : text);

/** How many decimals of a row are the integers beside them. */
function countDecimals(row: Row): number {
  let compared = 0;
  for (const [name, raw] of Object.entries(row)) {
    const [, base = '', unit = ''] = /^(.*)_(raw|nano|e18|e9)$/.exec(name) ?? [];
    const decimal = row[base];
    if (decimal === undefined || raw === '') continue;
    const ofToken = base.startsWith('quote') ? row.quote_decimals : row.token_decimals;
    const digits = unit === 'raw' ? Number(ofToken) : { nano: 9, e18: 18, e9: 9 }[unit];
    expect(trimmed(decimal), name).toBe(withPoint(raw, digits ?? Number.NaN));
    compared++;
  }
  return compared;
}

interface Listed {
  readonly trades: readonly (Readonly<Record<string, string | null>> & { trade_id: string })[];
}

const PROGRAMS = ['DuckDB', ...(polars === null ? [] : ['Polars'])];

describe.each(PROGRAMS)('exports in Parquet read by %s', (program) => {
  test.each(EXPORT_KINDS)('have every value of CSV to the digit: %s', async (kind) => {
    const table = await readParquet(kind, program);
    const rows = await readCsv(kind);
    expect(rows.length).toBeGreaterThan(2);
    expect(comparable(table.rows, table)).toEqual(comparable(rows, table));
    let decimals = 0;
    for (const row of table.rows) decimals += countDecimals(row);
    expect(decimals).toBeGreaterThanOrEqual(table.rows.length);
  });

  test.each(EXPORT_KINDS)(
    'have times in UTC, and numbers that can be counted with: %s',
    async (kind) => {
      const { types } = await readParquet(kind, program);
      for (const [name, type] of Object.entries(types)) {
        if (/(timestamp|_at)$/.test(name)) expect(type, name).toMatch(/WITH TIME ZONE|UTC/);
        if (/(^|_)slot$|^trades$|^buys$/.test(name)) expect(type, name).toMatch(/INT/i);
      }
    },
  );

  test('have the figures of the trades that the API lists', async () => {
    const { rows } = await readParquet('trades', program);
    const byMint = Map.groupBy(rows, ({ token_address: mint }) => mint ?? '');
    for (const mint of api.mints) {
      const url = `/v1/trades?token_address=${mint}&limit=500`;
      const { trades } = await getJson<Listed>(url);
      const exported = new Map((byMint.get(mint) ?? []).map((row) => [row.trade_id, row]));
      expect(exported.size).toBe(trades.length);
      for (const { trade_id, token_amount, quote_amount, price_usd, signature } of trades) {
        const wanted = { token_amount, quote_amount, price_usd: price_usd ?? '', signature };
        expect(exported.get(trade_id)).toMatchObject(wanted);
      }
    }
  });

  test('have the candles of /v1/market/ohlc', async () => {
    const { rows } = await readParquet('candles', program);
    const [mint = ''] = api.mints;
    const url = `/v1/market/ohlc?token_address=${mint}&interval=30s&start=2026-01-01T00:00:00Z&end=2026-01-01T01:00:00Z`;
    const { timeframes } = await getJson<{
      readonly timeframes: { readonly '30s': readonly Row[] };
    }>(url);
    const exported = new Map(
      rows.filter(({ address }) => address === mint).map((row) => [row.timestamp, row]),
    );
    expect(timeframes['30s'].length).toBeGreaterThan(1);
    for (const { timestamp, open, high, low, close } of timeframes['30s']) {
      expect(exported.get(timestamp ?? '')).toMatchObject({
        ...{ usd_open: open, usd_high: high, usd_low: low, usd_close: close },
      });
    }
  });
});
