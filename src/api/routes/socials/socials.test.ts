import { Value } from 'typebox/value';
import { describe, expect, test } from 'vitest';
import { address } from '../../../../tests/support/build-transaction.ts';
import {
  ADMIN_KEY,
  fakeApiDeps,
  fakeTracked,
  MINT,
  NOW_MS,
  POOL,
  READ_KEY,
  REVIEW_KEY,
} from '../../../../tests/support/fake-api-deps.ts';
import { fakeApiServer, getAsReader, sendAs } from '../../../../tests/support/fake-api-server.ts';
import type {
  ListedPost,
  MinuteFigure,
  MinuteValue,
  PostsQuery,
  SeriesQuery,
} from '../../../model/social-reads.ts';
import { SentimentSeriesBody, SocialPostsBody } from '../../present/social-body.ts';
import type { SocialRepository } from '../../social-repository.ts';

const TEN = Date.UTC(2025, 0, 15, 10);
const SERIES = ['sentiment-over-time', 'reach-over-time', 'posts-over-time'] as const;

/** Figures of the minute after ten. */
const FIGURES: Readonly<Record<MinuteFigure, number>> = {
  ...{ weightedSentiment: 0.25004, sentiment: -0.00004, reach: 1_500, qualityReach: 900 },
  ...{ posts: 4, distinctPosts: 3 },
};

function valuesOf({ figure, isExplained }: SeriesQuery): MinuteValue[] {
  const origin = { platforms: ['bluesky' as const, 'x' as const], modelVersions: ['m1', 'm2'] };
  const value = FIGURES[figure];
  return [{ minuteMs: TEN + 60_000, value, origin: isExplained ? origin : null }];
}

function serverWith(social: Partial<SocialRepository> = {}) {
  return fakeApiServer({ social: { ...fakeApiDeps().social, ...social } });
}

function seriesUrl(
  series: string,
  query = 'from_date=2025-01-15T10:00:30Z&to_date=2025-01-15T10:03Z',
) {
  return `/v1/socials/${series}?token_address=${MINT}&${query}`;
}

async function pointsOf(series: string, more = '') {
  const asked: number[][] = [];
  const server = serverWith({
    values: (query) => {
      asked.push([query.fromMs, query.toMs]);
      return valuesOf(query);
    },
  });
  const response = await getAsReader(server, seriesUrl(series) + more);
  expect(response.statusCode).toBe(200);
  expect(asked).toEqual([[TEN, TEN + 180_000]]);
  return response.json().data_points;
}

