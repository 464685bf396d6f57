import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { dramaticLife, SocialScene } from '../../tests/support/social-scene.ts';
import { PostLedger } from '../posts/post-ledger.ts';
import { PostFiles } from './write-posts.ts';

const settings = { raidChance: 1, hostileShare: 0.2 };
const entries = new SocialScene('files', [dramaticLife('FILE')], settings).run(12);

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'mintscope-posts-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function ledger(): PostLedger {
  const made = new PostLedger();
  for (const entry of entries) made.apply(entry);
  return made;
}

function linesOf(name: string): unknown[] {
  const text = readFileSync(join(folder, name), 'utf8');
  expect(text.endsWith('\n')).toBe(true);
  return text
    .slice(0, -1)
    .split('\n')
    .map((line) => JSON.parse(line));
}

describe('post files', () => {
  test('contain every record, its ground truth in the same line, and the ledger, with hostile texts', async () => {
    const files = new PostFiles(folder);
    for (let first = 0; first < entries.length; first += 7) {
      expect(await files.add(entries.slice(first, first + 7))).toEqual({ status: 'ok' });
    }
    expect(await files.finish(ledger())).toEqual({ status: 'ok' });
    expect(readdirSync(folder).toSorted()).toEqual([
      'post-ledger.jsonl',
      'post-truth.jsonl',
      'posts.jsonl',
    ]);
    expect(linesOf('posts.jsonl')).toEqual(entries.map(({ record }) => record));
    expect(linesOf('post-truth.jsonl')).toEqual(
      entries.map(({ record: { kind, platform, postId }, truth }) => ({
        ...{ kind, platform, postId },
        ...truth,
      })),
    );
    const posts = entries.filter(
      ({ record, truth }) => record.kind === 'post' && truth.about.length === 1,
    );
    const counted = linesOf('post-ledger.jsonl') as { posts: number }[];
    expect(counted.reduce((sum, { posts: each }) => sum + each, 0)).toBe(posts.length);
  });

  test('give readers of posts no ground truth', async () => {
    const files = new PostFiles(folder);
    await files.add(entries);
    await files.finish(ledger());
    const text = readFileSync(join(folder, 'posts.jsonl'), 'utf8');
    expect(text).not.toMatch(/isRaid|isBot|isHostile|meantSentiment|"mint"/);
  });

  test('get their names only when they are complete', async () => {
    const files = new PostFiles(folder);
    await files.add(entries);
    expect(readdirSync(folder).every((name) => name.startsWith('.'))).toBe(true);
    await files.finish(ledger());
    expect(readdirSync(folder).length).toBe(3);
  });

  test("return the disk's failure on every later call, and leave nothing", async () => {
    const files = new PostFiles(join(folder, 'missing'));
    await files.add(entries.slice(0, 1));
    const failed = { status: 'failed', path: join(folder, 'missing', 'posts.jsonl') };
    expect(await files.finish(ledger())).toMatchObject(failed);
    expect(await files.add(entries.slice(0, 1))).toMatchObject(failed);
    expect(files.records).toBe(1);
    expect(readdirSync(folder)).toEqual([]);
  });

  test('of a run without posts are empty', async () => {
    const files = new PostFiles(folder);
    expect(await files.finish(new PostLedger())).toEqual({ status: 'ok' });
    expect(readFileSync(join(folder, 'posts.jsonl'), 'utf8')).toBe('');
  });
});
