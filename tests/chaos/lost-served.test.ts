import { beforeAll, describe, expect, test, vi } from 'vitest';
import { address } from '../support/build-transaction.ts';
import { RunningCommand } from '../support/command-line.ts';
import { alter, CalmFolder } from '../support/lost-folder.ts';

const KEY = 'a-key-of-a-test-of-lost-data-0123456789';
const MINT = address('cat mint');
/** A busy machine needs long to load the modules. */
const START_MS = 300_000;
const FIRST_MS = 1_700_000_000_000;
const REMOVE_SLOTS =
  'ALTER TABLE slot_log DELETE WHERE slot >= 1050 AND slot < 1060 SETTINGS mutations_sync = 2';
const REMOVE_CANDLES = 'ALTER TABLE candles DELETE WHERE trades > 0 SETTINGS mutations_sync = 2';

/** Starts the service on a folder, sends requests when it is ready, and stops it. */
async function served(dataDir: string) {
  const args = ['start', '--no-simulate', '--data-dir', dataDir, '--port', '0'];
  const command = new RunningCommand([...args, '--sol-usd-fallback', '150'], {
    MINTSCOPE_BOOTSTRAP_KEY: KEY,
  });
  try {
    const [, port] = await command.shows(/"port":(\d+).*"msg":"listening"/, START_MS);
    const get = async (path: string) => {
      const response = await fetch(`http://127.0.0.1:${port}${path}`, {
        headers: { 'x-api-key': KEY },
      });
      return { status: response.status, headers: response.headers, text: await response.text() };
    };
    const isReady = async () => (await get('/readyz')).status === 200;
    await vi.waitUntil(isReady, { timeout: START_MS });
    const start = new Date(FIRST_MS).toISOString();
    const end = new Date(FIRST_MS + 120_000).toISOString();
    return {
      ready: (await get('/readyz')).text,
      metrics: (await get('/metrics')).text,
      candles: await get(
        `/v1/market/ohlc?token_address=${MINT}&start=${start}&end=${end}&interval=30s`,
      ),
      printed: () => command.output,
    };
  } finally {
    command.process.kill('SIGTERM');
    await command.finished;
  }
}

describe('a service started on a damaged folder (G10)', () => {
  const calm = new CalmFolder(240, 2);
  let whole: Awaited<ReturnType<typeof served>>;

  beforeAll(async () => {
    await calm.fill();
    whole = await served(calm.copy());
  });

  test('reports for an undamaged folder that nothing is missing', () => {
    expect(whole.candles.headers.get('x-complete')).toBe('true');
    expect(whole.metrics).toContain('mintscope_missing_slots 0');
    expect(JSON.parse(whole.ready).checks.store_whole).toEqual({
      ok: true,
      detail: 'no damage is known',
    });
  });

  test('reports lost slots on the readiness page, in the metrics, the log and the header', async () => {
    const dataDir = calm.copy();
    await alter(dataDir, [REMOVE_SLOTS]);
    const { ready, metrics, candles, printed } = await served(dataDir);
    expect(ready).toContain('1050-1059 (the store lost');
    expect(metrics).toContain('mintscope_missing_slots 10');
    expect(metrics).toContain('mintscope_store_losses_total{kind="slots-lost"} 1');
    expect(printed()).toMatch(/"level":"error".*slots 1050 to 1059 of the log are lost/);
    expect(candles.headers.get('x-complete')).toBe('false');
  });

  test('answers with all candles after it lost them all', async () => {
    const dataDir = calm.copy();
    await alter(dataDir, [REMOVE_CANDLES]);
    const { candles, printed } = await served(dataDir);
    expect(printed()).toMatch(/"level":"error".*Stored rows of candles are lost/);
    expect(JSON.parse(candles.text)).toEqual(JSON.parse(whole.candles.text));
    expect(candles.headers.get('x-complete')).toBe('true');
  });
});
