import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { BUSY, buildFiring, ofPool, ofToken } from '../../../tests/support/build-trigger.ts';
import { OTHER_POOL, POOL } from '../../../tests/support/fake-api-deps.ts';
import { StoreError } from '../../model/errors.ts';
import { numberOf, type TriggerEvents } from '../../model/trigger.ts';
import { asLamports, asSlot } from '../../model/units.ts';
import { checksumOf } from '../migrations/migration.ts';
import { inTransaction } from '../sqlite/sqlite-transaction.ts';
import { CONTROL_MIGRATIONS } from './control-migrations.ts';
import { openControlPlane } from './control-plane.ts';
import { type FiringDraft, FiringLog } from './firings.ts';
import { StoredTriggers } from './triggers.ts';

const REQUEST = { accountId: 'one', triggerId: 'busy', target: ofPool(POOL), conditions: [BUSY] };
const NAME = { accountId: 'one', triggerId: 'busy' };
const HIGHER = [{ ...BUSY, value: '20' }];

let folder: string;
let database: DatabaseSync;
let nowMs = 0;

beforeEach(() => {
  nowMs = 1_000;
  folder = mkdtempSync(join(tmpdir(), 'triggers-'));
  database = openControlPlane(join(folder, 'control.sqlite'));
});

afterEach(() => {
  database.close();
  rmSync(folder, { recursive: true });
});

describe('A-12 stored triggers', () => {
  const stored = (triggersMax = 3) => new StoredTriggers(database, () => nowMs, { triggersMax });

  test('are stored once, however often the same trigger is added', () => {
    const triggers = stored();
    const first = triggers.add(REQUEST);
    nowMs = 2_000;
    const again = Array.from({ length: 100 }, () => triggers.add(REQUEST));
    expect(first).toMatchObject({ kind: 'changed', trigger: { ...REQUEST, createdAtMs: 1_000 } });
    expect(again).toEqual(Array(100).fill({ ...first, kind: 'same' }));
    expect(triggers.countOf('one')).toBe(1);
  });

  test('reserve an id for its content, within the account', () => {
    const triggers = stored();
    triggers.add(REQUEST);
    expect(triggers.add({ ...REQUEST, target: ofPool(OTHER_POOL) })).toEqual({ kind: 'taken' });
    // A token of the same address is another target.
    expect(triggers.add({ ...REQUEST, target: ofToken(POOL) })).toEqual({ kind: 'taken' });
    expect(triggers.add({ ...REQUEST, conditions: HIGHER })).toEqual({ kind: 'taken' });
    expect(triggers.add({ ...REQUEST, accountId: 'two' }).kind).toBe('changed');
  });

  test('of one account do not exceed its maximum', () => {
    const triggers = stored(2);
    const add = (triggerId: string) => triggers.add({ ...REQUEST, triggerId }).kind;
    expect([add('a'), add('b'), add('c'), add('a')]).toEqual([
      'changed',
      'changed',
      'full',
      'same',
    ]);
    triggers.remove({ accountId: 'one', triggerId: 'a' });
    expect(add('c')).toBe('changed');
  });

  test('have all conditions replaced by an update, with a new revision', () => {
    const triggers = stored();
    triggers.add(REQUEST);
    nowMs = 2_000;
    const updated = triggers.update(NAME, { conditions: HIGHER });
    expect(updated).toMatchObject({
      kind: 'changed',
      trigger: { conditions: HIGHER, revision: 2, createdAtMs: 1_000, updatedAtMs: 2_000 },
    });
    nowMs = 3_000;
    expect(triggers.update(NAME, { conditions: HIGHER })).toEqual({ ...updated, kind: 'same' });
    expect(triggers.update({ ...NAME, accountId: 'two' }, { conditions: HIGHER })).toEqual({
      kind: 'unknown',
    });
  });

  test('never reuse the key of a removed trigger', () => {
    const triggers = stored();
    const keyOf = (change: ReturnType<typeof triggers.add>) =>
      'trigger' in change ? change.trigger.key : null;
    const first = keyOf(triggers.add(REQUEST));
    expect(triggers.remove(NAME).kind).toBe('changed');
    expect(triggers.remove(NAME)).toEqual({ kind: 'unknown' });
    expect(keyOf(triggers.add(REQUEST))).toBeGreaterThan(first ?? Number.NaN);
  });

  test('are listed oldest first, also all of them at a start', () => {
    const triggers = stored();
    for (const triggerId of ['c', 'a', 'b']) triggers.add({ ...REQUEST, triggerId });
    triggers.add({ ...REQUEST, accountId: 'two' });
    const ids = (page: Iterable<{ triggerId: string }>) => [...page].map((one) => one.triggerId);
    expect(ids(triggers.list('one', 2, 1))).toEqual(['a', 'b']);
    expect(ids(stored().all())).toEqual(['c', 'a', 'b', 'busy']);
  });
});

