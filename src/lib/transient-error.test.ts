import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, describe, expect, test } from 'vitest';
import { isTransientError } from './transient-error.ts';

const folder = mkdtempSync(join(tmpdir(), 'transient-'));

afterAll(() => {
  rmSync(folder, { recursive: true });
});

function errorOf(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  throw new Error('the work succeeded');
}

function systemError(code: string): Error {
  return Object.assign(new Error(code), { code });
}

function sqliteError(errcode: number): Error {
  return Object.assign(new Error('refused'), { code: 'ERR_SQLITE_ERROR', errcode });
}

describe('a transient error', () => {
  test.each(['ENOSPC', 'EDQUOT', 'EMFILE', 'ENFILE', 'EIO', 'EROFS'])('is %s', (code) => {
    expect(isTransientError(systemError(code))).toBe(true);
  });

  test.each(['ENOENT', 'EACCES', 'EPERM', 'EEXIST'])('is not %s', (code) => {
    expect(isTransientError(systemError(code))).toBe(false);
  });

  test.each([
    ['busy', 5],
    ['read-only', 8],
    ['a failing write', 778],
    ['a failing sync', 1_034],
    ['full', 13],
    ['impossible to open', 14],
  ])('is a database that is %s', (_, errcode) => {
    expect(isTransientError(sqliteError(errcode))).toBe(true);
  });

  test.each([
    ['broken', 11],
    ['not a database', 26],
    ['given a violated constraint', 19],
    ['moved away', 1_032],
    ['on a damaged file system', 8_458],
  ])('is not a database that is %s', (_, errcode) => {
    expect(isTransientError(sqliteError(errcode))).toBe(false);
  });

  test('is recognised as SQLite itself reports it', () => {
    const path = join(folder, 'a.sqlite');
    const database = new DatabaseSync(path, { timeout: 0 });
    database.exec('CREATE TABLE one (a INTEGER PRIMARY KEY); INSERT INTO one VALUES (1)');
    const other = new DatabaseSync(path, { timeout: 0 });
    other.exec('BEGIN IMMEDIATE');
    expect(isTransientError(errorOf(() => database.exec('INSERT INTO one VALUES (2)')))).toBe(true);
    other.exec('ROLLBACK');
    expect(isTransientError(errorOf(() => database.exec('INSERT INTO one VALUES (1)')))).toBe(
      false,
    );
    expect(isTransientError(errorOf(() => database.exec('no SQL')))).toBe(false);
    database.exec('PRAGMA max_page_count = 2');
    const large = () => database.exec('CREATE TABLE b (a); INSERT INTO b VALUES (zeroblob(99999))');
    expect(isTransientError(errorOf(large))).toBe(true);
    other.close();
    database.close();
  });

  test('is one that declares itself transient, and never a value that is not an error', () => {
    expect(isTransientError(Object.assign(new Error('full'), { isTransient: true }))).toBe(true);
    const fenced = Object.assign(new Error('full'), { isTransient: false, code: 'ENOSPC' });
    expect(isTransientError(fenced)).toBe(false);
    expect(isTransientError('ENOSPC')).toBe(false);
  });
});
