/** GET /v1/token/{token_address}: all data of a mint (specification 2.1 and 4.1). */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply } from 'fastify';
import { Type } from 'typebox';
import { whenKnown } from '../../lib/awaitable.ts';
import { ApiError } from '../../model/errors.ts';
import type { Address, Slot } from '../../model/units.ts';
import type { ApiDeps } from '../deps.ts';
import { keptSender } from '../kept/send-kept.ts';
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
    const sendKept = keptSender(TokenBody.schema);
    app.get('/v1/token/:token_address', { schema }, (request, reply) => {
      const { token_address: mint } = request.params;
      const { as_of_slot: asOfSlot } = request.query;
      if (asOfSlot !== undefined) return ofThen(deps, reply, mint, asOfSlot);
      return whenKnown(deps.tokens.withHolders(mint), (found) => {
        const { timeMs } = setFreshness(reply, deps, {
          fromSlot: found?.token.creationSlot ?? null,
        });
        sendKept(request, reply, present(deps, found), timeMs);
      });
    });
  };

async function ofThen(deps: ApiDeps, reply: FastifyReply, mint: Address, asOfSlot: Slot) {
  const read = await deps.past.token(mint, asOfSlot);
  const fromSlot = read.data?.token.creationSlot ?? null;
  setFreshness(reply, deps, { fromSlot, toSlot: read.slot }, read);
  return present(deps, read.data);
}

function present(deps: ApiDeps, found: TokenHolders | null): Wire<typeof TokenBody> {
  if (found === null) throw new ApiError(404, 'This token is not known.');
  const facts = deps.offchain.factsOf(found.token.mint);
  return TokenBody.present({ ...found, facts }, found.token.decimals);
}
