/** GET /v1/socials/posts: posts about a token, page by page (CONTRACT §2.8). */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { type Static, Type } from 'typebox';
import { ApiError } from '../../../model/errors.ts';
import type { PostOrder, PostsQuery } from '../../../model/social-reads.ts';
import type { ApiDeps } from '../../deps.ts';
import { setFreshness } from '../../present/freshness.ts';
import { presentPost } from '../../present/present-social.ts';
import { assertTracked, UNTRACKED } from '../../requests/untracked.ts';
import {
  badRequest,
  busy,
  COMMON_ERRORS,
  notFound,
  unprocessable,
} from '../../schemas/error-responses.ts';
import { EXAMPLE } from '../../schemas/examples.ts';
import {
  AddressParameter,
  ChoiceParameter,
  EchoedInstantParameter,
  IntegerParameter,
} from '../../schemas/parameters.ts';
import { SocialPostsBody } from '../../schemas/social-body.ts';

/** Pages beyond ask for ever more work and nobody reads them. */
const PAGE_MAX = 1_000;
const ORDERINGS = [
  'created_at:asc',
  'created_at:desc',
  'followers_count:asc',
  'followers_count:desc',
] as const;

const Followers = (description: string) =>
  Type.Optional(IntegerParameter({ description, minimum: 0, maximum: Number.MAX_SAFE_INTEGER }));

const Query = Type.Object({
  token_address: AddressParameter({
    description: 'Mint address.',
    example: EXAMPLE.mint,
    invalidStatus: 422,
  }),
  page_number: IntegerParameter({ description: 'From 1.', minimum: 1, maximum: PAGE_MAX }),
  page_size: IntegerParameter({ description: 'Posts per page.', minimum: 1, maximum: 100 }),
  ordering: ChoiceParameter(ORDERINGS, { description: 'What to sort by, and the direction.' }),
  min_followers: Followers('Only authors with so many followers or more.'),
  max_followers: Followers('Only authors with so many followers or fewer.'),
  from_date: Type.Optional(EchoedInstantParameter({ description: 'Posts from here on.' })),
  to_date: Type.Optional(EchoedInstantParameter({ description: 'Posts before this.' })),
});

type AskedQuery = Static<typeof Query>;

const schema = {
  operationId: 'getSocialPosts',
  summary: 'Posts about a token',
  description:
    'Posts that count for a token, each once however often it came. Deleted ones are gone, edited ' +
    'ones as they read now; an author whose platform tells no followers counts as one with none. ' +
    'Kept for 90 days.',
  tags: ['socials'],
  querystring: Query,
  response: {
    200: SocialPostsBody,
    ...COMMON_ERRORS,
    ...badRequest('page_size must be a whole number from 1 to 100.'),
    ...notFound(UNTRACKED),
    ...unprocessable('from_date must be before to_date.'),
    ...busy(),
  },
};

export const socialPostsRoute =
  (deps: ApiDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get('/v1/socials/posts', { schema }, (request, reply) => {
      const { query } = request;
      const asked = toQuery(query);
      setFreshness(reply, deps, { fromSlot: deps.chain.freshness().slot });
      assertTracked(deps.social.tracked(query.token_address));
      const { posts, total } = deps.social.posts(asked);
      return {
        token_address: query.token_address,
        page_number: query.page_number,
        page_size: query.page_size,
        total_posts: total,
        total_pages: Math.ceil(total / query.page_size),
        ordering: query.ordering,
        filters: {
          min_followers: query.min_followers ?? null,
          max_followers: query.max_followers ?? null,
          from_date: query.from_date?.text ?? null,
          to_date: query.to_date?.text ?? null,
        },
        posts: posts.map(presentPost),
      };
    });
  };

function toQuery(query: AskedQuery): PostsQuery {
  const { min_followers: minFollowers = null, max_followers: maxFollowers = null } = query;
  const fromMs = query.from_date?.timeMs ?? null;
  const toMs = query.to_date?.timeMs ?? null;
  if (fromMs !== null && toMs !== null && fromMs >= toMs) {
    throw new ApiError(422, 'from_date must be before to_date.');
  }
  if (minFollowers !== null && maxFollowers !== null && minFollowers > maxFollowers) {
    throw new ApiError(422, 'min_followers must not be above max_followers.');
  }
  const [orderBy, orderDir] = query.ordering.split(':') as [PostOrder, 'asc' | 'desc'];
  return {
    mint: query.token_address,
    ...{ orderBy, orderDir, minFollowers, maxFollowers, fromMs, toMs },
    offset: (query.page_number - 1) * query.page_size,
    limit: query.page_size,
  };
}
