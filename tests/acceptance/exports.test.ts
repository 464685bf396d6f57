import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { drainPending, Session } from 'chdb';
import { parquetMetadata, parquetReadObjects } from 'hyparquet';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { EXPORT_KINDS } from '../../src/model/export.ts';
import { RunningCommand, temporaryFolder } from '../support/command-line.ts';
import { hasTestData, testData } from '../support/test-data.ts';

/** A token that is traded in the recorded data. */
const MINT = '8UrFTdmWWt8ye8KY7Jbc9yJEaQekY7XZnGV7km3urC4a';
const FROM = '2024-09-01';
const TO = '2025-09-01';

/** A row of an export, or an item of a list. */
interface Row {
  readonly [column: string]: unknown;
  readonly token_address?: string;
  readonly value_usd?: string | null;
  readonly timestamp?: string;
  readonly usd_close?: string;
}

/** What exports and lists have in common, apart from dollars. */
const shown = (row: Row) =>
  [
    ...['trade_id', 'timestamp', 'signature', 'pair_address', 'token_address', 'venue', 'side'],
    ...['router', 'terminal', 'wallet_address', 'token_amount', 'quote_mint', 'quote_amount'],
    ...['price_usd', 'wallet_class'],
  ].map((name) => row[name] ?? '');

interface Page {
  readonly trades: readonly Row[];
  readonly next_cursor: string | null;
}

/** A value of Parquet as a cell of CSV. */
function toCell(value: unknown): string {
  return value instanceof Date ? value.toISOString() : String(value ?? '');
}

/** A row of CSV without the quotes of its texts. No text of the recorded data has one, or a comma. */
function unquoted(row: Row): Row {
  const cells = Object.entries(row).map(([name, cell]) => [name, String(cell).replaceAll('"', '')]);
  return Object.fromEntries(cells);
}

/** The rows of a Parquet file as an engine for tables reads them, with all values as texts. */
async function readByEngine(path: string, names: readonly string[]): Promise<readonly Row[]> {
  if (names.length === 0) return [];
  const columns = names.map((name) =>
    /(timestamp|_at)$/.test(name)
      ? `replaceOne(toString(${name}), ' ', 'T') || 'Z' AS ${name}`
      : `ifNull(toString(${name}), '') AS ${name}`,
  );
  const session = new Session(temporaryFolder());
  const sql = `SELECT ${columns.join(', ')} FROM file('${path}', Parquet)
    SETTINGS prefer_column_name_to_alias = 1, max_threads = 1`;
  const lines = await session
    .queryAsync(sql, { format: 'JSONEachRow' })
    .then((result) => result.text().trimEnd())
    .finally(() => session.close());
  await drainPending();
  return lines === '' ? [] : lines.split('\n').map((line): Row => JSON.parse(line));
}

