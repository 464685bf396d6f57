import { type TProperties, Type } from 'typebox';
import { PLATFORMS } from '../../model/social-post.ts';
import { EXAMPLE } from './examples.ts';
import { AddressText, FRESHNESS_HEADERS, Instant, Nullable, UuidText, Word } from './wire.ts';

const MINUTE_AFTER = '2025-01-15T14:33:00.000Z';
const EXPLANATION = { sources: ['bluesky', 'x'], model_version: 'hashed-1' } as const;

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
              ...{ sources: [], model_version: null },
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

export const SocialSummaryBody = Type.Object(
  {
    token_address: AddressText,
    total_social_sentiment: SentimentNumber,
    total_social_reach: Type.Integer({
      description: 'Latest follower counts of all accounts that ever posted, each counted once.',
    }),
    total_number_of_posts: Type.Integer(),
    tracking_since: Instant,
    last_updated: Type.String({
      format: 'date-time',
      description: 'Time when a post was last processed or a platform last polled.',
    }),
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
    posts: Type.Array(
      Type.Object({
        id: UuidText,
        platform: Word(PLATFORMS, 'Platform of the post.'),
        author: Type.String({
          description: 'Handle of the author, or the platform ID if there is none.',
        }),
        followers_count: Nullable(
          Type.Integer({
            description:
              'Followers when the post was written; null if the platform does not report them.',
          }),
        ),
        text: Type.String({
          description: 'Text of the post, unmodified. Escape it before displaying it.',
        }),
        url: MaybeText,
        sentiment: SentimentNumber,
        created_at: Instant,
      }),
    ),
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
