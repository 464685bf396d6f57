import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { asSlot } from '../../model/units.ts';
import { checksumOf } from '../migrations/migration.ts';
import { CONTROL_MIGRATIONS } from './control-migrations.ts';
import { openControlPlane } from './control-plane.ts';
import { type WebhookCandidate, WebhookCandidates } from './webhook-candidates.ts';

let folder: string;
let database: DatabaseSync;
let candidates: WebhookCandidates;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'webhook-candidates-'));
  database = openControlPlane(join(folder, 'control.sqlite'));
  candidates = new WebhookCandidates(database);
});

afterEach(() => {
  database.close();
  rmSync(folder, { recursive: true });
});

const candidate = (slot: number, name: string): WebhookCandidate => ({
  slot: asSlot(slot),
  kind: 'finding',
  name,
  content: `of ${slot}`,
});

function released(finalSlot: number, limit = 100): string[] {
  const taken: string[] = [];
  candidates.release(finalSlot, limit, (some) => {
    taken.push(...some.map(({ slot, name }) => `${slot} ${name}`));
  });
  return taken;
}

test('slots are released once they are final, in order, and never again', () => {
  candidates.add([candidate(7, 'a'), candidate(7, 'b'), candidate(8, 'a')]);
  candidates.add([candidate(5, 'a')]);
  expect(released(4)).toEqual([]);
  expect(released(7)).toEqual(['5 a', '7 a', '7 b']);
  // Added again, as after a kill before the slots were written.
  candidates.add([candidate(5, 'a'), candidate(7, 'c'), candidate(8, 'a')]);
  expect(released(9)).toEqual(['8 a']);
  expect(candidates.oldestSlot).toBeNull();
});

test('a partially released slot releases the rest, also after a restart', () => {
  candidates.add([candidate(7, 'a'), candidate(7, 'b'), candidate(7, 'c')]);
  expect(released(7, 2)).toEqual(['7 a', '7 b']);
  candidates = new WebhookCandidates(database);
  expect(released(7, 2)).toEqual(['7 c']);
});

test('candidates are kept when the transaction fails', () => {
  candidates.add([candidate(7, 'a')]);
  expect(() =>
    candidates.release(7, 10, () => {
      throw new Error('no room');
    }),
  ).toThrow('no room');
  expect(released(7)).toEqual(['7 a']);
});

test('candidates of a reverted slot are removed, and may be added again', () => {
  candidates.add([candidate(7, 'a'), candidate(8, 'a'), candidate(9, 'a')]);
  candidates.forget(asSlot(8));
  candidates.forgetAfter(8);
  expect(candidates.oldestSlot).toBe(7);
  candidates.add([candidate(8, 'b')]);
  expect(released(9)).toEqual(['7 a', '8 b']);
});

test('the published level of a finding is kept until it is withdrawn', () => {
  expect(candidates.publishedLevel('a')).toBe(0);
  candidates.setPublishedLevel('a', 2, asSlot(7));
  expect(candidates.publishedLevel('a')).toBe(2);
  candidates.setPublishedLevel('a', 0, asSlot(8));
  expect(candidates.publishedLevel('a')).toBe(0);
});

test('candidates of a version without hits of rules are kept in their order, and hits can follow', () => {
  const file = join(folder, 'earlier.sqlite');
  const earlier = new DatabaseSync(file);
  earlier.exec(
    'PRAGMA foreign_keys = ON; CREATE TABLE schema_migrations ' +
      '(number INTEGER PRIMARY KEY, name TEXT NOT NULL, checksum TEXT NOT NULL) STRICT',
  );
  for (const migration of CONTROL_MIGRATIONS.slice(0, 12)) {
    for (const statement of migration.statements) earlier.exec(statement);
    earlier
      .prepare('INSERT INTO schema_migrations VALUES (?, ?, ?)')
      .run(migration.number, migration.name, checksumOf(migration));
  }
  earlier.exec(
    "INSERT INTO webhook_candidates (slot, kind, name, content) VALUES (7, 'signal', 'b', ''), " +
      "(7, 'finding', 'a', '')",
  );
  earlier.close();
  database.close();
  database = openControlPlane(file);
  candidates = new WebhookCandidates(database);
  candidates.add([
    { ...candidate(7, 'c'), kind: 'hit' },
    { ...candidate(7, 'a'), kind: 'hit' },
  ]);
  expect(released(7)).toEqual(['7 b', '7 a', '7 c', '7 a']);
});
