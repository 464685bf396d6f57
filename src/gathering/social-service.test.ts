import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { afterEach, describe, expect, it } from 'vitest';
import { buildTracked, eventsOf, POSTED_MS } from '../../tests/support/build-post.ts';
import {
  STORY_NOW_MS,
  STORY_TOKENS,
  storyEvents,
  storyMood,
} from '../../tests/support/post-story.ts';
import { StoreError } from '../model/errors.ts';
import { openOffchainPlane } from '../store/offchain/offchain-plane.ts';
import { PostsInbox } from '../store/offchain/posts-inbox.ts';
import { SocialReader } from '../store/offchain/social-reads.ts';
import { SocialService, type SocialServiceParts } from './social-service.ts';

const SCRIPT = new URL('../../tests/support/post-until-killed.ts', import.meta.url).pathname;

const folder = mkdtempSync(join(tmpdir(), 'mintscope-posts-'));
const open: DatabaseSync[] = [];
let files = 0;

afterEach(() => {
  for (const database of open.splice(0)) database.close();
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
});

function openFile(path = ':memory:'): DatabaseSync {
  const database = openOffchainPlane(path);
  open.push(database);
  return database;
}

function serviceOn(database: DatabaseSync, parts: Partial<SocialServiceParts> = {}): SocialService {
  const service = new SocialService({
    ...{ database, nowMs: () => STORY_NOW_MS, score: storyMood, modelVersion: 'story' },
    ...parts,
  });
  service.track([...STORY_TOKENS, buildTracked()]);
  return service;
}

function figuresOf(database: DatabaseSync) {
  const reader = new SocialReader(database);
  return STORY_TOKENS.map(({ mint }) => ({
    tracked: reader.tracked(mint),
    minutes: reader.series(mint, 0, Number.MAX_SAFE_INTEGER),
  }));
}

/** Sums of the counted posts, computed in SQL only. */
function recount(database: DatabaseSync) {
  const sums = 'count(*) AS posts, sum(weight) AS weight, sum(sentiment) AS sentiment';
  const joined = 'social_mentions m JOIN social_posts p USING (post)';
  return {
    minutes: database
      .prepare(
        `SELECT token, m.minute_ms, ${sums} FROM ${joined} WHERE m.minute_ms IS NOT NULL ` +
          'GROUP BY token, m.minute_ms ORDER BY token, m.minute_ms',
      )
      .all(),
    totals: database.prepare(`SELECT token, ${sums} FROM ${joined} GROUP BY token`).all(),
    reach: database
      .prepare(
        'SELECT token, sum(followers) AS reach FROM (SELECT token, author, m.followers, ' +
          'row_number() OVER (PARTITION BY token, author ORDER BY m.created_at_ms DESC, ' +
          `p.post_id DESC) AS place FROM ${joined}) WHERE place = 1 GROUP BY token`,
      )
      .all(),
  };
}

function stored(database: DatabaseSync) {
  return {
    minutes: database
      .prepare(
        'SELECT token, minute_ms, posts, weight, sentiment FROM social_minutes ORDER BY 1, 2',
      )
      .all(),
    totals: database
      .prepare('SELECT token, posts, weight, sentiment FROM social_tokens WHERE posts > 0')
      .all(),
    reach: database.prepare('SELECT token, reach FROM social_tokens WHERE posts > 0').all(),
  };
}

async function playStory(service: SocialService, size: number): Promise<void> {
  const events = storyEvents();
  for (let at = 0; at < events.length; at += size) {
    await service.emit(events.slice(at, at + size));
    while (service.flush());
  }
}

