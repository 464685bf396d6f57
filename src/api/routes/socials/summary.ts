/** GET /v1/socials/summary: social totals of a token (specification 2.8 and 4.13). */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import type { ApiDeps } from '../../deps.ts';
import { setFreshness } from '../../present/freshness.ts';
import { presentSummary, SocialSummaryBody } from '../../present/social-body.ts';
import { assertTracked, UNTRACKED } from '../../requests/untracked.ts';
import { errors } from '../../schemas/error-responses.ts';
import { EXAMPLE } from '../../schemas/examples.ts';
import { AddressParameter } from '../../schemas/parameters.ts';

const schema = {
  operationId: 'getSocialSummary',
  summary: 'Retrieve the social summary of a token',
  description:
    'Returns sentiment, reach and number of the posts about a token since it left its launchpad ' +
    'or locked its liquidity. The sentiment is the mean weighted by author.',
  tags: ['socials'],
  querystring: Type.Object({
    token_address: AddressParameter({
      description: 'Mint address.',
      example: EXAMPLE.mint,
      invalidStatus: 422,
    }),
  }),
  response: {
    200: SocialSummaryBody,
    ...errors({
      400: 'token_address is required.',
      404: UNTRACKED,
      422: 'token_address must be the base58 text of a 32-byte address.',
    }),
  },
};

export const socialSummaryRoute =
  (deps: ApiDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get('/v1/socials/summary', { schema }, (request, reply) => {
      const { token_address: mint } = request.query;
      setFreshness(reply, deps, { fromSlot: deps.chain.freshness().slot });
      const tracked = deps.social.tracked(mint);
      assertTracked(tracked);
      return presentSummary(tracked, mint);
    });
  };
