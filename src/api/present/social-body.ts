import { type TProperties, Type } from 'typebox';
import { uuidV5 } from '../../lib/uuid.ts';
import { PLATFORMS } from '../../model/social-post.ts';
import type { ListedPost, TrackedFigures } from '../../model/social-reads.ts';
import { MICRO } from '../../model/social-series.ts';
import type { Address } from '../../model/units.ts';
import { EXAMPLE } from '../schemas/examples.ts';
import { AddressText, FRESHNESS_HEADERS, Nullable, Word } from '../schemas/wire.ts';
import { presentMood } from './present-social.ts';
import { address, instant, integer, nullable, plain, text, uuid, word } from './wire-kinds.ts';
import { wireRecord } from './wire-record.ts';

const MINUTE_AFTER = '2025-01-15T14:33:00.000Z';
const EXPLANATION = { sources: ['bluesky', 'x'], model_version: 'hashed-2' } as const;

/** Origin of a data point, included with `explain=true`. */
const Explanation = {
  sources: Type.Optional(
    Type.Array(Word(PLATFORMS, 'Platform of a post.'), {
      description: 'Platforms of the posts in the minute.',
    }),
  ),
  model_version: Type.Optional(
    Nullable(
      Type.String({
        description:
          'Version of the model that scored the posts of the minute. Comma-separated if the ' +
          'model changed within the minute; null without posts.',
      }),
    ),
  ),
};

/** A series with one data point per minute, keys in the order of CONTRACT §2.8. */
function seriesBody<Properties extends TProperties>(
  figure: Properties,
  description: string,
  example: Readonly<Record<string, number>>,
) {
  return Type.Object(
    {
      token_address: AddressText,
      from_date: Type.String({ description: 'The from_date parameter, as given in the request.' }),
      to_date: Type.String({
        description: 'The to_date parameter, as given in the request; the current time if omitted.',
      }),
      interval: Type.Literal('1m'),
      data_points: Type.Array(
        Type.Object({
          timestamp: Type.String({ format: 'date-time', description: 'Start of the minute.' }),
          ...figure,
          ...Explanation,
        }),
        { description: 'One data point for every minute of the range, oldest first.' },
      ),
    },
    {
      description,
      headers: FRESHNESS_HEADERS,
      examples: [
        {
          token_address: EXAMPLE.mint,
          from_date: '2025-01-15T14:32:00Z',
          to_date: '2025-01-15T14:34:00Z',
          interval: '1m',
          data_points: [
            { timestamp: '2025-01-15T14:32:00.000Z', ...example, ...EXPLANATION },
            {
              timestamp: MINUTE_AFTER,
              ...Object.fromEntries(Object.keys(example).map((name) => [name, 0])),
              sources: [],
              model_version: null,
            },
          ],
        },
      ],
    },
  );
}

const SentimentNumber = Type.Number({
  minimum: -1,
  maximum: 1,
  description: 'From −1 to 1, four decimals.',
});

export const SentimentSeriesBody = seriesBody(
  { sentiment: SentimentNumber },
  'Sentiment of the posts of each minute; 0 without posts.',
  { sentiment: 0.4213 },
);

export const ReachSeriesBody = seriesBody(
  {
    reach: Type.Integer({
      description: 'Followers of all accounts that posted, each account counted once.',
    }),
  },
  'Combined followers of the accounts that posted in each minute.',
  { reach: 12_840 },
);

export const CountSeriesBody = seriesBody(
  { count: Type.Integer({ description: 'Number of posts.' }) },
  'Number of posts in each minute.',
  { count: 17 },
);

const mood = plain(SentimentNumber);

