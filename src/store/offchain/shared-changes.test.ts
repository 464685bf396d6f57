import type { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { inLocalTransaction, openOffchainPlane } from './offchain-plane.ts';
import { applyChanges, captureChanges, changesFault, SHARED_TABLES } from './shared-changes.ts';

const LINK = "INSERT INTO links VALUES ('k', 200, NULL, 0, 1)";

function job(state: string): string {
  return `INSERT INTO jobs VALUES ('link', 'k', 'http://a', '${state}', 1, 1, NULL, 0, 0, NULL)`;
}

function changesOf(database: DatabaseSync, ...statements: readonly string[]): Uint8Array {
  return inLocalTransaction(
    database,
    () =>
      captureChanges(database, () => {
        for (const statement of statements) database.exec(statement);
      }).changes,
  );
}

function apply(database: DatabaseSync, changes: Uint8Array): number {
  return inLocalTransaction(database, () => applyChanges(database, changes).conflicts);
}

function rowsOf(database: DatabaseSync, table: string): unknown[] {
  return database.prepare(`SELECT * FROM ${table}`).all();
}

describe('changes of shared tables', () => {
  it('cover all tables but those that concern one process', () => {
    const database = openOffchainPlane(':memory:');
    const names = database
      .prepare("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
      .all()
      .map(({ name }) => String(name));
    const own = [
      'schema_migrations',
      'reached',
      'social_inbox',
      'sqlite_sequence',
      'stream_position',
    ];
    expect(names.filter((name) => !own.includes(name))).toEqual([...SHARED_TABLES].sort());
  });

  it('make another store equal, and are none where nothing shared changed', () => {
    const [one, other] = [openOffchainPlane(':memory:'), openOffchainPlane(':memory:')];
    const first = changesOf(one, LINK, "INSERT INTO received_posts (news) VALUES ('{}')");
    const second = changesOf(
      one,
      'UPDATE links SET status_code = 404',
      'DELETE FROM received_posts',
    );
    expect([apply(other, first), apply(other, second)]).toEqual([0, 0]);
    expect(rowsOf(other, 'links')).toEqual(rowsOf(one, 'links'));
    expect(rowsOf(other, 'links')).toMatchObject([{ status_code: 404 }]);
    expect(rowsOf(other, 'received_posts')).toEqual([]);
    const own = changesOf(
      one,
      "INSERT INTO reached VALUES ('fold', 1, 1)",
      'UPDATE links SET key = key',
    );
    expect(own).toHaveLength(0);
  });

  it('end a job that runs only on the replica that gathers, without a conflict', () => {
    const [one, other] = [openOffchainPlane(':memory:'), openOffchainPlane(':memory:')];
    one.exec(job('running'));
    other.exec(job('pending'));
    const changes = changesOf(one, "UPDATE jobs SET state = 'done', reads = 1");
    expect(apply(other, changes)).toBe(0);
    expect(rowsOf(other, 'jobs')).toMatchObject([{ state: 'done', reads: 1 }]);
  });

  it('count rows that were not as expected, and make them equal', () => {
    const [one, other] = [openOffchainPlane(':memory:'), openOffchainPlane(':memory:')];
    one.exec(LINK);
    other.exec(LINK.replace('200', '500'));
    const changes = changesOf(one, 'UPDATE links SET status_code = 404');
    expect(apply(other, changes)).toBe(1);
    expect(rowsOf(other, 'links')).toEqual(rowsOf(one, 'links'));
  });

  it('are refused as a whole if one row breaks the rules of its table', () => {
    const [one, other] = [openOffchainPlane(':memory:'), openOffchainPlane(':memory:')];
    one.exec('PRAGMA ignore_check_constraints = 1');
    const changes = changesOf(one, LINK, job('unheard of'));
    expect(changesFault('changes', changes)).toBeNull();
    expect(() => apply(other, changes)).toThrow('it has rows that no store takes');
    expect(rowsOf(other, 'links')).toEqual([]);
  });

  it('may change no other table, and posts of clients only theirs', () => {
    const database = openOffchainPlane(':memory:');
    const links = changesOf(database, LINK);
    const posts = changesOf(database, "INSERT INTO received_posts (news) VALUES ('{}')");
    expect(changesFault('changes', links)).toBeNull();
    expect(changesFault('posts', posts)).toBeNull();
    expect(changesFault('posts', links)).toBe('it changes the table "links"');
    const session = database.createSession({ table: 'reached' });
    database.exec("INSERT INTO reached VALUES ('fold', 1, 1)");
    expect(changesFault('changes', session.changeset())).toBe('it changes the table "reached"');
    expect(changesFault('changes', Buffer.from('hello'))).toBe('it is not a changeset');
  });
});
