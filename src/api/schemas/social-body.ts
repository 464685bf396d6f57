import { type TProperties, Type } from 'typebox';
import { PLATFORMS } from '../../model/social-post.ts';
import { EXAMPLE } from './examples.ts';
import { AddressText, FRESHNESS_HEADERS, Instant, Nullable, UuidText, Word } from './wire.ts';

const MINUTE_AFTER = '2025-01-15T14:33:00.000Z';
const EXPLANATION = { sources: ['bluesky', 'x'], model_version: 'hashed-1' } as const;

/** What a point says of where it comes from, with `explain=true`. */
const Explanation = {
  sources: Type.Optional(
    Type.Array(Word(PLATFORMS, 'A platform.'), {
      description: 'Platforms of the posts of the minute.',
    }),
  ),
  model_version: Type.Optional(
    Nullable(
      Type.String({
        description:
          'What scored the posts of the minute: several with commas where the model changed, null ' +
          'without posts.',
      }),
    ),
  ),
};

/** A series of one minute each, keys in the order of CONTRACT §2.8. */
function seriesBody<Properties extends TProperties>(
  figure: Properties,
  description: string,
  example: Readonly<Record<string, number>>,
) {
  return Type.Object(
    {
      token_address: AddressText,
      from_date: Type.String({ description: 'As asked for.' }),
      to_date: Type.String({ description: 'As asked for; the time of the answer when left out.' }),
      interval: Type.Literal('1m'),
      data_points: Type.Array(
        Type.Object({
          timestamp: Type.String({ format: 'date-time', description: 'When the minute began.' }),
          ...figure,
          ...Explanation,
        }),
        { description: 'Every minute of the range, oldest first.' },
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
  'The mood of the posts of each minute; 0 without posts.',
  { sentiment: 0.4213 },
);

export const ReachSeriesBody = seriesBody(
  { reach: Type.Integer({ description: 'Followers of all who posted, each account once.' }) },
  'Followers of the accounts that posted in each minute.',
  { reach: 12_840 },
);

export const CountSeriesBody = seriesBody(
  { count: Type.Integer({ description: 'Posts.' }) },
  'Posts of each minute.',
  { count: 17 },
);

export const SocialSummaryBody = Type.Object(
  {
    token_address: AddressText,
    total_social_sentiment: SentimentNumber,
    total_social_reach: Type.Integer({
      description: 'Newest followers of everybody who ever posted, each account once.',
    }),
    total_number_of_posts: Type.Integer(),
    tracking_since: Instant,
    last_updated: Type.String({
      format: 'date-time',
      description: 'When a post was last taken, or a platform last asked.',
    }),
  },
  {
    description: 'All posts since tracking began.',
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
    total_posts: Type.Integer({ description: 'Posts across all pages.' }),
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
        platform: Word(PLATFORMS, 'Where it was posted.'),
        author: Type.String({ description: 'The handle, or the id where there is none.' }),
        followers_count: Nullable(
          Type.Integer({ description: 'When it was posted; null where the platform tells none.' }),
        ),
        text: Type.String({ description: 'As written: to be escaped before it is shown.' }),
        url: MaybeText,
        sentiment: SentimentNumber,
        created_at: Instant,
      }),
    ),
  },
  {
    description: 'One page; empty past the end.',
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
    accepted: Type.Integer({ description: 'Lines that are kept and will be counted.' }),
    refused: Type.Integer({ description: 'Lines that say nothing.' }),
    faults: Type.Array(Type.Object({ line: Type.Integer(), message: Type.String() }), {
      description: 'The first of them, at most 100.',
    }),
  },
  {
    description: 'The posts are kept, and counted within seconds.',
    examples: [
      { accepted: 2, refused: 1, faults: [{ line: 3, message: '"text" must be a string' }] },
    ],
  },
);
