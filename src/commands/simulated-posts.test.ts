import { describe, expect, it } from 'vitest';
import type { FeedEntry, PostRecord, PostTruth } from '../../simulator/posts/social-post.ts';
import type { Clock } from '../lib/clock.ts';
import { StoreError } from '../model/errors.ts';
import type { PostEvent } from '../model/social-post.ts';
import { bringPosts } from './simulated-posts.ts';

const WRITTEN_MS = Date.UTC(2026, 0, 2);
const POST: PostRecord = {
  ...{ kind: 'post', platform: 'x', postId: '1', text: 'gm', lang: 'en', postedAtMs: WRITTEN_MS },
  author: {
    ...{ id: 'a', handle: 'ann', followers: 7, following: 3, postsPerDay: 2 },
    createdAtMs: WRITTEN_MS - 10 * 86_400_000,
  },
  engagement: { likes: 1, reposts: 4, replies: 0 },
};

function entryOf(record: PostRecord): FeedEntry {
  const flags = { isRaid: false, isBot: false, isHostile: false };
  const truth: PostTruth = {
    ...{ reason: 'chatter', ...flags, postedAtMs: WRITTEN_MS },
    ...{ about: [], before: null },
  };
  return { record, truth };
}

/**
 * Runs a number of seconds, second by second. `takeAt` returns the posts of a second, `put` is the
 * response of the inbox to the events of a second.
 */
async function play(
  seconds: number,
  takeAt: (second: number) => readonly PostRecord[],
  put: (events: readonly PostEvent[], second: number) => boolean,
): Promise<void> {
  const stopping = new AbortController();
  let nowMs = 0;
  const clock: Clock = {
    nowMs: () => nowMs,
    sleep: async (ms) => {
      nowMs += ms;
      if (nowMs >= seconds * 1_000) stopping.abort();
    },
  };
  await bringPosts({
    take: () => takeAt(nowMs / 1_000).map(entryOf),
    put: (events) => put(events, nowMs / 1_000),
    signal: stopping.signal,
    clock,
  });
}

describe('posts of a simulated market', () => {
  it('arrive three seconds later as imported posts: written, edited and deleted', async () => {
    const records: readonly PostRecord[] = [
      POST,
      { kind: 'edit', platform: 'x', postId: '1', text: 'gn', editedAtMs: WRITTEN_MS + 1 },
      { kind: 'edit', platform: 'x', postId: 'unknown', text: 'gn', editedAtMs: WRITTEN_MS + 1 },
      { kind: 'delete', platform: 'x', postId: '1', deletedAtMs: WRITTEN_MS + 2 },
    ];
    const received: (readonly [number, PostEvent])[] = [];
    await play(
      8,
      (second) => (second === 1 ? records : []),
      (events, second) => {
        for (const one of events) received.push([second, one]);
        return true;
      },
    );
    const post = {
      ...{
        platform: 'x',
        postId: '1',
        text: 'gm',
        url: 'https://x.com/ann/status/1',
        links: [],
        reposts: 4,
      },
      author: {
        ...{ id: 'a', handle: 'ann', followers: 7, following: 3 },
        createdAtMs: WRITTEN_MS - 10 * 86_400_000,
        // Ten days with two posts each.
        postCount: 20,
      },
      createdAtMs: WRITTEN_MS,
    };
    expect(received).toEqual([
      [4, { kind: 'post', post }],
      [4, { kind: 'post', post: { ...post, text: 'gn' } }],
      [4, { kind: 'deleted', platform: 'x', postId: '1' }],
    ]);
  });

  it('are retried while there is no capacity, in order and each once', async () => {
    const kept: string[] = [];
    let tries = 0;
    await play(
      20,
      (second) => (second < 3 ? [{ ...POST, postId: `${second}` }] : []),
      (events) => {
        tries++;
        if (tries === 1) throw new StoreError('database is locked');
        if (tries < 4) return false;
        for (const one of events) if (one.kind === 'post') kept.push(one.post.postId);
        return true;
      },
    );
    expect(kept).toEqual(['0', '1', '2']);
  });

  it('are no longer taken while a minute of them waits', async () => {
    let taken = 0;
    await play(
      200,
      () => {
        taken++;
        return [{ ...POST, postId: `${taken}` }];
      },
      () => false,
    );
    expect(taken).toBe(60);
  });
});
