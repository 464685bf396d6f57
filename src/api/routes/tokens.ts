/** GET /v1/tokens: tokens by search, filters and order (CONTRACT §4). */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { Address } from '../../model/units.ts';
import type { ApiDeps } from '../deps.ts';
import { TOKEN_CURSOR } from '../parameters/market-cursors.ts';
import { setListFreshness } from '../present/freshness.ts';
import { presentPage } from '../present/page.ts';
import { TokenItem, TokenListBody } from '../present/token-list-body.ts';
import { parseTokenList, TokenListParameters } from '../requests/token-list-request.ts';
import { errors } from '../schemas/error-responses.ts';

const schema = {
  operationId: 'getTokens',
  summary: 'List tokens',
  description:
    'Returns tokens that match all filters in the requested order; ties are ordered by address. ' +
    'SOL and stablecoins, LP tokens and tokens without a name are left out unless include asks ' +
    'for them. A token whose figure is unknown is in no range of it. Pages are read by number, or ' +
    'by cursor: a position in the order, so that a token whose figure does not change is neither ' +
    'repeated nor left out while others move. While the service starts, tokens are listed from ' +
    'the store without windows (x-complete is false), and requests by figures that it does not ' +
    'have are answered with 503.',
  tags: ['tokens'],
  querystring: TokenListParameters,
  response: {
    200: TokenListBody,
    ...errors({
      400: 'per_page must be a whole number from 1 to 100.',
      422: 'min_liquidity_usd must not be above max_liquidity_usd.',
    }),
  },
};

export const tokensRoute =
  (deps: ApiDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get('/v1/tokens', { schema }, async (request, reply) => {
      const { query, filters, page } = parseTokenList(request.query);
      const read = await deps.tokens.search(query);
      const { items, total, next } = read.data;
      setListFreshness(reply, deps, read);
      const pages = presentPage({ page: page ?? 1, per_page: query.limit }, total);
      const context = {
        nowMs: read.timeMs,
        thumbnailHashOf: (mint: Address) => deps.offchain.thumbnailHashOf(mint),
      };
      return {
        items: items.map((item) => TokenItem.present(item, context)),
        ...pages,
        ...(page === null ? { page: null, pages: null } : {}),
        next_cursor: next && TOKEN_CURSOR.write(next, filters),
      };
    });
  };
