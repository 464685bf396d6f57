/** GET /v1/socials/posts: posts about a token, paginated (CONTRACT §2.8). */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { type Static, Type } from 'typebox';
import { ApiError } from '../../../model/errors.ts';
import type { PostOrder, PostsQuery } from '../../../model/social-reads.ts';
import type { ApiDeps } from '../../deps.ts';
import { setFreshness } from '../../present/freshness.ts';
import { presentPost, SocialPostsBody } from '../../present/social-body.ts';
import { assertTracked, UNTRACKED } from '../../requests/untracked.ts';
import { errors } from '../../schemas/error-responses.ts';
import { EXAMPLE } from '../../schemas/examples.ts';
import {
  AddressParameter,
  ChoiceParameter,
  EchoedInstantParameter,
  IntegerParameter,
} from '../../schemas/parameters.ts';

/** Maximum page number: the cost of a page grows with its offset. */
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
  page_number: IntegerParameter({
    description: 'Page number, starting at 1.',
    example: 1,
    minimum: 1,
    maximum: PAGE_MAX,
  }),
  page_size: IntegerParameter({
    description: 'Number of posts per page.',
    example: 20,
    minimum: 1,
    maximum: 100,
  }),
  ordering: ChoiceParameter(ORDERINGS, {
    description: 'Sort field and direction. Unknown followers come last in both directions.',
    example: 'created_at:desc',
  }),
  min_followers: Followers('Return only posts of authors with at least this many followers.'),
  max_followers: Followers('Return only posts of authors with at most this many followers.'),
  from_date: Type.Optional(
    EchoedInstantParameter({ description: 'Return only posts written at or after this time.' }),
  ),
  to_date: Type.Optional(
    EchoedInstantParameter({
      description: 'Return only posts written before this time.',
      example: EXAMPLE.instant,
    }),
  ),
});

type AskedQuery = Static<typeof Query>;

const schema = {
  operationId: 'getSocialPosts',
  summary: 'List posts about a token',
  description:
    'Returns the posts counted for a token, each of them once. Deleted posts are omitted, ' +
    'edited posts have their current text. An author whose platform does not report followers ' +
    'counts as having none. Posts are retained for 90 days.',
  tags: ['socials'],
  querystring: Query,
  response: {
    200: SocialPostsBody,
    ...errors({
      400: 'page_size must be a whole number from 1 to 100.',
      404: UNTRACKED,
      422: 'from_date must be before to_date.',
    }),
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
        posts: posts.map((post) => presentPost(post)),
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
    orderBy,
    orderDir,
    minFollowers,
    maxFollowers,
    fromMs,
    toMs,
    offset: (query.page_number - 1) * query.page_size,
    limit: query.page_size,
  };
}
