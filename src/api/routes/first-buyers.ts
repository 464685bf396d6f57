/** GET /v1/token/{token_address}/first-buyers: the first wallets that bought (CONTRACT §4). */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { ApiError } from '../../model/errors.ts';
import { FIRST_BUYERS_MAX } from '../../model/first-buyers.ts';
import { isQuoteMint } from '../../model/quote-mints.ts';
import type { ApiDeps } from '../deps.ts';
import { integerPart, pageCursor } from '../parameters/page-cursor.ts';
import { FirstBuyersBody } from '../present/first-buyers-body.ts';
import { setFreshness } from '../present/freshness.ts';
import { errors } from '../schemas/error-responses.ts';
import { EXAMPLE } from '../schemas/examples.ts';
import { AddressParameter, CursorParameter, PageLimitParameter } from '../schemas/parameters.ts';

const UNKNOWN_TOKEN = 'This token is not known.';
const NOT_LISTED = 'Buyers of SOL and stablecoins are not listed.';

const CURSORS = pageCursor<number>({
  endpoint: 'first-buyers',
  version: 1,
  toParts: (rank) => [rank],
  toPosition([part]) {
    const rank = integerPart(part);
    return rank !== null && rank >= 1 && rank <= FIRST_BUYERS_MAX ? rank : null;
  },
});

const schema = {
  operationId: 'getFirstBuyers',
  summary: 'List the first buyers of a token',
  description:
    'Returns wallets in the order of their first purchase of the token, at most 5,000, each with ' +
    'that purchase and what the wallet has made of it. Hops of routes and quarantined swaps are ' +
    'not counted, nor are swaps before the indexed history or in slots of unknown time.',
  tags: ['tokens'],
  params: Type.Object({
    token_address: AddressParameter({ description: 'Mint address.', example: EXAMPLE.mint }),
  }),
  querystring: Type.Object({ limit: PageLimitParameter, cursor: CursorParameter }),
  response: {
    200: FirstBuyersBody.schema,
    ...errors({
      400: 'cursor must be one returned by an earlier page.',
      404: UNKNOWN_TOKEN,
      422: NOT_LISTED,
    }),
  },
};

export const firstBuyersRoute =
  (deps: ApiDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get('/v1/token/:token_address/first-buyers', { schema }, async (request, reply) => {
      const { limit, cursor } = request.query;
      const mint = request.params.token_address;
      const afterRank = CURSORS.read(cursor, { mint }) ?? 0;
      if (isQuoteMint(mint)) throw new ApiError(422, NOT_LISTED);
      const read = await deps.tokens.firstBuyers({ mint, afterRank, limit });
      const fromSlot = read.data?.token.creationSlot ?? null;
      setFreshness(reply, deps, { fromSlot, isStored: true }, read);
      if (read.data === null) throw new ApiError(404, UNKNOWN_TOKEN);
      return FirstBuyersBody.present(read.data, (next) => CURSORS.write(next, { mint }));
    });
  };