describe('series of posts', () => {
  test('have a point for every minute from from_date until to_date', async () => {
    const server = serverWith({ values: valuesOf });
    const response = await getAsReader(server, seriesUrl('sentiment-over-time'));
    expect(response.body).toBe(
      JSON.stringify({
        token_address: MINT,
        from_date: '2025-01-15T10:00:30Z',
        to_date: '2025-01-15T10:03Z',
        interval: '1m',
        data_points: [
          { timestamp: '2025-01-15T10:00:00.000Z', sentiment: 0 },
          { timestamp: '2025-01-15T10:01:00.000Z', sentiment: 0.25 },
          { timestamp: '2025-01-15T10:02:00.000Z', sentiment: 0 },
        ],
      }),
    );
    expect(Value.Check(SentimentSeriesBody, response.json())).toBe(true);
  });

  test('are raw or filtered', async () => {
    const figures = async (series: string, name: string, more = '') =>
      (await pointsOf(series, more)).map((point: Record<string, number>) => point[name]);
    expect(await figures('sentiment-over-time', 'sentiment', '&view=raw')).toEqual([0, 0, 0]);
    expect(await figures('reach-over-time', 'reach')).toEqual([0, 1_500, 0]);
    expect(await figures('reach-over-time', 'reach', '&view=filtered')).toEqual([0, 900, 0]);
    expect(await figures('posts-over-time', 'count')).toEqual([0, 4, 0]);
    expect(await figures('posts-over-time', 'count', '&view=filtered')).toEqual([0, 3, 0]);
  });

  test('contain the origin of points on request', async () => {
    const points = await pointsOf('posts-over-time', '&explain=true');
    expect(points.slice(0, 2)).toEqual([
      { timestamp: '2025-01-15T10:00:00.000Z', count: 0, sources: [], model_version: null },
      {
        timestamp: '2025-01-15T10:01:00.000Z',
        count: 4,
        sources: ['bluesky', 'x'],
        model_version: 'm1,m2',
      },
    ]);
  });

  test('end with the current minute without to_date', async () => {
    // Now is 14:32:09.
    const response = await getAsReader(
      serverWith(),
      seriesUrl('posts-over-time', 'from_date=2025-01-15T14:31:00'),
    );
    const { to_date, data_points } = response.json();
    expect(to_date).toBe(new Date(NOW_MS).toISOString());
    expect(data_points.map(({ timestamp }: { timestamp: string }) => timestamp)).toEqual([
      '2025-01-15T14:31:00.000Z',
      '2025-01-15T14:32:00.000Z',
    ]);
  });

  test('cover at most a week of minutes', async () => {
    const week = seriesUrl('posts-over-time', 'from_date=2025-01-01&to_date=2025-01-08');
    const longer = seriesUrl(
      'posts-over-time',
      'from_date=2025-01-01&to_date=2025-01-08T00:00:00.001',
    );
    expect((await getAsReader(serverWith(), week)).json().data_points).toHaveLength(10_080);
    const refused = await getAsReader(serverWith(), longer);
    expect(refused.statusCode).toBe(422);
    expect(refused.json()).toEqual({ code: 422, message: 'A range is at most 10080 minutes.' });
  });

  test.each(
    SERIES.flatMap((series) =>
      (
        [
          ['', 400, 'token_address is required.'],
          [`token_address=${MINT}`, 400, 'from_date is required.'],
          ['token_address=&from_date=2025-01-15', 400, 'token_address is empty.'],
          [
            'token_address=0OIl&from_date=2025-01-15',
            422,
            'token_address must be the base58 text of a 32-byte address.',
          ],
          [
            `token_address=${MINT}&from_date=2025-02-30`,
            422,
            'from_date must be an ISO 8601 date or date-time such as 2025-01-15T14:32:08Z.',
          ],
          [
            `token_address=${MINT}&from_date=2025-01-15&to_date=2025-01-15`,
            422,
            'from_date must be before to_date.',
          ],
          [
            `token_address=${MINT}&from_date=2025-01-15&view=best`,
            400,
            'view must be one of raw, filtered.',
          ],
        ] as const
      ).map(([query, code, message]) => [series, query, code, message] as const),
    ),
  )('refuse %s?%s', async (series, query, code, message) => {
    const response = await getAsReader(serverWith(), `/v1/socials/${series}?${query}`);
    expect(response.body).toBe(JSON.stringify({ code, message }));
    expect(response.statusCode).toBe(code);
  });
});

describe('a token whose posts are not collected', () => {
  test.each([
    ...SERIES.map((series) => `${series}?from_date=2025-01-15&`),
    'summary?',
    'posts?page_number=1&page_size=1&ordering=created_at:asc&',
  ])('is a 404: %s', async (path) => {
    const url = `/v1/socials/${path}token_address=${address('on its curve')}`;
    const response = await getAsReader(serverWith(), url);
    expect(response.statusCode).toBe(404);
    expect(response.json().message).toContain('Posts of this token are not collected');
  });

  test('has no social scores among its indicators, unlike a tracked one', async () => {
    const tracked = fakeTracked({
      hour: { atMs: NOW_MS - 1_000, posts: 3, sentimentMicro: -847_400, blastRadius: 284_729 },
    });
    const url = `/v1/indicators/current?pair_address=${POOL}`;
    const scoresOf = async (found: typeof tracked | null) => {
      const body = (await getAsReader(serverWith({ tracked: () => found }), url)).json();
      return [body.social_sentiment_score, body.social_blast_radius_score];
    };
    expect(await scoresOf(null)).toEqual([null, null]);
    expect(await scoresOf(tracked)).toEqual(['-0.847', 284_729]);
    // No figures were written in the hour since the posts expired.
    const old = { ...tracked, hour: { ...tracked.hour, atMs: NOW_MS - 3_600_000 } };
    expect(await scoresOf(old)).toEqual(['0.000', 0]);
  });
});

