import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { address } from '../support/build-transaction.ts';
import { RunningCommand, temporaryFolder, writeLines } from '../support/command-line.ts';
import { marketBlocks } from '../support/market-blocks.ts';

/** The service as a user starts it, over a small replayed market. */
describe('start --replay', () => {
  const cat = address('cat mint');
  let server: RunningCommand;
  let url = '';
  let key = '';

  beforeAll(async () => {
    const blocks = writeLines(temporaryFolder(), 'blocks.jsonl', marketBlocks(120));
    const dataDir = temporaryFolder();
    server = new RunningCommand([
      'start',
      '--replay',
      blocks,
      '--port',
      '0',
      '--data-dir',
      dataDir,
    ]);
    const line = await server.shows(/curl -H 'X-API-Key: (\S+)' (http:\S+)\/readyz/);
    [, key = '', url = ''] = line;
    await server.shows(/replay finished/);
  });

  afterAll(async () => {
    server.process.kill('SIGKILL');
    await server.finished;
  });

  const get = (path: string) => fetch(url + path, { headers: { 'x-api-key': key } });
  const json = async (path: string) => (await (await get(path)).json()) as Record<string, unknown>;

  test('prints a curl line that works', async () => {
    const answer = await get('/readyz');
    expect(answer.status).toBe(200);
  });

  test('serves the token, its candles and its pool', async () => {
    expect(await json(`/v1/token/${cat}`)).toMatchObject({
      token: { token_address: cat, decimals: 6, name: null },
    });
    const ohlc = await json(
      `/v1/market/ohlc?token_address=${cat}&interval=30s&start=2023-11-14T22:00:00Z&end=2023-11-14T23:00:00Z`,
    );
    const { '30s': candles } = ohlc.timeframes as { '30s': { open: string; volume: string }[] };
    expect(candles.length).toBeGreaterThan(0);
    expect(candles.every(({ open }) => Number(open) > 0)).toBe(true);
    const pool = await json(`/v1/indicators/current?pair_address=${address('cat-sol')}`);
    expect(pool).toMatchObject({ pair_address: address('cat-sol'), token_address: cat });
    expect(Number(pool.total_volume_usd)).toBeGreaterThan(0);
  });

  test('states how old and how complete an answer is', async () => {
    const { headers } = await get(`/v1/token/${cat}`);
    expect(headers.get('x-slot')).toBe('1119');
    expect(headers.get('x-complete')).toBe('true');
    expect(Number(headers.get('x-data-age-ms'))).toBeGreaterThan(0);
  });

  test('counts applied slots in its metrics', async () => {
    const text = await (await get('/metrics')).text();
    expect(text).toContain('mintscope_events_total{kind="swap"} 360');
    expect(text).toContain('outcome="event"');
    expect(text).not.toContain(key);
  });

  test('ends on SIGTERM within ten seconds with exit code 0', async () => {
    server.process.kill('SIGTERM');
    const { exitCode, stderr } = await server.finished;
    expect(exitCode).toBe(0);
    expect(stderr).toContain('stopped');
    expect(stderr).not.toContain(key);
  });
});
