import { describe, expect, test } from 'vitest';
import type { Address } from '../../src/model/units.ts';
import { address } from '../../tests/support/build-transaction.ts';
import {
  dramaticLife,
  MINUTE_MS,
  SocialScene,
  steadyLife,
} from '../../tests/support/social-scene.ts';
import { postLedgerLines, postLine, postTruthLine } from '../faces/format-post.ts';
import { PostLedger, SAID_OUTRIGHT } from './post-ledger.ts';
import type { FeedEntry, Mention, PostRecord } from './social-post.ts';
import type { SocialToken } from './social-tokens.ts';

const MINT = address('mint');
const OTHER = address('other');
const NOON_MS = Date.UTC(2026, 0, 1, 12);

function about(meantSentiment: number, mint = MINT, by: Mention['by'] = 'address'): Mention {
  return { mint, by, isAmbiguous: false, meantSentiment };
}

function posted(
  author: string,
  followers: number,
  postedAtMs: number,
  ...mentions: readonly Mention[]
): FeedEntry {
  const shown = { handle: author, following: 1, createdAtMs: 0, postsPerDay: 1 };
  return {
    record: {
      ...{ kind: 'post', platform: 'x', postId: `${author}${postedAtMs}`, text: '', lang: 'en' },
      author: { id: author, followers, ...shown },
      postedAtMs,
      engagement: { likes: 0, reposts: 0, replies: 0 },
    },
    truth: {
      ...{ reason: 'chatter', isRaid: false, isBot: false, isHostile: false },
      ...{ postedAtMs, about: mentions, before: null },
    },
  };
}

function ledgerOf(entries: readonly FeedEntry[]): PostLedger {
  const ledger = new PostLedger();
  for (const entry of entries) ledger.apply(entry);
  return ledger;
}

/** The unambiguous mentions of a text, found from the text and the list of tokens alone. */
function mintsIn(text: string, tokens: readonly SocialToken[]): Address[] {
  const words: readonly string[] = text.match(/[A-Za-z0-9]{32,44}/g) ?? [];
  const handles = [...text.matchAll(/(?:@|https:\/\/x\.com\/)(\w+)/g)].map(([, handle]) => handle);
  const sites: readonly string[] = text.match(/https:\/\/[\w-]+\.example/g) ?? [];
  return tokens
    .filter(
      ({ mint, handle, website }) =>
        words.includes(mint) ||
        (handle !== null && handles.includes(handle)) ||
        (website !== null && sites.includes(website)),
    )
    .map(({ mint }) => mint);
}