describe('GET /v1/socials/summary', () => {
  const url = `/v1/socials/summary?token_address=${MINT}`;

  test('returns totals since tracking began, and the time of the last post or poll', async () => {
    const totals = {
      ...{ posts: 3, weightMicro: 4_000_000, weightedMicro: -1_000_000, sentimentMicro: 7 },
      ...{ reach: 12_000, lastUpdatedMs: TEN },
    };
    const answer = (polledAtMs: number | null) =>
      getAsReader(serverWith({ tracked: () => fakeTracked({ totals, polledAtMs }) }), url);
    expect((await answer(null)).body).toBe(
      JSON.stringify({
        token_address: MINT,
        total_social_sentiment: -0.25,
        total_social_reach: 12_000,
        total_number_of_posts: 3,
        tracking_since: '2025-01-15T13:32:08.000Z',
        last_updated: '2025-01-15T10:00:00.000Z',
      }),
    );
    expect((await answer(TEN + 1)).json().last_updated).toBe('2025-01-15T10:00:00.001Z');
  });

  test.each([
    ['', 400, 'token_address is required.'],
    ['?token_address=1111', 422, 'token_address must be the base58 text of a 32-byte address.'],
  ])('refuses %s', async (query, code, message) => {
    const response = await getAsReader(serverWith(), `/v1/socials/summary${query}`);
    expect([response.statusCode, response.json()]).toEqual([code, { code, message }]);
  });

  test('requires the scope read', async () => {
    expect((await sendAs(serverWith(), 'GET', url)).statusCode).toBe(401);
    expect((await sendAs(serverWith(), 'GET', url, REVIEW_KEY)).statusCode).toBe(403);
  });
});

