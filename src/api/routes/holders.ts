/**
 * GET /v1/token/{token_address}/holders: all holders of a token, paginated (extension of CONTRACT
 * §2).
 */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import type { AsOf } from '../../model/as-of.ts';
import { ApiError } from '../../model/errors.ts';
import type { HolderPageQuery } from '../../model/holder-page.ts';
import { isQuoteMint } from '../../model/quote-mints.ts';
import type { Slot } from '../../model/units.ts';
import type { ApiDeps } from '../deps.ts';
import { HOLDER_CURSOR } from '../parameters/list-cursors.ts';
import { setFreshness } from '../present/freshness.ts';
import { HoldersBody } from '../present/holders-body.ts';
import { errors } from '../schemas/error-responses.ts';
import { EXAMPLE } from '../schemas/examples.ts';
import {
  AddressParameter,
  CursorParameter,
  PageLimitParameter,
  StateSlotParameter,
} from '../schemas/parameters.ts';
import type { TokenHolderPage } from '../token-reads.ts';

const UNKNOWN_TOKEN = 'This token is not known.';
const NOT_KEPT = 'Holders of SOL and stablecoins are not tracked.';

const schema = {
  operationId: 'getTokenHolders',
  summary: 'List the holders of a token',
  description:
    'Returns all holders by descending balance, including labelled pools, lockers and burn ' +
    'addresses. A cursor is a position in the order, not a row offset, so new or departing ' +
    'holders do not shift later pages. Each page is accurate as of the slot in x-slot; with ' +
    'as_of_slot all pages are as of the same slot.',
  tags: ['tokens'],
  params: Type.Object({
    token_address: AddressParameter({ description: 'Mint address.', example: EXAMPLE.mint }),
  }),
  querystring: Type.Object({
    limit: PageLimitParameter,
    cursor: CursorParameter,
    as_of_slot: StateSlotParameter,
  }),
  response: {
    200: HoldersBody.schema,
    ...errors({
      400: 'cursor must be one returned by an earlier page.',
      404: UNKNOWN_TOKEN,
      422: NOT_KEPT,
    }),
  },
};

export const holdersRoute =
  (deps: ApiDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get('/v1/token/:token_address/holders', { schema }, async (request, reply) => {
      const { limit, cursor, as_of_slot: asOfSlot } = request.query;
      const mint = request.params.token_address;
      const after = HOLDER_CURSOR.read(cursor, { mint });
      if (isQuoteMint(mint)) throw new ApiError(422, NOT_KEPT);
      const read = await readPage(deps, { mint, after, limit }, asOfSlot);
      const found = read.data;
      const fromSlot = found?.token.creationSlot ?? null;
      const toSlot = asOfSlot === undefined ? null : read.slot;
      setFreshness(reply, deps, { fromSlot, toSlot }, read);
      if (found === null) throw new ApiError(404, UNKNOWN_TOKEN);
      return HoldersBody.present(found.page, found.token);
    });
  };

function readPage(
  { past, tokens }: Pick<ApiDeps, 'past' | 'tokens'>,
  query: HolderPageQuery,
  asOfSlot: Slot | undefined,
): Promise<AsOf<TokenHolderPage | null>> {
  return asOfSlot === undefined ? tokens.holderPage(query) : past.holders(query, asOfSlot);
}
