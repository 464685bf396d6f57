import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { commit } from '../../../tests/support/fake-bluesky.ts';
import { cast } from '../../../tests/support/fake-farcaster.ts';
import { submission } from '../../../tests/support/fake-reddit.ts';
import { postIdAt, X_USER, xPost } from '../../../tests/support/fake-x.ts';
import { POST_LINKS_MAX, POST_TEXT_MAX, type SocialPost } from '../../model/social-post.ts';
import { fieldsOf } from '../collecting/read-fields.ts';
import { Tally } from '../collecting/tally.ts';
import { readEvent } from './bluesky/read-event.ts';
import { readCast } from './farcaster/read-cast.ts';
import { readListing } from './reddit/read-submission.ts';
import { readUpdate } from './telegram/read-update.ts';
import { readPost, readUsers } from './x/read-post.ts';

const NOW_MS = Date.UTC(2026, 10, 20, 12);

/** Values that a broken or hostile server may send in any field. */
const anything = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fc.constantFrom<unknown>(
    undefined,
    null,
    -1,
    1e308,
    2 ** 53,
    0.5,
    '',
    '\ud800',
    '\u0000',
    '../..',
    'x'.repeat(10_000),
    '🚀'.repeat(2_500),
    '9999-12-31T23:59:59Z',
    '2026-13-45T99:99:99Z',
    'javascript:alert(1)',
    { constructor: 1, toString: null },
    Array.from({ length: 100 }, (_, at) => ({ url: `https://a.xyz/${at}`, expanded_url: 'x' })),
  ),
  fc.string({ unit: 'binary', maxLength: 30 }),
);

/** A documented message with strange values in some fields, or an entirely strange value. */
function spoilt(valid: unknown): fc.Arbitrary<unknown> {
  const places = fc.array(fc.tuple(fc.nat(), anything), { minLength: 1, maxLength: 4 });
  const changed = places.map((changes) => {
    const copy: unknown = structuredClone(valid);
    for (const [at, value] of changes) {
      const slots = slotsOf(copy);
      const slot = slots[at % Math.max(1, slots.length)];
      if (slot !== undefined) Reflect.set(slot.holder, slot.key, structuredClone(value));
    }
    return copy;
  });
  return fc.oneof({ weight: 20, arbitrary: changed }, anything);
}

function slotsOf(value: unknown): { holder: object; key: string }[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [
    { holder: value, key },
    ...slotsOf(inner),
  ]);
}

function tally(): Tally {
  return new Tally({ name: 'test', platform: 'x' }, () => undefined);
}

function expectFit(post: SocialPost): void {
  expect(post.text.length).toBeLessThanOrEqual(POST_TEXT_MAX);
  expect(post.text.isWellFormed()).toBe(true);
  expect(post.postId).toMatch(/^[\x21-\x7e]{1,520}$/);
  expect(post.author.id).toMatch(/^[\x21-\x7e]{1,256}$/);
  expect(post.links.length).toBeLessThanOrEqual(POST_LINKS_MAX);
  for (const link of post.links) expect(link).toMatch(/^https?:\/\//i);
  if (post.url !== null) expect(post.url).toMatch(/^https:\/\/[a-z.]+\/[!-~]*$/);
  expect(Number.isSafeInteger(post.createdAtMs)).toBe(true);
  expect(post.createdAtMs).toBeLessThanOrEqual(NOW_MS);
  expect(post.createdAtMs).toBeGreaterThan(Date.UTC(2005, 0, 1) - 1);
  const { followers, following, postCount } = post.author;
  for (const count of [followers, following, postCount, post.reposts]) {
    if (count === null) continue;
    expect(Number.isSafeInteger(count)).toBe(true);
    expect(count).toBeGreaterThanOrEqual(0);
    expect(count).toBeLessThanOrEqual(1e10);
  }
}

const RECORD = {
  text: 'gm',
  createdAt: '2026-11-20T11:59:00Z',
  facets: [{ features: [{ uri: 'https://a.xyz' }] }],
  embed: { external: { uri: 'https://b.xyz' } },
};
const X_MESSAGE = {
  post: xPost(postIdAt(NOW_MS - 1_000), NOW_MS - 1_000, {
    entities: { urls: [{ expanded_url: 'https://a.xyz' }] },
    note_tweet: { text: 'long' },
  }),
  includes: { users: [X_USER] },
};
const UPDATE = {
  update_id: 1,
  channel_post: {
    message_id: 2,
    chat: { id: -100, type: 'channel', username: 'calls' },
    date: NOW_MS / 1_000 - 5,
    text: 'gm',
    entities: [{ url: 'https://a.xyz' }],
  },
};

const READERS: readonly [string, unknown, (value: unknown) => (SocialPost | null)[]][] = [
  [
    'Bluesky',
    commit(NOW_MS - 1_000, 'k', RECORD),
    (value) => {
      const event = readEvent(JSON.stringify(value) ?? '', NOW_MS, tally());
      return event.kind === 'post' ? [event.post] : [];
    },
  ],
  [
    'X',
    X_MESSAGE,
    (value) => {
      const { post, includes } = fieldsOf(value);
      return [readPost(post, readUsers(includes), NOW_MS, tally())];
    },
  ],
  ['Telegram', UPDATE, (value) => [readUpdate(fieldsOf(value), NOW_MS, tally())?.post ?? null]],
  ['Farcaster', cast(5, NOW_MS - 1_000), (value) => [readCast(value, NOW_MS, tally())]],
  [
    'Reddit',
    { data: { children: [{ kind: 't3', data: submission('a', NOW_MS - 1_000) }], after: 't3_a' } },
    (value) =>
      (readListing(value, NOW_MS, tally())?.submissions ?? []).map(({ event }) =>
        event.kind === 'post' ? event.post : null,
      ),
  ],
];

describe('a message that differs from the documentation', () => {
  it.each(READERS)('of %s is read as a post within all bounds, or as none', (_, valid, read) => {
    expect(read(valid).length).toBe(1);
    for (const post of read(valid)) expect(post).not.toBeNull();
    let posts = 0;
    fc.assert(
      fc.property(spoilt(valid), (value) => {
        for (const post of read(value)) {
          if (post === null) continue;
          posts++;
          expectFit(post);
        }
      }),
      { numRuns: 1_500 },
    );
    expect(posts).toBeGreaterThan(100);
  });
});
