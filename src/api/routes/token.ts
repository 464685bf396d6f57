/** GET /v1/token/{token_address}: all data of a mint (specification 2.1 and 4.1). */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply } from 'fastify';
import { Type } from 'typebox';
import { whenKnown } from '../../lib/awaitable.ts';
import type { AsOf } from '../../model/as-of.ts';
import { ApiError } from '../../model/errors.ts';
import type { ApiDeps } from '../deps.ts';
import { NOT_RETAINED_EXAMPLE, setFreshness } from '../present/freshness.ts';
import { TokenBody } from '../present/token-body.ts';
import type { Wire } from '../present/wire-record.ts';
import { errors } from '../schemas/error-responses.ts';
import { EXAMPLE } from '../schemas/examples.ts';
import { AddressParameter, StateSlotParameter } from '../schemas/parameters.ts';
import type { TokenHolders } from '../token-reads.ts';

const schema = {
  operationId: 'getToken',
  summary: 'Retrieve a token',
  description:
    'Returns supply, authorities, metadata, first liquidity and largest holders of a mint, ' +
    'accurate as of the slot in x-slot. uri_metadata, social_links, image_hash and picture_url are ' +
    'third-party data from off the chain: each is as of its own timestamp and unaffected by ' +
    'as_of_slot.',
  tags: ['tokens'],
  params: Type.Object({
    token_address: AddressParameter({ description: 'Mint address.', example: EXAMPLE.mint }),
  }),
  querystring: Type.Object({ as_of_slot: StateSlotParameter }),
  response: {
    200: TokenBody.schema,
    ...errors({
      400: 'token_address must be the base58 text of a 32-byte address.',
      404: 'This token is not known.',
      422: NOT_RETAINED_EXAMPLE,
    }),
  },
};

export const tokenRoute =
  (deps: ApiDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get('/v1/token/:token_address', { schema }, (request, reply) => {
      const { token_address: mint } = request.params;
      const { as_of_slot: asOfSlot } = request.query;
      return asOfSlot === undefined
        ? whenKnown(deps.tokens.withHolders(mint), (found) => present(deps, reply, found, null))
        : deps.past.token(mint, asOfSlot).then((read) => present(deps, reply, read.data, read));
    });
  };

/** `past` is the read that `found` is from; null for the newest slot. */
function present(
  deps: ApiDeps,
  reply: FastifyReply,
  found: TokenHolders | null,
  past: AsOf<unknown> | null,
): Wire<typeof TokenBody> {
  const fromSlot = found?.token.creationSlot ?? null;
  setFreshness(reply, deps, { fromSlot, toSlot: past?.slot ?? null }, past);
  if (found === null) throw new ApiError(404, 'This token is not known.');
  const facts = deps.offchain.factsOf(found.token.mint);
  return TokenBody.present({ ...found, facts }, found.token.decimals);
}