test('triggers of a version without targets are on their pools, with the state they had', () => {
  const file = join(folder, 'earlier.sqlite');
  const earlier = new DatabaseSync(file);
  earlier.exec(
    'PRAGMA foreign_keys = ON; CREATE TABLE schema_migrations ' +
      '(number INTEGER PRIMARY KEY, name TEXT NOT NULL, checksum TEXT NOT NULL) STRICT',
  );
  for (const migration of CONTROL_MIGRATIONS.slice(0, 9)) {
    for (const statement of migration.statements) earlier.exec(statement);
    earlier
      .prepare('INSERT INTO schema_migrations VALUES (?, ?, ?)')
      .run(migration.number, migration.name, checksumOf(migration));
  }
  const conditions = JSON.stringify([BUSY]);
  const columns =
    '(account_id, trigger_id, pool, conditions, revision, created_at_ms, updated_at_ms)';
  const insert = earlier.prepare(`INSERT INTO triggers ${columns} VALUES (?, ?, ?, ?, 3, 5, 6)`);
  for (const id of ['removed', 'busy']) insert.run('one', id, POOL, conditions);
  earlier.exec("DELETE FROM triggers WHERE trigger_id = 'removed'");
  earlier.exec('INSERT INTO trigger_truths VALUES (2, 7, 1)');
  earlier.close();
  const opened = openControlPlane(file);
  const triggers = new StoredTriggers(opened, () => 9);
  const kept = { ...REQUEST, key: 2, revision: 3, createdAtMs: 5, updatedAtMs: 6 };
  expect([...triggers.all()]).toEqual([kept]);
  expect([...triggers.truths.backTo(7)]).toEqual([[2, { slot: 7, isTrue: true }]]);
  expect(triggers.add(REQUEST)).toEqual({ kind: 'same', trigger: kept });
  // Keys go on after that of the newest trigger.
  const request = { ...REQUEST, triggerId: 'token', target: ofToken(POOL) };
  const added = { ...request, key: 3, revision: 1, createdAtMs: 9, updatedAtMs: 9 };
  expect(triggers.add(request)).toEqual({ kind: 'changed', trigger: added });
  expect(triggers.ofKey(3)).toEqual(added);
  // Truths are still removed with their trigger.
  triggers.remove(NAME);
  expect([...triggers.truths.backTo(7)]).toEqual([]);
  opened.close();
});

