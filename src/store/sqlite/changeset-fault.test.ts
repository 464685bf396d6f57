import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { changesetFault } from './changeset-fault.ts';

const SCHEMA =
  'CREATE TABLE one (k TEXT, n INTEGER, v TEXT, r REAL, b BLOB, PRIMARY KEY (k, n)) WITHOUT ROWID; ' +
  'CREATE TABLE other (id INTEGER PRIMARY KEY, b BLOB)';

/** A changeset of SQLite with each kind of change and of value. */
function changeset(): Uint8Array {
  const database = new DatabaseSync(':memory:');
  database.exec(SCHEMA);
  database.exec("INSERT INTO one VALUES ('kept', 1, 'before', 1.5, NULL), ('gone', 2, '', 0, x'')");
  const session = database.createSession();
  database.exec(`INSERT INTO one VALUES ('new', -1, '${'é'.repeat(300)}', 2.5, x'0001')`);
  database.exec("UPDATE one SET v = 'after', r = NULL WHERE k = 'kept'");
  database.exec("DELETE FROM one WHERE k = 'gone'");
  database.exec('INSERT INTO other VALUES (9, zeroblob(20000))');
  const bytes = session.changeset();
  database.close();
  return bytes;
}

describe('the fault of a changeset', () => {
  it('is none for what SQLite made', () => {
    const tables: string[] = [];
    const isAllowed = (table: string) => tables.push(table) > 0;
    expect(changesetFault(changeset(), isAllowed)).toBeNull();
    expect(tables).toEqual(['one', 'other']);
    expect(changesetFault(new Uint8Array(), () => false)).toBeNull();
  });

  it('names a table that is not allowed', () => {
    expect(changesetFault(changeset(), (table) => table === 'one')).toBe(
      'it changes the table "other"',
    );
  });

  it('is found wherever the bytes end, except between two changes', () => {
    const bytes = changeset();
    let whole = 0;
    for (let length = 1; length < bytes.length; length++) {
      const cut = bytes.subarray(0, length);
      if (changesetFault(cut, () => true) === null) whole++;
    }
    // After the name of each table, and after each of the three first changes.
    expect(whole).toBe(5);
  });

  it('is found in other bytes', () => {
    for (const text of ['hello', 'T', 'T\0', `T\u0001\u0001${'x'.repeat(300)}`, '\u0012\0\0']) {
      expect(changesetFault(Buffer.from(text, 'latin1'), () => true)).toBe('it is not a changeset');
    }
  });
});
