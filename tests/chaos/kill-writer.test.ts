import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openDataPlane } from '../../src/store/data-plane.ts';
import { openStore } from '../../src/store/store.ts';
import { address } from '../support/build-transaction.ts';

const WRITER = fileURLToPath(new URL('../support/write-slots.ts', import.meta.url));
const SWAPS_PER_SLOT = 20;

/** Runs the writer from `first`, and kills it `delayMs` after it stored `count` slots. */
async function killDuringWrites(
  dataDir: string,
  first: number,
  count: number,
  delayMs: number,
): Promise<{ readonly stored: number; readonly moved: number }> {
  const progress = { stored: first - 1, moved: first - 1 };
  const child = spawn(process.execPath, [WRITER, dataDir, String(first)], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, NODE_NO_WARNINGS: '1' },
  });
  const exited = once(child, 'exit');
  for await (const line of createInterface({ input: child.stdout })) {
    const [step, slot] = line.split(' ');
    progress[step as 'stored' | 'moved'] = Number(slot);
    if (line === `stored ${first + count - 1}`) setTimeout(() => child.kill('SIGKILL'), delayMs);
  }
  const [, signal] = await exited;
  expect(signal).toBe('SIGKILL');
  return progress;
}

describe('a process killed while it writes (F-01)', () => {
  let dataDir: string;
  /** The last slot that any of the killed processes acknowledged. */
  let storedMax = 0;

  beforeAll(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'kill-'));
  });

  afterAll(() => {
    rmSync(dataDir, { recursive: true });
  });

  // Five kills of one folder, each at another point of a batch.
  test.each([
    [1, 0],
    [3, 3],
    [2, 7],
    [4, 12],
    [2, 20],
  ])(
    'after %i slots and %i ms has lost no acknowledged slot, and its cursor is not ahead',
    async (count, delayMs) => {
      const before = await openStore({ dataDir });
      const from = (before.cursor.read().slot ?? 0) + 1;
      await before.close();

      const progress = await killDuringWrites(dataDir, from, count, delayMs);

      const after = await openStore({ dataDir });
      const cursor = Number(after.cursor.read().slot ?? 0);
      const log: number[] = [];
      for await (const facts of after.log.read()) log.push(facts.slot);
      const candles = await after.candles.read({
        scope: address('pool'),
        fromMs: 0,
        toMs: Number.MAX_SAFE_INTEGER,
        intervalMs: 30_000,
      });
      await after.close();

      storedMax = Math.max(storedMax, progress.stored);
      expect(progress.stored).toBeGreaterThanOrEqual(from + count - 1);
      expect(log).toEqual(Array.from(log, (_, index) => index + 1));
      expect(log.length).toBeGreaterThanOrEqual(progress.stored);
      expect(candles.length).toBeGreaterThanOrEqual(progress.stored);
      expect(cursor).toBeGreaterThanOrEqual(progress.moved);
      expect(cursor).toBeLessThanOrEqual(log.length);
      expect(cursor).toBeLessThanOrEqual(candles.length);
    },
  );

  test('has every row once after a restart', async () => {
    const plane = await openDataPlane({ dataDir: join(dataDir, 'clickhouse') });
    const rows = await plane.heavy.rows<{ slot: string; n: string }>(
      'SELECT slot, count() AS n FROM swaps FINAL GROUP BY slot ORDER BY slot',
    );
    const [logged] = await plane.heavy.rows<{ n: string }>(
      'SELECT count() AS n FROM slot_log FINAL',
    );
    await plane.close();
    // Only the last slot, of a batch that was never acknowledged, may lack its swaps.
    expect([Number(logged?.n), Number(logged?.n) - 1]).toContain(rows.length);
    expect(rows.map(({ slot }) => Number(slot))).toEqual(rows.map((_, index) => index + 1));
    expect(rows.length).toBeGreaterThanOrEqual(storedMax);
    expect(storedMax).toBeGreaterThan(0);
    expect(new Set(rows.map(({ n }) => Number(n)))).toEqual(new Set([SWAPS_PER_SLOT]));
  });
});