describe('the log of firings', () => {
  const log = (keptMax = 100) => new FiringLog(database, () => nowMs, keptMax);
  const draft = (overrides: Partial<FiringDraft> = {}): FiringDraft => {
    const {
      number: _number,
      firedAtMs: _firedAtMs,
      retractedAtMs: _retracted,
      ...rest
    } = {
      ...buildFiring({ accountId: 'one' }),
      ...overrides,
    };
    return rest;
  };
  const list = ({ events }: TriggerEvents) =>
    events.map((event) => `${event.kind} ${numberOf(event)}`);

  test('numbers the events of each account', () => {
    const firings = log();
    const added = firings.add([draft(), draft({ accountId: 'two' }), draft()]);
    expect(added.map(({ accountId, number }) => [accountId, number])).toEqual([
      ['one', 1],
      ['two', 1],
      ['one', 2],
    ]);
    expect(log().add([draft()])[0]?.number).toBe(3);
  });

  test('returns the events after a number, with every digit', () => {
    const figures = { ...draft().figures, solLamports: asLamports(2n ** 64n - 1n) };
    const [, second] = log().add([draft(), draft({ figures })]);
    expect(log().events({ accountId: 'one', since: 1, limit: 10 })).toEqual({
      events: [{ kind: 'fired', firing: second }],
      lost: null,
      lastNumber: 2,
    });
    expect(second?.figures.solLamports).toBe(18_446_744_073_709_551_615n);
    expect(log().events({ accountId: 'three', since: 0, limit: 10 })).toEqual({
      events: [],
      lost: null,
      lastNumber: 0,
    });
  });

  test('keeps a retracted firing, and returns both events in order', () => {
    const firings = log();
    const [first] = firings.add([draft({ slot: asSlot(7) }), draft()]);
    nowMs = 5_000;
    const [retraction] = firings.retract(first === undefined ? [] : [first]);
    expect(retraction).toMatchObject({ number: 3, firedNumber: 1, slot: 7, retractedAtMs: 5_000 });
    const all = firings.events({ accountId: 'one', since: 0, limit: 10 });
    expect(list(all)).toEqual(['fired 1', 'fired 2', 'retracted 3']);
    expect(all.events[0]).toMatchObject({ firing: { retractedAtMs: 5_000 } });
    expect(all.events[2]).toEqual({ kind: 'retracted', retraction });
    expect(list(firings.events({ accountId: 'one', since: 2, limit: 10 }))).toEqual([
      'retracted 3',
    ]);
    expect(list(firings.events({ accountId: 'one', since: 0, limit: 2 }))).toEqual([
      'fired 1',
      'fired 2',
    ]);
  });

  test('keeps the newest numbers and returns the range of removed ones', () => {
    const firings = log(2);
    const [, , third] = firings.add([draft(), draft(), draft()]);
    const { lost, ...events } = firings.events({ accountId: 'one', since: 0, limit: 10 });
    expect([list({ ...events, lost }), lost]).toEqual([['fired 2', 'fired 3'], { from: 1, to: 1 }]);
    expect(firings.events({ accountId: 'one', since: 1, limit: 10 }).lost).toBeNull();
    firings.retract(third === undefined ? [] : [third]);
    // The third firing, with its retraction, which is the fourth number.
    expect(database.prepare('SELECT count(*) AS rows FROM trigger_firings').get()).toEqual({
      rows: 1,
    });
  });

  test('lists the firings that were not retracted', () => {
    const firings = log();
    const added = firings.add([7, 8, 9].map((slot) => draft({ slot: asSlot(slot) })));
    firings.retract(added.slice(1, 2));
    expect([...firings.standing()].map(({ number, slot }) => [number, slot])).toEqual([
      [1, 7],
      [3, 9],
    ]);
  });

  test('stores nothing of a failed transaction, and throws a StoreError', () => {
    const firings = log();
    const failing = () =>
      inTransaction(database, () => {
        firings.add([draft()]);
        throw new Error('power cut');
      });
    expect(failing).toThrow(StoreError);
    expect(firings.events({ accountId: 'one', since: 0, limit: 10 }).lastNumber).toBe(0);
  });
});

describe('truths of triggers', () => {
  const held = () => {
    const triggers = new StoredTriggers(database, () => 0);
    const change = triggers.add(REQUEST);
    if (change.kind !== 'changed') throw new Error(change.kind);
    return { triggers, key: change.trigger.key, truths: triggers.truths };
  };

  test('are as of a slot, without those of later slots', () => {
    const { key, truths } = held();
    truths.begin(key, false);
    truths.keep([{ key, slot: 5, isTrue: true }], -1);
    truths.keep([{ key, slot: 8, isTrue: false }], 5);
    expect(truths.backTo(9).get(key)).toEqual({ slot: 8, isTrue: false });
    expect(truths.backTo(7).get(key)).toEqual({ slot: 5, isTrue: true });
    expect(truths.backTo(9).get(key)).toEqual({ slot: 5, isTrue: true });
  });

  test('are kept only as far as a start needs them', () => {
    const { key, truths } = held();
    truths.begin(key, false);
    for (let slot = 1; slot <= 20; slot++) {
      truths.keep([{ key, slot, isTrue: slot % 2 === 1 }], slot - 3);
    }
    const rows = database.prepare('SELECT slot FROM trigger_truths ORDER BY slot').all();
    expect(rows.map(({ slot }) => slot)).toEqual([17, 18, 19, 20]);
  });

  test('are reset when a trigger begins, and removed with it', () => {
    const { triggers, key, truths } = held();
    truths.keep([{ key, slot: 5, isTrue: true }], -1);
    truths.begin(key, false);
    expect(truths.backTo(9).get(key)).toEqual({ slot: -1, isTrue: false });
    triggers.remove(NAME);
    expect(truths.backTo(9).size).toBe(0);
  });
});
