import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, expect, test } from 'vitest';
import { refuseUnknownDatabase } from './refuse-unknown-database.ts';

const folder = mkdtempSync(join(tmpdir(), 'refuse-'));
afterAll(() => {
  rmSync(folder, { recursive: true });
});

test('another program’s database is not touched, nor its write-ahead log after a crash', () => {
  const database = new DatabaseSync(join(folder, 'running.sqlite'));
  database.exec('PRAGMA journal_mode = WAL; CREATE TABLE machines (name TEXT)');
  database.exec('PRAGMA wal_checkpoint(TRUNCATE); INSERT INTO machines VALUES (1)');
  for (const end of ['', '-wal']) {
    copyFileSync(join(folder, `running.sqlite${end}`), join(folder, `crashed.sqlite${end}`));
  }
  database.close();
  const image = () =>
    readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'hex')]);
  const before = image();
  expect(before.map(([name]) => name)).toContain('crashed.sqlite-wal');
  const refuse = () => refuseUnknownDatabase(join(folder, 'crashed.sqlite'), []);
  expect(refuse).toThrow('is of another program: name another data folder.');
  expect(image()).toEqual(before);
});