/** Totals of a token's posts. */
const Summary = wireRecord<TrackedFigures, Address>()(
  {
    token_address: [address, (_, mint) => mint],
    total_social_sentiment: [mood, weightedMood],
    total_social_reach: [
      integer,
      ({ totals }) => totals.reach,
      'Latest follower counts of all accounts that ever posted, each counted once.',
    ],
    total_number_of_posts: [integer, ({ totals }) => totals.posts],
    tracking_since: [instant, 'trackingSinceMs'],
    last_updated: [
      instant,
      ({ totals, polledAtMs }) => Math.max(totals.lastUpdatedMs, polledAtMs ?? 0),
      'Time when a post was last processed or a platform last polled.',
    ],
  },
  {
    description: 'Totals of all posts since tracking began.',
    headers: FRESHNESS_HEADERS,
    examples: [
      {
        token_address: EXAMPLE.mint,
        total_social_sentiment: 0.3127,
        total_social_reach: 284_729,
        total_number_of_posts: 1_284,
        tracking_since: '2025-01-14T09:12:44.000Z',
        last_updated: EXAMPLE.instant,
      },
    ],
  },
);

export const { schema: SocialSummaryBody, present: presentSummary } = Summary;

/** Mean sentiment weighted by author; 0 without posts. */
function weightedMood({ totals: { weightMicro, weightedMicro } }: TrackedFigures): number {
  return weightMicro === 0 ? 0 : presentMood(weightedMicro / weightMicro);
}

/** UUID namespace of post IDs, derived from `platform/postId`. */
const POSTS_NAMESPACE = '6f1c2f0e-54ab-5d0e-9d0a-3c6f6f2f7c51';

const Post = wireRecord<ListedPost>()({
  id: [uuid, ({ platform, postId }) => uuidV5(POSTS_NAMESPACE, `${platform}/${postId}`)],
  platform: [word(PLATFORMS), 'platform', 'Platform of the post.'],
  author: [
    text,
    ({ authorHandle, authorId }) => authorHandle ?? authorId,
    'Handle of the author, or the platform ID if there is none.',
  ],
  followers_count: [
    nullable(integer),
    'followers',
    'Followers when the post was written; null if the platform does not report them.',
  ],
  text: [text, 'text', 'Text of the post, unmodified. Escape it before displaying it.'],
  url: [
    nullable(text),
    'url',
    'Public address of the post; null where the platform has none for it.',
  ],
  sentiment: [mood, ({ sentimentMicro }) => presentMood(sentimentMicro / MICRO)],
  created_at: [instant, 'createdAtMs'],
});

export const presentPost = Post.present;

const MaybeCount = Nullable(Type.Integer());
const MaybeText = Nullable(Type.String());

export const SocialPostsBody = Type.Object(
  {
    token_address: AddressText,
    page_number: Type.Integer(),
    page_size: Type.Integer(),
    total_posts: Type.Integer({ description: 'Number of posts across all pages.' }),
    total_pages: Type.Integer(),
    ordering: Type.String(),
    filters: Type.Object({
      min_followers: MaybeCount,
      max_followers: MaybeCount,
      from_date: MaybeText,
      to_date: MaybeText,
    }),
    posts: Type.Array(Post.schema),
  },
  {
    description: 'One page of posts; empty past the end.',
    headers: FRESHNESS_HEADERS,
    examples: [
      {
        token_address: EXAMPLE.mint,
        page_number: 1,
        page_size: 1,
        total_posts: 17,
        total_pages: 17,
        ordering: 'created_at:desc',
        filters: { min_followers: 100, max_followers: null, from_date: null, to_date: null },
        posts: [
          {
            id: EXAMPLE.uuid,
            platform: 'bluesky',
            author: 'example.bsky.social',
            followers_count: 1_204,
            text: '$EXMP looks fine',
            url: 'https://bsky.app/profile/example.bsky.social/post/3k',
            sentiment: 0.4213,
            created_at: EXAMPLE.instant,
          },
        ],
      },
    ],
  },
);

export const PostsImportBody = Type.Object(
  {
    accepted: Type.Integer({
      description: 'Number of lines accepted. They are counted shortly after.',
    }),
    refused: Type.Integer({ description: 'Number of invalid lines.' }),
    faults: Type.Array(Type.Object({ line: Type.Integer(), message: Type.String() }), {
      description: 'Errors of the first invalid lines, at most 100.',
    }),
  },
  {
    description: 'The posts were accepted. They are counted within seconds.',
    examples: [
      { accepted: 2, refused: 1, faults: [{ line: 3, message: '"text" must be a string' }] },
    ],
  },
);
