/**
 * GET /v1/fraud/check: reported fraud findings of a token (specification 2.7 and 4.10, CONTRACT
 * §2.7).
 */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { type Static, Type } from 'typebox';
import type { AsOf } from '../../../model/as-of.ts';
import { ApiError } from '../../../model/errors.ts';
import type { AskedAuthors } from '../../../model/rule-hit-page.ts';
import type { ApiDeps } from '../../deps.ts';
import type { FraudQuery, FraudRepository } from '../../fraud-repository.ts';
import { keyOf } from '../../http/admission.ts';
import { NOT_RETAINED_EXAMPLE, setFreshness, storedSlot } from '../../present/freshness.ts';
import {
  FraudCheckBody,
  presentCheck,
  presentCheckWithHits,
} from '../../present/present-classification.ts';
import { askedAuthors, ResultAuthorsParameter } from '../../schemas/author-parameter.ts';
import { errors } from '../../schemas/error-responses.ts';
import { EXAMPLE } from '../../schemas/examples.ts';
import { AddressParameter, AsOfSlotParameter } from '../../schemas/parameters.ts';

const UNKNOWN_TOKEN = 'This token is not known.';

const schema = {
  operationId: 'checkFraud',
  summary: 'Check a token for fraud',
  description:
    'Returns the fraud patterns found for the token with a confidence of at least 0.5, except ' +
    'those a review marked as false positive or archived. Higher scores mean higher risk. ' +
    'With as_of_slot, returns the findings as of that slot; reviews always count as of now. With ' +
    'author, adds hits of rules of kind fraud; what the service says is in the answer in any case.',
  tags: ['fraud'],
  querystring: Type.Object({
    token_address: AddressParameter({
      description: 'Mint address.',
      example: EXAMPLE.mint,
      invalidStatus: 422,
    }),
    as_of_slot: AsOfSlotParameter,
    author: Type.Optional(ResultAuthorsParameter('are listed in rule_hits')),
  }),
  response: {
    200: FraudCheckBody,
    ...errors({ 400: 'token_address is required.', 404: UNKNOWN_TOKEN, 422: NOT_RETAINED_EXAMPLE }),
  },
};

export const fraudCheckRoute =
  (deps: ApiDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get('/v1/fraud/check', { schema }, async (request, reply) => {
      const { token_address: mint, as_of_slot: asked } = request.query;
      const token = await deps.tokens.find(mint);
      const asOfSlot = await storedSlot(deps, asked);
      const fromSlot = token?.creationSlot ?? null;
      const authors = askedAuthors(request.query.author, keyOf(request).accountId);
      const read = token === null ? null : await checked(deps.fraud, { mint, asOfSlot }, authors);
      setFreshness(reply, deps, { fromSlot, toSlot: asOfSlot, isStored: true }, read);
      if (read === null) throw new ApiError(404, UNKNOWN_TOKEN);
      return read.data;
    });
  };

async function checked(
  fraud: FraudRepository,
  query: FraudQuery,
  authors: AskedAuthors | null,
): Promise<AsOf<Static<typeof FraudCheckBody>>> {
  const { mint } = query;
  if (authors === null) {
    const read = await fraud.check(query);
    return { ...read, data: presentCheck(mint, read.data) };
  }
  const read = await fraud.checkWithHits(query, authors.ofRules);
  return { ...read, data: presentCheckWithHits(mint, read.data) };
}
