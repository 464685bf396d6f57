import { beforeAll, describe, expect, test } from 'vitest';
import { address } from '../support/build-transaction.ts';
import { RunningCommand, runCommand } from '../support/command-line.ts';
import { alter, CalmFolder, reopen } from '../support/lost-folder.ts';

const KEY = 'a-key-of-a-test-of-lost-data-0123456789';
const MINT = address('cat mint');
const FIRST_MS = 1_700_000_000_000;
const REMOVE_SLOTS =
  'ALTER TABLE slot_log DELETE WHERE slot >= 1050 AND slot < 1060 SETTINGS mutations_sync = 2';
const REMOVE_CANDLES = 'ALTER TABLE candles DELETE WHERE trades > 0 SETTINGS mutations_sync = 2';

/** Starts the service on a folder, asks it, and ends it. */
async function served(dataDir: string) {
  const args = ['start', '--no-simulate', '--data-dir', dataDir, '--port', '0'];
  const command = new RunningCommand([...args, '--sol-usd-fallback', '150'], {
    MINTSCOPE_BOOTSTRAP_KEY: KEY,
  });
  try {
    const [, port] = await command.shows(/"port":(\d+).*"msg":"listening"/, 60_000);
    const get = async (path: string) => {
      const response = await fetch(`http://127.0.0.1:${port}${path}`, {
        headers: { 'x-api-key': KEY },
      });
      return { headers: response.headers, text: await response.text() };
    };
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

describe('a service started on a folder that lost something (G10)', () => {
  const calm = new CalmFolder(240, 2);
  let whole: Awaited<ReturnType<typeof served>>;

  beforeAll(async () => {
    await calm.fill();
    whole = await served(calm.copy());
  }, 180_000);

  test('says of a whole folder that nothing is missing', () => {
    expect(whole.candles.headers.get('x-complete')).toBe('true');
    expect(whole.metrics).toContain('mintscope_missing_slots 0');
    expect(JSON.parse(whole.ready).checks.store_whole).toEqual({
      ok: true,
      detail: 'no damage is known',
    });
  });

  test('names lost slots on the readiness page, in the metrics, the log and the header', async () => {
    const dataDir = calm.copy();
    await alter(dataDir, [REMOVE_SLOTS]);
    const { ready, metrics, candles, printed } = await served(dataDir);
    expect(JSON.parse(ready).checks.gaps.detail).toContain('1050-1059 (the store lost');
    expect(metrics).toContain('mintscope_missing_slots 10');
    expect(metrics).toContain('mintscope_store_losses_total{kind="slots-lost"} 1');
    expect(printed()).toMatch(/"level":50.*slots 1050 to 1059 of the log are lost/);
    expect(candles.headers.get('x-complete')).toBe('false');
  }, 120_000);

  test('answers with all candles again, of which it had none', async () => {
    const dataDir = calm.copy();
    await alter(dataDir, [REMOVE_CANDLES]);
    const { candles, printed } = await served(dataDir);
    expect(printed()).toMatch(/"level":50.*Stored rows of candles are lost/);
    expect(JSON.parse(candles.text)).toEqual(JSON.parse(whole.candles.text));
    expect(candles.headers.get('x-complete')).toBe('true');
  }, 120_000);
});

describe('mintscope check', () => {
  const calm = new CalmFolder(120, 2);

  beforeAll(() => calm.fill(), 120_000);

  async function check(dataDir: string, ...options: string[]) {
    const args = [
      'check',
      '--data-dir',
      dataDir,
      '--sol-usd-fallback',
      '150',
      '--json',
      ...options,
    ];
    const { exitCode, stdout, stderr } = await runCommand(args);
    return { exitCode, stderr, summary: stdout === '' ? null : JSON.parse(stdout) };
  }

  test('says of a whole folder that it is, and how much was read', async () => {
    const { exitCode, summary } = await check(calm.copy());
    expect(exitCode).toBe(0);
    expect(summary).toMatchObject({ is_whole: true, findings: [], missing_slots: 0 });
    expect(summary.read.parts).toBe(summary.read.parts_total);
    expect(summary.read.bytes).toBe(summary.read.bytes_total);
    expect(summary.read.bytes).toBeGreaterThan(10_000);
  }, 60_000);

  test('names what is lost and changes nothing; with --repair it is filled again', async () => {
    const dataDir = calm.copy();
    await alter(dataDir, [REMOVE_CANDLES]);
    for (const _ of ['first', 'second']) {
      const { exitCode, summary } = await check(dataDir, '--sample');
      expect(exitCode).toBe(1);
      expect(summary.findings.map(({ kind }: { kind: string }) => kind)).toContain('rows-lost');
    }
    const repaired = await check(dataDir, '--repair');
    expect(repaired).toMatchObject({ exitCode: 0, summary: { is_whole: true, is_repaired: true } });
    expect((await check(dataDir)).exitCode).toBe(0);
    expect(await reopen(dataDir)).toMatchObject({ lost: [], digest: calm.digest });
  }, 120_000);

  test('ends with 1 while slots are missing, also once they are named', async () => {
    const dataDir = calm.copy();
    await alter(dataDir, [REMOVE_SLOTS]);
    expect((await check(dataDir)).exitCode).toBe(1);
    const repaired = await check(dataDir, '--repair');
    expect(repaired).toMatchObject({ exitCode: 1, summary: { missing_slots: 10 } });
  }, 120_000);

  test('ends with 2 where there is no folder, or somebody uses it', async () => {
    expect((await check(`${calm.path}-elsewhere`)).exitCode).toBe(2);
    const dataDir = calm.copy();
    const holder = new RunningCommand([
      'start',
      '--no-simulate',
      '--data-dir',
      dataDir,
      '--port',
      '0',
    ]);
    await holder.shows(/"msg":"listening"/, 60_000);
    const { exitCode, stderr } = await check(dataDir);
    holder.process.kill('SIGTERM');
    await holder.finished;
    expect(exitCode).toBe(2);
    expect(stderr).toContain('in use by another process');
  }, 120_000);
});
