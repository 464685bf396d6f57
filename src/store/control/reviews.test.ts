import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { classificationId } from '../../../tests/support/build-classification.ts';
import type { ClassificationState } from '../../model/fraud.ts';
import { REVIEW_STATUSES, type ReviewEntry, type ReviewStatus } from '../../model/fraud-review.ts';
import { checksumOf } from '../migrations/migration.ts';
import { CONTROL_MIGRATIONS } from './control-migrations.ts';
import { openControlPlane } from './control-plane.ts';
import { ReviewTable } from './reviews.ts';

const ID = classificationId(1);
const request = (to: ReviewStatus, note: string | null = null, classificationId = ID) => ({
  classificationId,
  to,
  note,
  accountId: 'account',
  keyId: 'key',
});

/** All allowed steps of the contract; every other step is refused. */
const STEPS = new Set([
  'active reviewed',
  'reviewed confirmed',
  'reviewed false_positive',
  'active archived',
  'reviewed archived',
  'confirmed archived',
  'false_positive archived',
  'archived archived',
]);

interface Model {
  /** By id, the last status and all entries. */
  readonly said: Map<string, ReviewEntry[]>;
}

interface Real {
  book: ReviewTable;
  readonly reopen: () => ReviewTable;
  nowMs: number;
}

class Review implements fc.Command<Model, Real> {
  private readonly id: string;
  private readonly to: ReviewStatus;
  private readonly state: ClassificationState;

  constructor(id: string, to: ReviewStatus, state: ClassificationState) {
    this.id = id;
    this.to = to;
    this.state = state;
  }

  check = () => true;

  run({ said }: Model, real: Real): void {
    real.nowMs++;
    const entries = said.get(this.id) ?? [];
    const unsaid = this.state === 'archived' ? ('archived' as const) : ('active' as const);
    const from = entries.at(-1)?.to ?? unsaid;
    const isTaken = STEPS.has(`${from} ${this.to}`);
    const note = `note ${real.nowMs}`;
    expect(real.book.review(request(this.to, note, this.id), this.state)).toEqual({
      isTaken,
      from,
    });
    if (isTaken) {
      const entry = { from, to: this.to, note, accountId: 'account', keyId: 'key' };
      said.set(this.id, [...entries, { ...entry, atMs: real.nowMs }]);
    }
    expect(real.book.entriesOf(this.id)).toEqual(said.get(this.id) ?? []);
    expect(real.book.statusOf(this.id)).toBe(said.get(this.id)?.at(-1)?.to ?? null);
  }

  toString = () => `review(${this.id.slice(-1)}, ${this.state} → ${this.to})`;
}

class Restart implements fc.Command<Model, Real> {
  check = () => true;

  run({ said }: Model, real: Real): void {
    real.book = real.reopen();
    for (const [id, entries] of said) expect(real.book.entriesOf(id)).toEqual(entries);
  }

  toString = () => 'restart';
}

describe('reviews', () => {
  let folder: string;
  let database: DatabaseSync;
  const path = () => join(folder, 'control.sqlite');

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'reviews-'));
    database = openControlPlane(path());
  });

  afterEach(() => {
    database.close();
    rmSync(folder, { recursive: true });
  });

  test('follow only the steps of the contract, and each is kept across restarts', () => {
    const commands = fc.commands(
      [
        fc
          .tuple(
            fc.constantFrom(1, 2).map(classificationId),
            fc.constantFrom(...REVIEW_STATUSES),
            fc.constantFrom('candidate' as const, 'active' as const, 'archived' as const),
          )
          .map((parts) => new Review(...parts)),
        fc.constant(new Restart()),
      ],
      { maxCommands: 14 },
    );
    let run = 0;
    fc.assert(
      fc.property(commands, (given) => {
        const file = join(folder, `run-${++run}.sqlite`);
        let opened = openControlPlane(file);
        const setup = () => {
          const real: Real = { nowMs: 0, book: bookOf(), reopen };
          function bookOf() {
            return new ReviewTable(opened, () => real.nowMs);
          }
          function reopen() {
            opened.close();
            opened = openControlPlane(file);
            return bookOf();
          }
          return { model: { said: new Map<string, ReviewEntry[]>() }, real };
        };
        fc.modelRun(setup, given);
        opened.close();
      }),
      { numRuns: 25 },
    );
  });

  test('are all returned up to a hundred, and beyond that the newest', () => {
    let nowMs = 0;
    const book = new ReviewTable(database, () => ++nowMs);
    for (let index = 0; index < 120; index++) book.review(request('archived'), 'active');
    const entries = book.entriesOf(ID);
    expect(entries.map(({ atMs }) => atMs)).toEqual(
      Array.from({ length: 100 }, (_, at) => at + 21),
    );
  });

  test('that were accepted are neither changed nor removed', () => {
    new ReviewTable(database).review(request('reviewed', 'why'), 'active');
    expect(() => database.exec("UPDATE review_entries SET note = 'other'")).toThrow('stay as');
    expect(() => database.exec('DELETE FROM review_entries')).toThrow('never removed');
    expect(new ReviewTable(database).entriesOf(ID)).toMatchObject([{ note: 'why' }]);
  });

  test('are stored completely or not at all', () => {
    const book = new ReviewTable(database);
    const tooLong = request('reviewed', 'x'.repeat(1_001));
    expect(() => book.review(tooLong, 'active')).toThrow();
    expect(book.statusOf(ID)).toBeNull();
    expect(book.review(request('reviewed'), 'active').isTaken).toBe(true);
  });

  test('keep a note as it was written', () => {
    const note = `'); DROP TABLE reviews; -- 😀 ${'é'.repeat(900)}`;
    const book = new ReviewTable(database);
    book.review(request('reviewed', note), 'active');
    expect(book.entriesOf(ID)[0]?.note).toBe(note);
  });

  test('can be added to a database of a version without reviews', () => {
    const file = join(folder, 'earlier.sqlite');
    const earlier = new DatabaseSync(file);
    earlier.exec(
      'CREATE TABLE schema_migrations ' +
        '(number INTEGER PRIMARY KEY, name TEXT NOT NULL, checksum TEXT NOT NULL) STRICT',
    );
    for (const migration of CONTROL_MIGRATIONS.slice(0, 2)) {
      for (const statement of migration.statements) earlier.exec(statement);
      earlier
        .prepare('INSERT INTO schema_migrations VALUES (?, ?, ?)')
        .run(migration.number, migration.name, checksumOf(migration));
    }
    earlier.exec("INSERT INTO accounts VALUES ('kept', 1)");
    earlier.close();
    const opened = openControlPlane(file);
    expect(new ReviewTable(opened).review(request('reviewed'), 'active').isTaken).toBe(true);
    expect(opened.prepare('SELECT account_id FROM accounts').all()).toEqual([
      { account_id: 'kept' },
    ]);
    opened.close();
  });
});
