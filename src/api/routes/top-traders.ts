/** GET /v1/token/{token_address}/top-traders: traders of a token by profit (CONTRACT §4). */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { ApiError } from '../../model/errors.ts';
import { isQuoteMint } from '../../model/quote-mints.ts';
import { TRADER_ORDERS, type TraderCursor } from '../../model/token-wallets.ts';
import { asUsdNano } from '../../model/units.ts';
import type { ApiDeps } from '../deps.ts';
import { integerPart, pageCursor, signedAmountPart } from '../parameters/page-cursor.ts';
import { setFreshness } from '../present/freshness.ts';
import { TopTradersBody } from '../present/top-traders-body.ts';
import { errors } from '../schemas/error-responses.ts';
import { EXAMPLE } from '../schemas/examples.ts';
import {
  AddressParameter,
  ChoiceParameter,
  CursorParameter,
  Defaulted,
  PageLimitParameter,
} from '../schemas/parameters.ts';

const UNKNOWN_TOKEN = 'This token is not known.';
const NOT_RANKED = 'Traders of SOL and stablecoins are not ranked.';
const UNKNOWN_PROFIT = 'none';

const CURSORS = pageCursor<TraderCursor>({
  endpoint: 'top-traders',
  version: 1,
  toParts: ({ usd, number }) => [usd ?? UNKNOWN_PROFIT, number],
  toPosition([usdPart, numberPart]) {
    const number = integerPart(numberPart);
    if (number === null) return null;
    if (usdPart === UNKNOWN_PROFIT) return { usd: null, number };
    const usd = signedAmountPart(usdPart);
    return usd === null ? null : { usd: asUsdNano(usd), number };
  },
});

const schema = {
  operationId: 'getTopTraders',
  summary: 'List the top traders of a token',
  description:
    'Returns the wallets that ever bought or sold the token, by profit at average cost, those ' +
    'without tokens included. A cursor is a position in the order: a trader whose profit changes ' +
    'between two pages may appear on both or on neither. Tokens with more than 100,000 positions ' +
    'are refused.',
  tags: ['tokens'],
  params: Type.Object({
    token_address: AddressParameter({ description: 'Mint address.', example: EXAMPLE.mint }),
  }),
  querystring: Type.Object({
    order_by: Defaulted(
      ChoiceParameter(TRADER_ORDERS, {
        description: 'profit: realised and unrealised profit; realised: realised profit only.',
        default: 'profit',
        invalidStatus: 422,
      }),
    ),
    limit: PageLimitParameter,
    cursor: CursorParameter,
  }),
  response: {
    200: TopTradersBody.schema,
    ...errors({
      400: 'cursor must be one returned by an earlier page.',
      404: UNKNOWN_TOKEN,
      422: NOT_RANKED,
    }),
  },
};

export const topTradersRoute =
  (deps: ApiDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get('/v1/token/:token_address/top-traders', { schema }, async (request, reply) => {
      const { order_by: orderBy, limit, cursor } = request.query;
      const mint = request.params.token_address;
      const filters = { mint, orderBy };
      const after = CURSORS.read(cursor, filters);
      if (isQuoteMint(mint)) throw new ApiError(422, NOT_RANKED);
      const read = await deps.tokens.topTraders({ mint, orderBy, after, limit });
      const fromSlot = read.data?.token.creationSlot ?? null;
      setFreshness(reply, deps, { fromSlot }, read);
      if (read.data === null) throw new ApiError(404, UNKNOWN_TOKEN);
      const { token, page } = read.data;
      return TopTradersBody.present(page, {
        token,
        write: (next) => CURSORS.write(next, filters),
      });
    });
  };
