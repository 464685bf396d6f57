/** GET /v1/token/{token_address}: all data of a mint (specification 2.1 and 4.1). */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { whenKnown } from '../../lib/awaitable.ts';
import { ApiError } from '../../model/errors.ts';
import type { ApiDeps } from '../deps.ts';
import { assertRetained, NOT_RETAINED_EXAMPLE, setFreshness } from '../present/freshness.ts';
import { TokenBody } from '../present/token-body.ts';
import { errors } from '../schemas/error-responses.ts';
import { EXAMPLE } from '../schemas/examples.ts';
import { AddressParameter, AsOfSlotParameter } from '../schemas/parameters.ts';

const schema = {
  operationId: 'getToken',
  summary: 'Retrieve a token',
  description:
    'Returns supply, authorities, metadata, first liquidity and largest holders of a mint, ' +
    'accurate as of the slot in x-slot. uri_metadata, social_links and image_hash are ' +
    'third-party data from off the chain: each is as of its own timestamp and unaffected by ' +
    'as_of_slot.',
  tags: ['tokens'],
  params: Type.Object({
    token_address: AddressParameter({ description: 'Mint address.', example: EXAMPLE.mint }),
  }),
  querystring: Type.Object({ as_of_slot: AsOfSlotParameter }),
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
    app.get('/v1/token/:token_address', { schema }, (request, reply) =>
      whenKnown(deps.tokens.withHolders(request.params.token_address), (found) => {
        const { slot } = setFreshness(reply, deps, { fromSlot: found?.token.creationSlot ?? null });
        assertRetained(request.query.as_of_slot, slot);
        if (found === null) throw new ApiError(404, 'This token is not known.');
        const facts = deps.offchain.factsOf(found.token.mint);
        return TokenBody.present({ ...found, facts }, found.token.decimals);
      }),
    );
  };
