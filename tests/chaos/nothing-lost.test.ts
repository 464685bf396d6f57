import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import { Random } from '../../simulator/random/random.ts';
import { temporaryFolder } from '../support/command-line.ts';
import { alter, alterControl, CalmFolder, reopen } from '../support/lost-folder.ts';
import { storedRows } from '../support/stored-rows.ts';

const WRITER = fileURLToPath(new URL('../support/store-until-killed.ts', import.meta.url));
const SLOTS = 120;
const KILLS = 4;
const KILL_MS = 1_500;

/** Kills a writer this long after it opened the folder; returns the losses it reported. */
async function killWriter(dataDir: string, begin: number, afterMs: number): Promise<string[]> {
  const lost: string[] = [];
  const child = spawn(process.execPath, [WRITER, dataDir, String(SLOTS), String(begin)], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, NODE_NO_WARNINGS: '1', UV_THREADPOOL_SIZE: '16' },
  });
  const exited = once(child, 'exit');
  for await (const line of createInterface({ input: child.stdout })) {
    if (line !== 'open') lost.push(line);
    else void delay(afterMs).then(() => child.kill('SIGKILL'));
  }
  expect((await exited)[1]).toBe('SIGKILL');
  return lost;
}

describe('a folder without losses (G10)', () => {
  const calm = new CalmFolder(SLOTS, 2);

  beforeAll(() => calm.fill());

  test('raises no alarm, also after repeated kills during writes and folds', async () => {
    const dataDir = temporaryFolder();
    const random = new Random('kills of a folder that loses nothing');
    for (let kill = 0; kill < KILLS; kill++) {
      const begin = Math.floor(random.between(0, SLOTS - 20));
      expect(await killWriter(dataDir, begin, random.between(0, KILL_MS))).toEqual([]);
    }
    const whole = await reopen(dataDir, calm.facts);
    expect(whole.lost).toEqual([]);
    expect(whole.digest).toBe(calm.digest);
    expect(await storedRows(dataDir)).toEqual(calm.rows);
  });

  test('raises no alarm after merges, late slots and a fold by other rules', async () => {
    const dataDir = calm.copy();
    await alter(dataDir, ['OPTIMIZE TABLE swaps FINAL', 'OPTIMIZE TABLE slot_log FINAL']);
    expect((await reopen(dataDir)).lost).toEqual([]);
    alterControl(dataDir, "UPDATE meta SET value = 'other rules' WHERE name = 'fold_rules'");
    const refolded = await reopen(dataDir);
    expect(refolded.lost).toEqual([]);
    expect(refolded.refolds).toBe(1);
    expect((await reopen(dataDir)).lost).toEqual([]);
  });

  test('of an earlier version opens without an alarm, and is checked from then on', async () => {
    const dataDir = calm.copy();
    alterControl(
      dataDir,
      'DROP TABLE shared_marks; DROP TABLE rules; DROP TABLE backtests; DROP TABLE backtest_tries; ' +
        'DROP TABLE stored_parts; DROP TABLE control_sums; ALTER TABLE cursor DROP COLUMN dirty_from; ' +
        'ALTER TABLE cursor DROP COLUMN layers; ALTER TABLE trigger_firings DROP COLUMN comparisons; ' +
        'ALTER TABLE triggers DROP COLUMN target_kind; ' +
        'ALTER TABLE triggers RENAME COLUMN target_address TO pool; ' +
        'DELETE FROM schema_migrations WHERE number >= 7',
    );
    await alter(dataDir, [
      'ALTER TABLE schema_migrations DELETE WHERE number >= 6 SETTINGS mutations_sync = 2',
    ]);
    expect((await reopen(dataDir)).lost).toEqual([]);
    await alter(dataDir, [
      'ALTER TABLE candles DELETE WHERE trades > 0 SETTINGS mutations_sync = 2',
    ]);
    expect((await reopen(dataDir)).lost.join()).toContain('Stored rows of candles are lost');
    expect(await storedRows(dataDir)).toEqual(calm.rows);
  });
});
