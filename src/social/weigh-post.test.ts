import { describe, expect, it } from 'vitest';
import { buildAuthor, buildPost, POSTED_MS } from '../../tests/support/build-post.ts';
import { countedFollowers, PostWeigher } from './weigh-post.ts';

const DAY_MS = 86_400_000;
const WORDS =
  'alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron'.split(' ');

/** Texts that are nobody's copies. */
function textOf(number: number): string {
  return WORDS.map((word, at) => `${word}${(number * 7_919 + at * 104_729) % 9_973}`).join(' ');
}

describe('PostWeigher', () => {
  it('weighs a good account of 999 followers by four: one, and log10 of a thousand', () => {
    const weight = new PostWeigher().weigh(buildPost({ author: buildAuthor({ followers: 999 }) }));
    expect(weight).toMatchObject({ qualityMicro: 1_000_000, weightMicro: 4_000_000, place: 1 });
  });

  it('divides by the place among copies, whoever writes them and of whatever time order', () => {
    const weigher = new PostWeigher();
    const weights = [0, 1, -5_000].map((laterMs, at) => {
      const author = buildAuthor({ id: `author ${at}`, followers: 999 });
      return weigher.weigh(buildPost({ author, createdAtMs: POSTED_MS + laterMs })).weightMicro;
    });
    expect(weights).toEqual([4_000_000, 2_000_000, 1_333_333]);
  });

  it('counts an unknown age half, and nothing else that a platform does not tell', () => {
    const author = buildAuthor({
      createdAtMs: null,
      followers: null,
      following: null,
      postCount: null,
    });
    const weight = new PostWeigher().weigh(buildPost({ author }));
    expect(weight).toMatchObject({ qualityMicro: 500_000, weightMicro: 500_000 });
  });

  it('doubts an author whose third post is a copy as well', () => {
    const weigher = new PostWeigher();
    const text = (at: number) => textOf(Math.min(at, 1));
    const qualities = [0, 1, 2, 3].map(
      (at) => weigher.weigh(buildPost({ postId: `${at}`, text: text(at) })).qualityMicro,
    );
    // Copies: none of 1, none of 2, one of 3, two of 4: no more than half are no harm.
    expect(qualities).toEqual([1_000_000, 1_000_000, 1_000_000, 1_000_000]);
    // Three of 5: (1 − 0.6) / 0.5.
    expect(weigher.weigh(buildPost({ text: text(4) })).qualityMicro).toBe(800_000);
    // A day later all of it is forgotten.
    const later = buildPost({ text: text(5), createdAtMs: POSTED_MS + DAY_MS });
    expect(weigher.weigh(later)).toMatchObject({ qualityMicro: 1_000_000, place: 1 });
  });

  it('goes on after a restart as if there had been none', () => {
    const straight = new PostWeigher();
    const before = new PostWeigher();
    const posts = Array.from({ length: 30 }, (_, at) =>
      buildPost({ text: textOf(at % 7), createdAtMs: POSTED_MS + at * 1_000 }),
    );
    const restarted = new PostWeigher();
    for (const post of posts) {
      straight.weigh(post);
      const { place, simHash } = before.weigh(post);
      restarted.recall({
        author: 'bluesky/author-1',
        createdAtMs: post.createdAtMs,
        simHash,
        place,
      });
    }
    const next = buildPost({ text: textOf(3), createdAtMs: POSTED_MS + 60_000 });
    expect(restarted.weigh(next)).toEqual(straight.weigh(next));
    expect(restarted.weigh(next).place).toBe(6);
  });

  it('takes a raid of twenty thousand copies in little time', () => {
    const weigher = new PostWeigher();
    const startedMs = performance.now();
    let place = 0;
    for (let at = 0; at < 20_000; at++) {
      const author = buildAuthor({ id: `raider ${at}` });
      place = weigher.weigh(buildPost({ author, createdAtMs: POSTED_MS + at })).place;
    }
    expect(place).toBe(20_000);
    // Looking through all copies for each of them would take minutes.
    expect(performance.now() - startedMs).toBeLessThan(5_000);
  });
});

it('counts followers that nobody can have as the most there can be, and none below none', () => {
  const counted = [1e308, Number.NaN, -5, 12.9, null, Number.POSITIVE_INFINITY].map((followers) =>
    countedFollowers(buildAuthor({ followers })),
  );
  expect(counted).toEqual([1e9, 0, 0, 12, 0, 1e9]);
});
