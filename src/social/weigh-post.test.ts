import { describe, expect, it } from 'vitest';
import { buildAuthor, buildPost, POSTED_MS } from '../../tests/support/build-post.ts';
import { SOON_MS } from '../../tests/support/slow-machine.ts';
import { countedFollowers, PostWeigher } from './weigh-post.ts';

const DAY_MS = 86_400_000;
const WORDS =
  'alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron'.split(' ');

/** Texts of other words, that are not copies. */
function textOf(number: number): string {
  return WORDS.map((word, at) => `${word}${lettersOf(number * 7_919 + at * 104_729)}`).join(' ');
}

function lettersOf(value: number): string {
  return [...value.toString(26)]
    .map((digit) => `${digit}qzxvwjk`.charCodeAt(0) % 26)
    .map((code) => String.fromCharCode(97 + code))
    .join('');
}

describe('PostWeigher', () => {
  it('weighs a good account of 999 followers by four: one, and log10 of a thousand', () => {
    const weight = new PostWeigher().weigh(buildPost({ author: buildAuthor({ followers: 999 }) }));
    expect(weight).toMatchObject({
      qualityMicro: 1_000_000,
      weightMicro: 4_000_000,
      copyNumber: 1,
    });
  });

  it('divides by the number among copies, for any author and any order of times', () => {
    const weigher = new PostWeigher();
    const weights = [0, 1, -5_000].map((laterMs, at) => {
      const author = buildAuthor({ id: `author ${at}`, followers: 999 });
      return weigher.weigh(buildPost({ author, createdAtMs: POSTED_MS + laterMs })).weightMicro;
    });
    expect(weights).toEqual([4_000_000, 2_000_000, 1_333_333]);
  });

  it('counts an unknown age half, and ignores all other unknown fields', () => {
    const author = buildAuthor({
      createdAtMs: null,
      followers: null,
      following: null,
      postCount: null,
    });
    const weight = new PostWeigher().weigh(buildPost({ author }));
    expect(weight).toMatchObject({ qualityMicro: 500_000, weightMicro: 500_000 });
  });

  it('reduces the quality of an author when too many posts are copies', () => {
    const weigher = new PostWeigher();
    const text = (at: number) => textOf(Math.min(at, 1));
    const qualities = [0, 1, 2, 3].map(
      (at) => weigher.weigh(buildPost({ postId: `${at}`, text: text(at) })).qualityMicro,
    );
    // Copies: none of 1, none of 2, one of 3, two of 4: up to half have no effect.
    expect(qualities).toEqual([1_000_000, 1_000_000, 1_000_000, 1_000_000]);
    // Three of 5: (1 − 0.6) / 0.5.
    expect(weigher.weigh(buildPost({ text: text(4) })).qualityMicro).toBe(800_000);
    // A day later all of them are dropped.
    const later = buildPost({ text: text(5), createdAtMs: POSTED_MS + DAY_MS });
    expect(weigher.weigh(later)).toMatchObject({ qualityMicro: 1_000_000, copyNumber: 1 });
  });

  it('continues after a restart as if there had been none', () => {
    const straight = new PostWeigher();
    const before = new PostWeigher();
    const posts = Array.from({ length: 30 }, (_, at) =>
      buildPost({ text: textOf(at % 7), createdAtMs: POSTED_MS + at * 1_000 }),
    );
    const restarted = new PostWeigher();
    for (const post of posts) {
      straight.weigh(post);
      const { copyNumber, signature } = before.weigh(post);
      restarted.recall({
        platform: 'bluesky',
        authorId: 'author-1',
        createdAtMs: post.createdAtMs,
        signature,
        copyNumber,
        reportedFollowers: post.author.followers,
      });
    }
    const next = buildPost({ text: textOf(3), createdAtMs: POSTED_MS + 60_000 });
    expect(restarted.weigh(next)).toEqual(straight.weigh(next));
    expect(restarted.weigh(next).copyNumber).toBe(6);
  });

  it('divides by the number among the posts of the account in the hour as well', () => {
    const author = buildAuthor({ followers: 999 });
    const weight = new PostWeigher().weigh(buildPost({ author }), 4);
    expect(weight).toMatchObject({ weightMicro: 1_000_000, accountNumber: 4 });
  });

  it('counts an account with a billion followers like a large one, and weighs it so', () => {
    const weigher = new PostWeigher();
    const weigh = (id: string, followers: number) =>
      weigher.weigh(
        buildPost({ author: buildAuthor({ id, followers }), text: textOf(Number(id)) }),
      );
    // Of few accounts the platform's percentile is unknown: a million at most.
    expect(weigh('0', 1_000_000_000).boundedFollowers).toBe(1_000_000);
    for (let id = 1; id < 1_200; id++) weigh(`${id}`, id);
    // 1 of 1,200 may be larger than the bound, which is within a sixteenth of the next.
    const { boundedFollowers, weightMicro } = weigh('0', 1_000_000_000);
    expect(boundedFollowers).toBeGreaterThanOrEqual(1_199);
    expect(boundedFollowers).toBeLessThan(1_199 * (1 + 1 / 16));
    expect(weightMicro).toBeLessThan(5_000_000);
  });

  it('processes a raid of twenty thousand copies quickly', () => {
    const weigher = new PostWeigher();
    const startedMs = performance.now();
    let copyNumber = 0;
    for (let at = 0; at < 20_000; at++) {
      const author = buildAuthor({ id: `raider ${at}` });
      copyNumber = weigher.weigh(buildPost({ author, createdAtMs: POSTED_MS + at })).copyNumber;
    }
    expect(copyNumber).toBe(20_000);
    // Comparing each copy with all others would take minutes.
    expect(performance.now() - startedMs).toBeLessThan(SOON_MS);
  });
});

it('limits implausible follower counts to the maximum, and negative ones to 0', () => {
  const counted = [1e308, Number.NaN, -5, 12.9, null, Number.POSITIVE_INFINITY].map((followers) =>
    countedFollowers(buildAuthor({ followers })),
  );
  expect(counted).toEqual([1e9, 0, 0, 12, 0, 1e9]);
});
