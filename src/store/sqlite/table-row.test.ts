import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { StoreError } from '../../model/errors.ts';
import { asSlot } from '../../model/units.ts';
import {
  address,
  column,
  flag,
  group,
  integer,
  json,
  nullable,
  oneOf,
  slot,
  text,
} from './kind.ts';
import { prepareAll } from './prepare-all.ts';
import { rowsOf, singleValue, tableRow } from './table-row.ts';

const THINGS = tableRow('things', {
  key: column('thing_key', integer),
  firstSlot: slot,
  size: nullable(group({ width: integer, height: integer })),
  state: oneOf(['new', 'old']),
  isSeen: flag,
  tags: json<readonly string[]>(),
});

const THING = {
  ...{ key: 1, firstSlot: asSlot(7), size: { width: 3, height: 4 }, state: 'new' as const },
  ...{ isSeen: true, tags: ['a'] },
};

const STATEMENTS = {
  add: THINGS.insert(),
  upsert: THINGS.only('key', 'state', 'firstSlot', 'isSeen', 'tags').upsert('key'),
  look: THINGS.only('isSeen', 'state').update('WHERE thing_key = ?'),
  all: THINGS.select('ORDER BY thing_key'),
  sizes: THINGS.only('key', 'size').select(),
  age: THINGS.without('size', 'tags').returning("UPDATE things SET state = 'old'"),
  states: rowsOf({ state: text, held: integer }, 'SELECT state, count(*) FROM things GROUP BY 1'),
  count: singleValue(integer, 'SELECT count(*) FROM things'),
};

let database: DatabaseSync;

beforeEach(() => {
  database = new DatabaseSync(':memory:');
  database.exec(
    'CREATE TABLE things (thing_key INTEGER PRIMARY KEY, first_slot, width, height, state, ' +
      'is_seen, tags)',
  );
});

afterEach(() => database.close());

describe('statements of a described row', () => {
  test('name the columns of its fields', () => {
    expect(THINGS.columns).toEqual([
      ...['thing_key', 'first_slot', 'width', 'height', 'state', 'is_seen', 'tags'],
    ]);
    expect(STATEMENTS.sizes.sql).toBe('SELECT thing_key, width, height FROM things ');
  });

  test('write and read some or all of the fields', () => {
    const { add, all, sizes, age, states, count } = prepareAll(database, STATEMENTS);
    expect([all.get(), count.get()]).toEqual([null, 0]);
    add.run(THING);
    add.run({ ...THING, key: 2, size: null });
    expect(all.all()).toEqual([THING, { ...THING, key: 2, size: null }]);
    expect([...sizes.iterate()]).toEqual([
      { key: 1, size: THING.size },
      { key: 2, size: null },
    ]);
    expect(age.all()).toEqual([
      { key: 1, firstSlot: 7, state: 'old', isSeen: true },
      { key: 2, firstSlot: 7, state: 'old', isSeen: true },
    ]);
    expect(states.all()).toEqual([{ state: 'old', held: 2 }]);
  });

  test('replace only the fields that they have', () => {
    const { add, upsert, look, all } = prepareAll(database, STATEMENTS);
    add.run(THING);
    const changed = { ...THING, firstSlot: asSlot(8), tags: [] };
    upsert.run({ ...changed, ...{ size: null } });
    expect(all.all()).toEqual([changed]);
    look.run({ ...THING, isSeen: false }, THING.key);
    expect(all.all()).toEqual([{ ...changed, isSeen: false }]);
  });
});

describe('a row that no record is written as', () => {
  test.each<[string, SQLInputValue, string]>([
    ['first_slot', -1, '-1 is not a slot'],
    ['first_slot', 1.5, '"1.5" is not an integer'],
    ['first_slot', null, '"null" is not an integer'],
    ['height', null, '"null" is not an integer'],
    ['state', 'lost', '"lost" is not one of new, old'],
    ['is_seen', 2, '"2" is not a flag'],
    ['tags', 5, '"5" is not text'],
    ['tags', '[', 'Unexpected end of JSON input'],
  ])('is refused for its %s %s', (name, cell, reason) => {
    const { add, all } = prepareAll(database, STATEMENTS);
    add.run(THING);
    database.prepare(`UPDATE things SET ${name} = ?`).run(cell);
    const message = `A row of things cannot be read: ${reason}`;
    expect(() => all.all()).toThrow(new StoreError(message));
    expect(() => all.get()).toThrow(StoreError);
    expect(() => [...all.iterate()]).toThrow(StoreError);
  });

  test('is refused for what is not an address', () => {
    const { one } = prepareAll(database, { one: singleValue(address, "SELECT 'nowhere'") });
    expect(() => one.get()).toThrow('A row of result cannot be read: "nowhere" is not an address');
  });
});