describe('the post ledger', () => {
  test('counts the followers of one account once per minute, and adds those of two accounts', () => {
    const posts = [0, 20_000, 59_999].map((ms) => posted('a', 1_000, NOON_MS + ms, about(0.5)));
    expect(ledgerOf(posts).minutesOf(MINT)).toEqual([
      { minuteMs: NOON_MS, posts: 3, deleted: 0, reach: 1_000, meantHundredths: 150 },
    ]);
    const two = [...posts, posted('b', 50_000, NOON_MS + 59_999, about(-1))];
    expect(ledgerOf(two).minutesOf(MINT)).toEqual([
      { minuteMs: NOON_MS, posts: 4, deleted: 0, reach: 51_000, meantHundredths: 50 },
    ]);
  });

  test('counts an account again in the next minute, and a post for each token it is about', () => {
    const posts = [
      posted('a', 10, NOON_MS, about(0.5), about(-0.5, OTHER)),
      posted('a', 11, NOON_MS + MINUTE_MS, about(0.25)),
    ];
    const ledger = ledgerOf(posts);
    expect(ledger.mints).toEqual([MINT, OTHER]);
    expect(ledger.minutesOf(MINT).map(({ reach }) => reach)).toEqual([10, 11]);
    expect(ledger.minutesOf(OTHER)).toEqual([
      { minuteMs: NOON_MS, posts: 1, deleted: 0, reach: 10, meantHundredths: -50 },
    ]);
  });

  test("applies an edit's sentiment in the minute of its post, and no count changes on deletion", () => {
    const post = posted('a', 10, NOON_MS, about(0.5));
    const { postId } = post.record;
    const now = about(-0.75);
    const later = NOON_MS + 10 * MINUTE_MS;
    const edit: FeedEntry = {
      record: { kind: 'edit', platform: 'x', postId, text: '', editedAtMs: later },
      truth: { ...post.truth, about: [now], before: post.truth.about },
    };
    const removal: FeedEntry = {
      record: { kind: 'delete', platform: 'x', postId, deletedAtMs: later },
      truth: edit.truth.before === null ? edit.truth : { ...edit.truth, before: null },
    };
    expect(ledgerOf([post, edit, removal]).minutesOf(MINT)).toEqual([
      { minuteMs: NOON_MS, posts: 1, deleted: 1, reach: 10, meantHundredths: -75 },
    ]);
  });

  test('equals the contents of the written texts, minute by minute', () => {
    const lives = [dramaticLife('PEPE'), dramaticLife('WIFX', 1), steadyLife('PEPE', 2)];
    const scene = new SocialScene('ledger', lives, { raidChance: 1, raidPosts: 60 });
    const entries = scene.run(25);
    const tokens = scene.tokens.all();
    const ledger = new PostLedger(SAID_OUTRIGHT);
    for (const entry of entries) ledger.apply(entry);

    const records = entries.map(({ record }) => JSON.parse(postLine(record)) as PostRecord);
    const found = new Map<string, { posts: number; followers: Map<string, number> }>();
    for (const record of records) {
      if (record.kind !== 'post') continue;
      const minuteMs = record.postedAtMs - (record.postedAtMs % MINUTE_MS);
      for (const mint of mintsIn(record.text, tokens)) {
        const key = `${mint} ${minuteMs}`;
        const minute = found.get(key) ?? { posts: 0, followers: new Map<string, number>() };
        found.set(key, minute);
        minute.posts++;
        minute.followers.set(`${record.platform} ${record.author.id}`, record.author.followers);
      }
    }
    const lines = [...postLedgerLines(ledger)].map((line) => JSON.parse(line));
    expect(lines.length).toBeGreaterThan(60);
    expect(lines.length).toBe(found.size);
    for (const { mint, minuteMs, posts, reach } of lines) {
      const minute = found.get(`${mint} ${minuteMs}`);
      const followers = [...(minute?.followers.values() ?? [])];
      expect({ posts, reach }).toEqual({
        posts: minute?.posts,
        reach: followers.reduce((sum, each) => sum + each, 0),
      });
    }
  });

  test('sums the last sentiment of each post, as in the lines of the ground truth', () => {
    const scene = new SocialScene('meaning', [dramaticLife('PEPE')], { editShare: 0.3 });
    const entries = scene.run(25);
    const ledger = ledgerOf(entries);
    const lastMeant = new Map<string, { postedAtMs: number; about: readonly Mention[] }>();
    for (const entry of entries) {
      const line = JSON.parse(postTruthLine(entry));
      lastMeant.set(`${line.platform} ${line.postId}`, line);
    }
    const sums = new Map<string, number>();
    for (const { postedAtMs, about: mentions } of lastMeant.values()) {
      const minuteMs = postedAtMs - (postedAtMs % MINUTE_MS);
      for (const { mint, meantSentiment } of mentions) {
        const key = `${mint} ${minuteMs}`;
        sums.set(key, (sums.get(key) ?? 0) + meantSentiment);
      }
    }
    const edits = entries.filter(({ record }) => record.kind === 'edit');
    expect(edits.length).toBeGreaterThan(100);
    for (const mint of ledger.mints) {
      for (const { minuteMs, meantHundredths } of ledger.minutesOf(mint)) {
        expect(meantHundredths / 100).toBeCloseTo(sums.get(`${mint} ${minuteMs}`) ?? NaN, 6);
      }
    }
  });
});