/** The recorded mainnet data, exported from a service as a user would run it. */
describe.skipIf(!hasTestData)('exports of the recorded mainnet data', () => {
  let server: RunningCommand;
  let url = '';
  const key = 'a-key-of-the-operator';

  beforeAll(async () => {
    const chain = resolve(testData, 'chain');
    const args = ['start', '--replay', chain, '--port', '0', '--data-dir', temporaryFolder()];
    server = new RunningCommand(args, { MINTSCOPE_BOOTSTRAP_KEY: key });
    [, url = ''] = await server.shows(/listens on (http:\/\/[^;\s]+)/);
    await server.shows(/replay finished/);
  });

  afterAll(async () => {
    server.process.kill('SIGTERM');
    await server.finished;
  });

  async function get(path: string): Promise<Response> {
    const answer = await fetch(url + path, { headers: { 'x-api-key': key } });
    expect(answer.status, path).toBe(200);
    return answer;
  }

  async function getJson<Body>(path: string): Promise<Body> {
    return (await (await get(path)).json()) as Body;
  }

  /** The rows of an export by column, once its digest is checked. */
  async function exported(kind: string, filter: string) {
    const answer = await get(`/v1/export/${kind}.csv?from=${FROM}&to=${TO}${filter}`);
    const text = await answer.text();
    const end = text.lastIndexOf('# {');
    const manifest = JSON.parse(text.slice(end + 2));
    expect(manifest.sha256).toBe(createHash('sha256').update(text.slice(0, end)).digest('hex'));
    expect(manifest.as_of_slot).toBe(Number(answer.headers.get('x-slot')));
    const [head = '', ...lines] = text.slice(0, end).trimEnd().split('\n');
    const names = head.split(',');
    expect(lines).toHaveLength(manifest.rows);
    // No cell of trades has a comma.
    return lines.map((line): Row => {
      const cells = line.split(',');
      return Object.fromEntries(names.map((name, index) => [name, cells[index]]));
    });
  }

  async function listedTrades(mint: string): Promise<readonly Row[]> {
    const listed: Row[] = [];
    let cursor = '';
    do {
      const filter = `token_address=${mint}&from=${FROM}&to=${TO}&limit=500${cursor}`;
      const { trades, next_cursor } = await getJson<Page>(`/v1/trades?${filter}`);
      listed.push(...trades);
      cursor = next_cursor === null ? '' : `&cursor=${next_cursor}`;
    } while (cursor !== '');
    return listed;
  }

  test('of trades of a token are the pages of /v1/trades', async () => {
    const byMint = Map.groupBy(await exported('trades', ''), (row) => row.token_address ?? '');
    const mostTraded = [...byMint].sort(([, one], [, other]) => other.length - one.length);
    let compared = 0;
    for (const [mint, ofAll] of mostTraded.slice(0, 30)) {
      const listed = (await listedTrades(mint)).toReversed();
      const rows = await exported('trades', `&token_address=${mint}`);
      expect(rows).toHaveLength(ofAll.length);
      expect(rows.map(shown)).toEqual(listed.map(shown));
      for (const [index, { value_usd: exact }] of rows.entries()) {
        const value = listed[index]?.value_usd ?? null;
        // The list has cents, the export all digits.
        if (value === null) expect(exact).toBe('');
        else expect(Math.abs(Number(exact) - Number(value))).toBeLessThan(0.00501);
      }
      compared += rows.length;
    }
    expect(compared).toBeGreaterThan(100);
  });

  test.each(EXPORT_KINDS)('of all %s end with their digest', async (kind) => {
    await exported(kind, '');
  });

  test.each(EXPORT_KINDS)(
    'of %s as Parquet have the rows of CSV, for two readers',
    async (kind) => {
      const rows = await exported(kind, '');
      const answer = await get(`/v1/export/${kind}.parquet?from=${FROM}&to=${TO}`);
      const file = new Uint8Array(await answer.arrayBuffer());
      const { key_value_metadata: entries = [] } = parquetMetadata(file.buffer);
      const manifest = JSON.parse(entries.find(({ key }) => key === 'mintscope')?.value ?? '');
      expect(manifest).toMatchObject({ kind, rows: rows.length });
      expect(manifest.as_of_slot).toBe(Number(answer.headers.get('x-slot')));
      const read = await parquetReadObjects({ file: file.buffer });
      const cells = read.map((row) =>
        Object.fromEntries(Object.entries(row).map(([name, value]) => [name, toCell(value)])),
      );
      expect(cells).toEqual(rows.map(unquoted));
      const path = join(temporaryFolder(), 'export.parquet');
      writeFileSync(path, file);
      expect(await readByEngine(path, Object.keys(rows[0] ?? {}))).toEqual(rows.map(unquoted));
    },
  );

  test('of candles and bars of charts are those of /v1/market/ohlc', async () => {
    const range = `start=2025-03-11T10:00:00Z&end=2025-03-11T10:30:00Z`;
    const ohlcUrl = `/v1/market/ohlc?token_address=${MINT}&interval=30s&${range}`;
    const { timeframes } = await getJson<{
      readonly timeframes: { readonly '30s': readonly { timestamp: string; close: string }[] };
    }>(ohlcUrl);
    const candles = timeframes['30s'];
    expect(candles.length).toBeGreaterThan(0);
    const [from, to] = ['10:00', '10:30'].map(
      (time) => Date.parse(`2025-03-11T${time}:00Z`) / 1_000,
    );
    const historyUrl = `/udf/history?symbol=${MINT}&resolution=30S&from=${from}&to=${to}`;
    const bars = await getJson<{ readonly c: readonly number[] }>(historyUrl);
    expect(bars.c).toEqual(candles.map(({ close }) => Number(close)));
    const rows = await exported('candles', `&token_address=${MINT}`);
    const byTime = new Map(rows.map((row) => [row.timestamp, row]));
    const priced = candles.filter(({ timestamp }) => byTime.get(timestamp)?.usd_close !== '');
    expect(priced.length).toBeGreaterThan(0);
    for (const { timestamp, close } of priced) {
      expect(byTime.get(timestamp)).toMatchObject({ usd_close: close });
    }
  });
});
