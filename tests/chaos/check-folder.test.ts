import { beforeAll, describe, expect, test } from 'vitest';
import { RunningCommand, runCommand } from '../support/command-line.ts';
import { alter, CalmFolder, reopen } from '../support/lost-folder.ts';

const REMOVE_SLOTS =
  'ALTER TABLE slot_log DELETE WHERE slot >= 1050 AND slot < 1060 SETTINGS mutations_sync = 2';
const REMOVE_CANDLES = 'ALTER TABLE candles DELETE WHERE trades > 0 SETTINGS mutations_sync = 2';

describe('mintscope check', () => {
  const calm = new CalmFolder(120, 2);

  beforeAll(() => calm.fill());

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

  test('reports an undamaged folder as whole, and how much was read', async () => {
    const { exitCode, summary } = await check(calm.copy());
    expect(exitCode).toBe(0);
    expect(summary).toMatchObject({ is_whole: true, findings: [], missing_slots: 0 });
    expect(summary.read.parts).toBe(summary.read.parts_total);
    expect(summary.read.bytes).toBe(summary.read.bytes_total);
    expect(summary.read.bytes).toBeGreaterThan(10_000);
  });

  test('reports lost rows and changes nothing; with --repair it restores them', async () => {
    const dataDir = calm.copy();
    await alter(dataDir, [REMOVE_CANDLES]);
    const { exitCode, summary } = await check(dataDir, '--sample');
    expect(exitCode).toBe(1);
    expect(summary.findings.map(({ kind }: { kind: string }) => kind)).toContain('rows-lost');
    // The check changed nothing, so the loss is found again.
    const repaired = await check(dataDir, '--repair');
    expect(repaired).toMatchObject({ exitCode: 0, summary: { is_whole: true, is_repaired: true } });
    expect(repaired.summary.findings.map(({ kind }: { kind: string }) => kind)).toContain(
      'rows-lost',
    );
    expect(await reopen(dataDir)).toMatchObject({ lost: [], digest: calm.digest });
  });

  test('ends with 1 while slots are missing, also once they are recorded as missing', async () => {
    const dataDir = calm.copy();
    await alter(dataDir, [REMOVE_SLOTS]);
    expect((await check(dataDir)).exitCode).toBe(1);
    const repaired = await check(dataDir, '--repair');
    expect(repaired).toMatchObject({ exitCode: 1, summary: { missing_slots: 10 } });
  });

  test('ends with 2 when the folder does not exist or is in use', async () => {
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
    await holder.shows(/"msg":"listening"/, 180_000);
    const { exitCode, stderr } = await check(dataDir);
    holder.process.kill('SIGTERM');
    await holder.finished;
    expect(exitCode).toBe(2);
    expect(stderr).toContain('in use by another process');
  });
});
