import { rmSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { DERIVED_TABLES } from '../../src/store/migrations/tables.ts';
import { alter, CalmFolder, partFolders, reopen } from '../support/lost-folder.ts';
import { storedRows } from '../support/stored-rows.ts';

describe('derived rows that are lost while the service is stopped (H-04)', () => {
  const calm = new CalmFolder(240, 3);
  /** The market has no bundles, fraud or signals: their tables are empty. */
  let filled: readonly string[] = [];

  beforeAll(async () => {
    await calm.fill();
    const counts = calm.rows as Record<string, { readonly rows: string }>;
    filled = DERIVED_TABLES.map(({ name }) => name).filter((name) => counts[name]?.rows !== '0');
  });

  async function expectRefilled(dataDir: string, tables: readonly string[]): Promise<void> {
    const { lost, missing, refolds, digest } = await reopen(dataDir);
    for (const table of tables) {
      expect(lost.join('\n')).toContain(`Stored rows of ${table} are lost`);
    }
    expect(refolds).toBe(1);
    expect(missing).toEqual([]);
    expect(digest).toBe(calm.digest);
    expect(await storedRows(dataDir)).toEqual(calm.rows);
    expect((await reopen(dataDir)).lost).toEqual([]);
  }

  test('the loss of all candles but one is reported, and they are rebuilt', async () => {
    const dataDir = calm.copy();
    await alter(dataDir, [
      'ALTER TABLE candles DELETE WHERE (scope, open_time_ms) != ' +
        '(SELECT scope, open_time_ms FROM candles ORDER BY open_time_ms LIMIT 1) SETTINGS mutations_sync = 2',
    ]);
    await expectRefilled(dataDir, ['candles']);
  });

  test('the loss of a single row of each table is reported, and it is rebuilt', async () => {
    expect(filled.length).toBeGreaterThanOrEqual(8);
    const dataDir = calm.copy();
    await alter(
      dataDir,
      DERIVED_TABLES.filter(({ name }) => filled.includes(name)).map(({ name, orderBy }) => {
        const key = orderBy.join(', ');
        return `ALTER TABLE ${name} DELETE WHERE (${key}) = (SELECT ${key} FROM ${name} ORDER BY ${key} LIMIT 1) SETTINGS mutations_sync = 2`;
      }),
    );
    await expectRefilled(dataDir, filled);
  });

  test.each([
    ['by a lightweight delete', 'DELETE FROM swaps WHERE side = 1'],
    ['with their partitions', "ALTER TABLE swaps DROP PARTITION ID '1-202311'"],
    ['by emptying the table', 'TRUNCATE TABLE swaps'],
    ['with their table', 'DROP TABLE swaps SYNC'],
  ])(
    'swaps removed %s are reported and rebuilt',
    async (_, statement) => {
      const dataDir = calm.copy();
      await alter(dataDir, [statement]);
      await expectRefilled(dataDir, ['swaps']);
    },
    60_000,
  );

  test('the loss of a part of each table is reported, and it is rebuilt', async () => {
    const dataDir = calm.copy();
    const folders: string[] = [];
    for (const table of filled) folders.push((await partFolders(dataDir, table))[0] ?? '');
    for (const folder of folders) rmSync(folder, { recursive: true });
    await expectRefilled(dataDir, filled);
  });
});
