import { describe, expect, test } from 'vitest';
import { transports, useDataPlane } from '../../tests/support/data-planes.ts';
import { TOLERATE_BROKEN_PARTS } from './migrations/0006-tolerate-broken-parts.ts';
import type { Lane } from './sql/lane.ts';

/** The settings of all queries in a lane of the production data plane. */
async function settingsOf(lane: Lane): Promise<Record<string, string>> {
  const rows = await lane.rows<{ name: string; value: string }>(
    'SELECT name, value FROM system.settings WHERE changed',
  );
  return Object.fromEntries(rows.map(({ name, value }) => [name, value]));
}

const BOOKKEEPING = new Set(['schema_migrations', 'store_owners', 'log_starts']);
const REFUSE_BROKEN_PARTS = [
  'max_suspicious_broken_parts = 0',
  'max_suspicious_broken_parts_bytes = 0',
];

describe.each(transports)('H-10 the data plane %s', (_, open) => {
  const opened = useDataPlane(open);

  test('bounds time, memory and threads of answers to clients', async () => {
    expect(await settingsOf(opened.plane.fast)).toMatchObject({
      max_execution_time: '5',
      max_memory_usage: '400000000',
      max_threads: '1',
    });
  });

  test('bounds time and memory of long reads, and memory of writes', async () => {
    expect(await settingsOf(opened.plane.heavy)).toMatchObject({
      max_execution_time: '600',
      max_memory_usage: '1000000000',
    });
    expect(await settingsOf(opened.plane.writer)).toMatchObject({ max_memory_usage: '1000000000' });
  });

  test('ends a client’s query that exceeds its memory limit, and answers the next one', async () => {
    const greedy = 'SELECT length(groupArray(number)) FROM numbers(200000000)';
    await expect(opened.plane.fast.rows(greedy)).rejects.toMatchObject({ status: 503 });
    expect(await opened.plane.fast.rows('SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });

  test('acknowledges an insert once its rows are stored', async () => {
    const [row] = await opened.plane.writer.rows<{ value: string }>(
      "SELECT value FROM system.settings WHERE name = 'async_insert'",
    );
    expect(row?.value).toBe('0');
  });

  test('syncs rows and folders of every table to disk, and opens tables that can be rebuilt without broken parts', async () => {
    const tables = await opened.plane.heavy.rows<{ name: string; engine_full: string }>(
      "SELECT name, engine_full FROM system.tables WHERE database = 'mintscope' AND engine LIKE '%MergeTree'",
    );
    expect(tables.length).toBeGreaterThan(10);
    for (const { name, engine_full: settings } of tables) {
      const [, list = ''] = settings.split('SETTINGS ');
      // These tables cannot be rebuilt: if they are damaged, the store is not opened.
      const broken = BOOKKEEPING.has(name.replace(/_local$/, ''))
        ? REFUSE_BROKEN_PARTS
        : TOLERATE_BROKEN_PARTS;
      expect(list.split(', '), name).toEqual(
        expect.arrayContaining(['fsync_after_insert = 1', 'fsync_part_directory = 1', ...broken]),
      );
    }
  });
});
