import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { StoreError } from '../../model/errors.ts';
import { asSlot } from '../../model/units.ts';
import { CONTROL_MIGRATIONS } from './control-migrations.ts';
import { openControlPlane } from './control-plane.ts';
import { CursorTable } from './cursor.ts';
import { GapLedger } from './gap-ledger.ts';
import { WriterFence } from './writer-fence.ts';

function writableCursor(database: DatabaseSync): CursorTable {
  return new CursorTable(database, {
    fence: WriterFence.take(database),
    gaps: new GapLedger(database),
  });
}

describe('the control plane', () => {
  let folder: string;
  let path: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'control-'));
    path = join(folder, 'control.sqlite');
  });

  afterEach(() => {
    rmSync(folder, { recursive: true });
  });

  test('commits durably: write-ahead log, full synchronisation', () => {
    const database = openControlPlane(path);
    expect(database.prepare('PRAGMA journal_mode').get()).toEqual({ journal_mode: 'wal' });
    // 2 is FULL.
    expect(database.prepare('PRAGMA synchronous').get()).toEqual({ synchronous: 2 });
    database.close();
  });

  test('has a cursor at epoch 1 before any slot, and keeps the written cursor', () => {
    const first = openControlPlane(path);
    const cursor = writableCursor(first);
    expect(cursor.read()).toEqual({ epoch: 1, slot: null, isDirty: false });
    cursor.write({ epoch: 1, slot: asSlot(7), isDirty: false });
    cursor.write({ epoch: 2, slot: asSlot(326_027_759), isDirty: true });
    expect(cursor.epoch).toBe(2);
    first.close();
    const second = openControlPlane(path);
    expect(new CursorTable(second).read()).toEqual({ epoch: 2, slot: 326_027_759, isDirty: true });
    second.close();
  });

  test('does not change the cursor when a write fails', () => {
    const database = openControlPlane(path);
    const cursor = writableCursor(database);
    cursor.write({ epoch: 1, slot: asSlot(7), isDirty: false });
    database.exec('PRAGMA query_only = 1');
    const move = () => cursor.write({ epoch: 1, slot: asSlot(8), isDirty: false });
    expect(move).toThrow(StoreError);
    expect(cursor.read().slot).toBe(7);
    database.close();
  });

  test('discards marks of slots that could not be stored with the cursor', () => {
    const database = openControlPlane(path);
    const gaps = new GapLedger(database);
    const cursor = new CursorTable(database, { fence: WriterFence.take(database), gaps });
    database.exec(
      'CREATE TEMP TRIGGER full BEFORE INSERT ON slot_ranges WHEN NEW.from_slot = 500 ' +
        "BEGIN SELECT RAISE(ABORT, 'the disk is full'); END",
    );
    const [first, last] = [
      { state: 'skipped', from: asSlot(100), to: asSlot(110) },
      { state: 'held', from: asSlot(500), to: asSlot(500) },
    ] as const;
    const move = () => cursor.write({ epoch: 1, slot: asSlot(8), isDirty: false }, [first, last]);
    expect(move).toThrow('the disk is full');
    expect(gaps.counts).toEqual({ held: 0, skipped: 0, missing: 0 });
    expect(cursor.read().slot).toBeNull();
    database.close();
  });

  test('does not move the cursor for a writer that was replaced', () => {
    const database = openControlPlane(path);
    const cursor = writableCursor(database);
    cursor.write({ epoch: 1, slot: asSlot(7), isDirty: false });
    WriterFence.take(database);
    const move = () => cursor.write({ epoch: 1, slot: asSlot(8), isDirty: false });
    expect(move).toThrow('Another process writes to this data folder');
    expect(cursor.read().slot).toBe(7);
    expect(new CursorTable(database).read().slot).toBe(7);
    database.close();
  });

  test('refuses a file of a newer version', () => {
    const database = openControlPlane(path);
    const number = CONTROL_MIGRATIONS.length + 1;
    database.prepare("INSERT INTO schema_migrations VALUES (?, 'later', 'x')").run(number);
    database.close();
    expect(() => openControlPlane(path)).toThrow(StoreError);
    expect(() => openControlPlane(path)).toThrow(
      `written by a newer version of Mintscope (migration ${number}, later)`,
    );
  });

  test('refuses a file whose migration differs', () => {
    const database = openControlPlane(path);
    database.exec("UPDATE schema_migrations SET checksum = 'x' WHERE number = 1");
    database.close();
    expect(() => openControlPlane(path)).toThrow('another migration 1 (keys-and-cursor)');
  });

  test('refuses a file that is not a database', () => {
    writeFileSync(path, 'not a database, whatever its name says'.repeat(100));
    expect(() => openControlPlane(path)).toThrow(StoreError);
    expect(() => openControlPlane(path)).toThrow('file is not a database');
  });

  test('refuses a database with a damaged page', () => {
    openControlPlane(path).close();
    const bytes = readFileSync(path);
    // The second page is the root of the first table; its header says what kind of page it is.
    bytes.fill(0xa5, 4_096, 8_192);
    writeFileSync(path, bytes);
    expect(() => openControlPlane(path)).toThrow(StoreError);
    expect(() => openControlPlane(path)).toThrow('restore it from a copy');
  });

  test('refuses a database with a damaged page that opening does not read', () => {
    const database = openControlPlane(path);
    const root = database
      .prepare("SELECT rootpage FROM sqlite_schema WHERE name = 'review_entries'")
      .get()?.rootpage;
    database.close();
    const bytes = readFileSync(path);
    bytes.fill(0xa5, (Number(root) - 1) * 4_096, Number(root) * 4_096);
    writeFileSync(path, bytes);
    expect(() => openControlPlane(path)).toThrow('restore it from a copy');
  });
});