describe('SocialService', () => {
  it('stores sums equal to those of the stored posts', async () => {
    const database = openFile();
    await playStory(serviceOn(database), 100);
    expect(stored(database)).toEqual(recount(database));
    // Three tokens, from 12:00:30 to 12:08:26.
    expect(stored(database).minutes.length).toBe(27);
  });

  it('counts the same in batches of any size', async () => {
    const one = openFile();
    const other = openFile();
    await playStory(serviceOn(one), 7);
    await playStory(serviceOn(other), 1_000);
    expect(figuresOf(other)).toEqual(figuresOf(one));
  });

  it('has the same counts after kills at any time as without one', async () => {
    const path = join(mkdtempSync(join(tmpdir(), 'mintscope-posts-')), `${files++}.sqlite`);
    for (const dots of [3, 9, 5, Number.POSITIVE_INFINITY]) {
      const child = spawn(process.execPath, ['--no-warnings', SCRIPT, path, '40']);
      const exit = once(child, 'exit');
      let said = '';
      child.stdout.on('data', (bytes: Buffer) => {
        said += bytes.toString();
        if (said.length >= dots) child.kill('SIGKILL');
      });
      const [code] = await exit;
      if (dots === Number.POSITIVE_INFINITY)
        expect([code, said.endsWith('end')]).toEqual([0, true]);
      const killed = openOffchainPlane(path);
      expect(stored(killed)).toEqual(recount(killed));
      killed.close();
    }
    const calm = openFile();
    await playStory(serviceOn(calm), 40);
    expect(figuresOf(openFile(path))).toEqual(figuresOf(calm));
  });

  it('blocks producers while its queue is full', async () => {
    const service = serviceOn(openFile(), { queueMax: 2 });
    await service.emit([eventsOf({ postId: '1' }), eventsOf({ postId: '2' })]);
    let isTaken = false;
    const third = service.emit([eventsOf({ postId: '3' })]).then(() => {
      isTaken = true;
    });
    await new Promise(setImmediate);
    expect([isTaken, service.waiting]).toEqual([false, 2]);
    service.flush();
    await third;
    expect([isTaken, service.waiting]).toEqual([true, 1]);
  });

  it('stores a collector’s cursor with the preceding posts, and not earlier', async () => {
    const database = openFile();
    const service = serviceOn(database);
    await service.emit([eventsOf()]);
    const kept = service.keepCursor('feed', '17');
    expect(service.cursor('feed')).toBeNull();
    service.flush();
    await kept;
    expect(service.cursor('feed')).toBe('17');
    expect(serviceOn(database).cursor('feed')).toBe('17');
  });

  it('counts a refused batch again, without treating its posts as copies', async () => {
    const database = openFile();
    const service = serviceOn(database);
    await service.emit([eventsOf()]);
    database.exec(
      "CREATE TRIGGER full BEFORE INSERT ON social_minutes BEGIN SELECT RAISE(ABORT, 'full'); END",
    );
    expect(() => service.flush()).toThrow(StoreError);
    expect([service.refusals, service.waiting]).toEqual([1, 1]);
    expect(database.prepare('SELECT * FROM social_posts').all()).toEqual([]);
    database.exec('DROP TRIGGER full');
    service.flush();
    expect(database.prepare('SELECT place FROM social_posts').all()).toMatchObject([{ place: 1 }]);
    expect(service.waiting).toBe(0);
  });

  it('counts imported posts in their own minutes, and removes them in the same transaction', () => {
    const database = openFile();
    const service = serviceOn(database, { nowMs: () => POSTED_MS + 3 * 3_600_000 });
    const inbox = new PostsInbox(database, 2);
    expect(inbox.put([eventsOf({ postId: '1' }), eventsOf({ postId: '2' })])).toBe(true);
    expect(inbox.put([eventsOf({ postId: '3' })])).toBe(false);
    service.flush();
    expect(inbox.waiting()).toBe(0);
    const reader = new SocialReader(database);
    const { mint } = buildTracked();
    expect(reader.series(mint, 0, Number.MAX_SAFE_INTEGER)).toMatchObject([{ posts: 2 }]);
  });

  it('expires the last hour without posts', async () => {
    let nowMs = POSTED_MS;
    const database = openFile();
    const service = serviceOn(database, { nowMs: () => nowMs });
    await service.emit([eventsOf()]);
    service.flush();
    const reader = new SocialReader(database);
    const { mint } = buildTracked();
    expect(reader.tracked(mint)?.hour).toMatchObject({ posts: 1, blastRadius: 1_000 });
    nowMs += 3_600_000;
    service.flush();
    expect(reader.tracked(mint)?.hour).toMatchObject({ posts: 0, blastRadius: 0, atMs: nowMs });
  });

  it('tracks a token from its first update, and searches for the newest first', () => {
    const database = openFile();
    const service = serviceOn(database);
    const token = buildTracked({
      trackingSinceMs: POSTED_MS,
      symbol: 'BAZ',
      officialLinks: ['x.com/baz'],
    });
    service.track([token]);
    expect(service.tokenOf(token.mint)).toEqual({
      ...token,
      trackingSinceMs: buildTracked().trackingSinceMs,
    });
    expect(serviceOn(database).tokenOf(token.mint)?.trackingSinceMs).toBe(
      buildTracked().trackingSinceMs,
    );
    expect(service.wanted().mints[0]).toBe(token.mint);
    expect(service.wanted().cashtags.join().toLowerCase()).toContain('baz');
  });
});
