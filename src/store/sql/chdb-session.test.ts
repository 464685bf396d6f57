import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openChdbSession } from './chdb-session.ts';
import { COMMON_SETTINGS, type SqlSession, TIMEOUT_EXCEEDED } from './sql-session.ts';

describe('sessions of the engine in this process', () => {
  let folder: string;
  let one: SqlSession;
  let other: SqlSession;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'chdb-'));
    one = await openChdbSession(folder, { ...COMMON_SETTINGS, max_execution_time: 1 });
    other = await openChdbSession(folder, { ...COMMON_SETTINGS, max_threads: 1 });
  });

  afterAll(async () => {
    await one.close();
    await other.close();
    rmSync(folder, { recursive: true });
  });

  test('do not wait for each other, with or without parameters', async () => {
    const order: string[] = [];
    await Promise.all([
      one.rows('SELECT sleep({s:Float64})', { s: 0.3 }).then(() => order.push('slow')),
      other.rows('SELECT {n:UInt8}', { n: 1 }).then(() => order.push('quick')),
    ]);
    expect(order).toEqual(['quick', 'slow']);
  });

  test('have separate parameters', async () => {
    const answersOf = async (session: SqlSession, name: string) => {
      const answers = new Set<string>();
      for (let index = 0; index < 100; index++) {
        const [row] = await session.rows<{ v: string }>('SELECT {v:String} AS v', {
          v: `${name}${index}`,
        });
        answers.add(row?.v ?? '');
      }
      return answers;
    };
    const expected = (name: string) =>
      new Set(Array.from({ length: 100 }, (_, index) => `${name}${index}`));
    const [ofOne, ofOther] = await Promise.all([answersOf(one, 'a'), answersOf(other, 'b')]);
    expect(ofOne).toEqual(expected('a'));
    expect(ofOther).toEqual(expected('b'));
  });

  test('have separate settings', async () => {
    const sql = "SELECT getSetting('max_execution_time') AS s";
    expect(await one.rows(sql, {})).toEqual([{ s: 1 }]);
    expect(await other.rows(sql, {})).toEqual([{ s: 0 }]);
  });

  test("end a query at the time limit, with the engine's code", async () => {
    const endless = one.rows('SELECT count() FROM numbers(1e12) WHERE sipHash64(number) = 0', {});
    await expect(endless).rejects.toMatchObject({ name: 'SqlError', code: TIMEOUT_EXCEEDED });
    expect(await one.rows('SELECT 1 AS n', {})).toEqual([{ n: 1 }]);
  });

  test('share an engine that leaves most of the memory free', async () => {
    const rows = await one.rows(
      'SELECT name, value FROM system.server_settings ' +
        "WHERE name IN ('max_server_memory_usage', 'mark_cache_size') ORDER BY name",
      {},
    );
    expect(rows).toEqual([
      { name: 'mark_cache_size', value: '67108864' },
      { name: 'max_server_memory_usage', value: '1500000000' },
    ]);
  });

  test('return 64-bit integers as text and smaller ones as numbers', async () => {
    expect(
      await one.rows('SELECT toUInt64(1) AS a, toInt256(-1) AS b, toUInt32(2) AS c', {}),
    ).toEqual([{ a: '1', b: '-1', c: 2 }]);
  });
});