describe('GET /v1/socials/posts', () => {
  const required = `token_address=${MINT}&page_number=2&page_size=2&ordering=followers_count:desc`;
  const post: ListedPost = {
    ...{ platform: 'x', postId: '17', authorId: '99', authorHandle: null, followers: null },
    ...{ text: '</script>\u202e\u0000 😀', url: null, sentimentMicro: -1, modelVersion: 'm1' },
    createdAtMs: TEN,
  };

  test('returns a page, its filters, and texts unchanged', async () => {
    const asked: PostsQuery[] = [];
    const server = serverWith({
      posts: (query) => {
        asked.push(query);
        return { posts: [post], total: 3 };
      },
    });
    const filters =
      '&min_followers=5&max_followers=5&from_date=2025-01-15&to_date=2025-01-16T00:00Z';
    const response = await getAsReader(server, `/v1/socials/posts?${required}${filters}`);
    expect(asked).toEqual([
      {
        ...{ mint: MINT, orderBy: 'followers_count', orderDir: 'desc', offset: 2, limit: 2 },
        ...{ minFollowers: 5, maxFollowers: 5 },
        ...{ fromMs: Date.UTC(2025, 0, 15), toMs: Date.UTC(2025, 0, 16) },
      },
    ]);
    expect(Value.Check(SocialPostsBody, response.json())).toBe(true);
    expect(response.json()).toMatchObject({
      ...{ page_number: 2, page_size: 2, total_posts: 3, total_pages: 2 },
      ordering: 'followers_count:desc',
      filters: {
        ...{ min_followers: 5, max_followers: 5 },
        ...{ from_date: '2025-01-15', to_date: '2025-01-16T00:00Z' },
      },
      posts: [
        {
          ...{ platform: 'x', author: '99', followers_count: null, url: null, sentiment: 0 },
          ...{ text: post.text, created_at: '2025-01-15T10:00:00.000Z' },
        },
      ],
    });
    expect(Object.keys(response.json().posts[0])).toEqual(
      'id platform author followers_count text url sentiment created_at'.split(' '),
    );
  });

  test('has a stable ID per post, and distinct IDs for different posts', async () => {
    const others = [post, { ...post, platform: 'reddit' as const }, { ...post, postId: '18' }];
    const server = serverWith({ posts: () => ({ posts: others, total: 3 }) });
    const idsOf = async () => {
      const { posts } = (await getAsReader(server, `/v1/socials/posts?${required}`)).json();
      return posts.map(({ id }: { id: string }) => id);
    };
    const ids = await idsOf();
    expect(await idsOf()).toEqual(ids);
    expect(new Set(ids).size).toBe(3);
    expect(ids[0]).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });

  test.each([
    ['page_number', 'page_number is required.'],
    ['page_size', 'page_size is required.'],
    ['ordering', 'ordering is required.'],
    ['token_address', 'token_address is required.'],
  ])('requires %s', async (name, message) => {
    const query = required.split('&').filter((part) => !part.startsWith(`${name}=`));
    const response = await getAsReader(serverWith(), `/v1/socials/posts?${query.join('&')}`);
    expect([response.statusCode, response.json().message]).toEqual([400, message]);
  });

  test.each([
    ['page_size=101', 400, 'page_size must be a whole number from 1 to 100.'],
    ['page_number=0', 400, 'page_number must be a whole number from 1 to 1000.'],
    [
      'ordering=created_at',
      400,
      'ordering must be one of created_at:asc, created_at:desc, followers_count:asc, followers_count:desc.',
    ],
    ['token_address=1', 422, 'token_address must be the base58 text of a 32-byte address.'],
    ['min_followers=2&max_followers=1', 422, 'min_followers must not be above max_followers.'],
    ['from_date=2025-01-15&to_date=2025-01-14', 422, 'from_date must be before to_date.'],
  ])('refuses %s', async (part, code, message) => {
    const changed = new URLSearchParams(required);
    for (const [name, value] of new URLSearchParams(part)) changed.set(name, value);
    const response = await getAsReader(serverWith(), `/v1/socials/posts?${changed}`);
    expect([response.statusCode, response.json()]).toEqual([code, { code, message }]);
  });
});

describe('POST /v1/socials/posts/import', () => {
  const url = '/v1/socials/posts/import';
  const post = (payload: string, type = 'application/x-ndjson', key = ADMIN_KEY) => {
    const server = serverWith({
      import: async (lines) =>
        lines.length > 20 ? null : { accepted: lines.length, refused: 0, faults: [] },
    });
    const headers = { 'content-type': type, 'x-api-key': key };
    return server.inject({ method: 'POST', url, headers, payload });
  };

  test('accepts lines', async () => {
    const response = await post('{}\n{}\n');
    expect([response.statusCode, response.json()]).toEqual([
      202,
      { accepted: 6, refused: 0, faults: [] },
    ]);
  });

  test.each(['application/json', 'text/plain', 'application/json/x', 'nonsense', ''])(
    'names the required type when it gets %j',
    async (type) => {
      expect((await post('{}', type)).json()).toEqual({
        code: 415,
        message: 'The request body must be application/x-ndjson.',
      });
    },
  );

  test.each([
    ['nothing', '', 'application/x-ndjson', ADMIN_KEY, 400],
    ['JSON', '{}', 'application/json', ADMIN_KEY, 415],
    [
      'a body that is too large',
      ' '.repeat(1024 * 1024 + 1),
      'application/x-ndjson',
      ADMIN_KEY,
      413,
    ],
    ['a body without capacity', ' '.repeat(21), 'application/x-ndjson', ADMIN_KEY, 503],
    ['a key that may only read', '{}', 'application/x-ndjson', READ_KEY, 403],
    ['an unknown key', '{}', 'application/x-ndjson', 'tik_unknown', 401],
  ])('refuses %s', async (_, payload, type, key, status) => {
    const response = await post(payload, type, key);
    expect(response.statusCode).toBe(status);
    expect(response.json().code).toBe(status);
  });
});
