import type { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../tests/support/command-line.ts';
import { openSqlite } from '../sqlite/open-sqlite.ts';
import { JobQueue } from './job-queue.ts';
import { OFFCHAIN_MIGRATIONS } from './offchain-migrations.ts';
import { openOffchainPlane } from './offchain-plane.ts';
import { ThumbnailTable } from './thumbnail-table.ts';

/** 300 bytes in three thumbnails. */
function thumbnails(shade: number) {
  const bytes = new Uint8Array(100).fill(shade);
  return { 64: bytes, 128: bytes, 256: bytes };
}

function keptIn(database: DatabaseSync): unknown[] {
  const rows = database.prepare('SELECT content_hash FROM thumbnails ORDER BY made_at_ms').all();
  return rows.map((row) => row.content_hash);
}

describe('ThumbnailTable', () => {
  it('removes the oldest above its size, a twentieth of all at once', () => {
    const database = openOffchainPlane(':memory:');
    // Room for 40 pictures, and for 38 after a removal.
    const table = new ThumbnailTable(database, 40 * 300);
    for (let at = 0; at < 40; at++) table.put(`c${at}`, thumbnails(at), at);
    expect(keptIn(database)).toHaveLength(40);
    table.put('c40', thumbnails(40), 40);
    expect(keptIn(database)).toEqual(Array.from({ length: 38 }, (_, at) => `c${at + 3}`));
    expect([table.has('c2'), table.has('c3')]).toEqual([false, true]);
  });

  it('counts what was stored before it was opened, and a replaced picture once', () => {
    const database = openOffchainPlane(':memory:');
    for (let at = 0; at < 4; at++) {
      new ThumbnailTable(database, 1_200).put(`c${at}`, thumbnails(at), at);
    }
    const table = new ThumbnailTable(database, 1_200);
    for (let again = 0; again < 3; again++) table.put('c3', thumbnails(again), 3);
    expect(keptIn(database)).toEqual(['c0', 'c1', 'c2', 'c3']);
    table.put('c4', thumbnails(4), 4);
    expect(keptIn(database)).toEqual(['c2', 'c3', 'c4']);
  });

  it('keeps nothing of a transaction that failed, and stays within its size', () => {
    const database = openOffchainPlane(':memory:');
    const table = new ThumbnailTable(database, 1_200);
    for (let at = 0; at < 10; at++) {
      database.exec('BEGIN');
      table.put(`c${at}`, thumbnails(at), at);
      database.exec('ROLLBACK');
    }
    for (let at = 0; at < 4; at++) table.put(`d${at}`, thumbnails(at), at);
    expect(keptIn(database)).toEqual(['d0', 'd1', 'd2', 'd3']);
  });
});

describe('A folder of the version before thumbnails', () => {
  it('keeps its jobs, and has its finished pictures fetched again, once', () => {
    const path = `${temporaryFolder()}/offchain.sqlite`;
    const options = { busyTimeoutMs: 1_000, synchronous: 'NORMAL', isChecked: false } as const;
    const before = openSqlite(path, {
      ...options,
      migrations: OFFCHAIN_MIGRATIONS.slice(0, 2),
      remedy: 'move it away',
    });
    const queue = new JobQueue(before, 0);
    for (const kind of ['metadata', 'picture']) {
      queue.want({ kind, key: 'k', url: 'https://cat.example/k', rank: 1 }, 0);
      const job = queue.take(kind, 0, () => true);
      if (job === null) throw new Error('the job is due');
      queue.finish(job, { kind: 'done', againMs: null, reads: 1 }, 0);
    }
    before.close();
    openOffchainPlane(path).close();
    const database = openOffchainPlane(path);
    const migrated = new JobQueue(database, 5);
    const [metadata, picture] = ['metadata', 'picture'].map((kind) =>
      migrated.take(kind, 5, () => true),
    );
    expect(metadata).toBeNull();
    expect(picture).toMatchObject({ kind: 'picture', key: 'k', reads: 1, attempts: 0 });
    if (picture == null) throw new Error('the picture is due');
    migrated.finish(picture, { kind: 'done', againMs: null, reads: 2 }, 5);
    expect(migrated.take('picture', 1e12, () => true)).toBeNull();
    database.close();
  });
});
