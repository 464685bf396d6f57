import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDataPlane } from '../data-plane.ts';
import { openChdbSession } from '../sql/chdb-session.ts';
import { createDatabase, createTable, SINGLE_NODE } from '../sql/deployment.ts';
import { COMMON_SETTINGS } from '../sql/sql-session.ts';
import { FIRST_TABLES } from './0001-first-tables.ts';

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'migrations-'));
});

afterAll(() => rmSync(folder, { recursive: true }));

/** Each table with its definition, and the recorded migrations, as the engine has them. */
async function schemaOf(dataDir: string) {
  const plane = await openDataPlane({ dataDir });
  try {
    return {
      tables: await plane.fast.rows(
        'SELECT name, create_table_query FROM system.tables WHERE database = currentDatabase() ORDER BY name',
      ),
      migrations: await plane.fast.rows(
        'SELECT number, name, checksum FROM schema_migrations FINAL ORDER BY number',
      ),
    };
  } finally {
    await plane.close();
  }
}

test('a new database has the tables that one migration after another leaves', async () => {
  const atOnce = await schemaOf(join(folder, 'new'));
  // What a start leaves that was killed before it recorded its first migration.
  const interrupted = join(folder, 'interrupted');
  const session = await openChdbSession(interrupted, COMMON_SETTINGS);
  const [table] = FIRST_TABLES;
  if (table === undefined) throw new Error('there is no first table');
  await session.command(createDatabase('mintscope', SINGLE_NODE), {});
  await session.command('USE mintscope', {});
  for (const statement of createTable(table, SINGLE_NODE)) await session.command(statement, {});
  await session.close();
  const oneByOne = await schemaOf(interrupted);
  expect(atOnce).toEqual(oneByOne);
  expect(atOnce.tables.length).toBeGreaterThan(20);
  expect(atOnce.migrations).toHaveLength(14);
});

test('a creation that was interrupted is completed', async () => {
  const dataDir = join(folder, 'dropped');
  const whole = await schemaOf(dataDir);
  const plane = await openDataPlane({ dataDir });
  await plane.writer.command('DROP TABLE swaps_by_token');
  await plane.writer.command('TRUNCATE TABLE schema_migrations');
  await plane.close();
  expect(await schemaOf(dataDir)).toEqual(whole);
});
