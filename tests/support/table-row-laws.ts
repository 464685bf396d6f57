import type { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Form } from '../../src/store/sqlite/kind.ts';
import { prepareAll } from '../../src/store/sqlite/prepare-all.ts';
import type { ReadStatement, WriteStatement } from '../../src/store/sqlite/table-row.ts';

/** What any description offers, whatever its record is. */
interface DescribedRow {
  readonly table: string;
  readonly columns: readonly string[];
  readonly kind: { readonly form: Form };
  insert(): WriteStatement<never>;
  select(): ReadStatement<unknown>;
}

/**
 * Tests that the descriptions have exactly the columns that the migrations create, for every table
 * except those named as `others`, and that any record is read back equal.
 */
export function testDescribedRows(
  open: () => DatabaseSync,
  rows: readonly DescribedRow[],
  others: readonly string[],
): void {
  test('describe every table', () => {
    using database = open();
    const tables = database
      .prepare("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
      .all()
      .map(({ name }) => String(name));
    const known = [...rows.map(({ table }) => table), ...others, 'schema_migrations'];
    expect(known.sort()).toEqual(tables.filter((name) => name !== 'sqlite_sequence'));
  });

  test.each(rows)('of $table have the columns of the migrations', ({ table, columns }) => {
    using database = open();
    const created = database.prepare('SELECT name FROM pragma_table_info(?)').all(table);
    expect(columns).toEqual(created.map(({ name }) => name));
  });

  test.each(rows)('of $table are read back as they were written', (row) => {
    using database = open();
    // Single rows of any content: what they refer to, and the limits of their values, are left out.
    database.exec('PRAGMA foreign_keys = OFF; PRAGMA ignore_check_constraints = ON');
    const { add, all } = prepareAll(database, { add: row.insert(), all: row.select() });
    fc.assert(
      fc.property(arbitraryOf(row.kind.form), (record) => {
        database.exec('BEGIN');
        add.run(record as never);
        const found = all.all();
        database.exec('ROLLBACK');
        expect(found).toEqual([record]);
      }),
    );
  });
}

const BASE58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
const arbitraryText = fc.string({ unit: 'binary' });

/** Values of the simple forms. */
const ARBITRARY: Readonly<Record<Extract<Form, string>, fc.Arbitrary<unknown>>> = {
  text: arbitraryText,
  integer: fc.maxSafeInteger(),
  flag: fc.boolean(),
  bytes: fc.uint8Array(),
  address: fc.string({ unit: fc.constantFrom(...BASE58), minLength: 32, maxLength: 44 }),
  slot: fc.maxSafeNat(),
  json: fc.json().map((json) => JSON.parse(json)),
  'bigint json': fc.record({ amount: fc.bigInt(), name: arbitraryText }),
  words: fc.array(fc.stringMatching(/^[a-z:.]+$/)),
};

function arbitraryOf(form: Form): fc.Arbitrary<unknown> {
  if (typeof form === 'string') return ARBITRARY[form];
  if ('oneOf' in form) return fc.constantFrom(...form.oneOf);
  if ('nullable' in form) return fc.option(arbitraryOf(form.nullable));
  const members = Object.entries(form.group).map(([name, member]) => [name, arbitraryOf(member)]);
  return fc.record(Object.fromEntries(members));
}
