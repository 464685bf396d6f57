/** GET /v1/token/{token_address}/rule-hits: where rules passed for a token (decision 0100). */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { ApiError } from '../../model/errors.ts';
import { RULE_AUTHORS } from '../../model/rule-change.ts';
import { HIT_KINDS } from '../../model/rule-hit.ts';
import type { ApiDeps } from '../deps.ts';
import { keyOf } from '../http/admission.ts';
import { findingCursor } from '../parameters/list-cursors.ts';
import { setFreshness } from '../present/freshness.ts';
import { HitPageBody } from '../present/present-rule.ts';
import { RuleAuthorsParameter, ruleAuthorsOf } from '../schemas/author-parameter.ts';
import { errors } from '../schemas/error-responses.ts';
import { EXAMPLE } from '../schemas/examples.ts';
import {
  AddressParameter,
  CursorParameter,
  InstantParameter,
  ListParameter,
  PageLimitParameter,
} from '../schemas/parameters.ts';

const UNKNOWN_TOKEN = 'This token is not known.';
const REVERSED_RANGE = 'from must be before to.';

const CURSORS = findingCursor('token-rule-hits');

const schema = {
  operationId: 'listTokenRuleHits',
  summary: 'List hits of rules for a token',
  description:
    'Returns where rules of the account and of the operator passed for a token, newest first, with ' +
    'those of rules that were withdrawn since. Rules of other accounts are never listed.',
  tags: ['rules'],
  params: Type.Object({
    token_address: AddressParameter({ description: 'Mint address.', example: EXAMPLE.mint }),
  }),
  querystring: Type.Object({
    author: Type.Optional(RuleAuthorsParameter),
    kind: Type.Optional(
      ListParameter(HIT_KINDS, { description: 'Kinds of rules. Defaults to all.' }),
    ),
    from: Type.Optional(InstantParameter({ description: 'Passed at or after this time.' })),
    to: Type.Optional(InstantParameter({ description: 'Passed before this time.' })),
    limit: PageLimitParameter,
    cursor: CursorParameter,
  }),
  response: {
    200: HitPageBody.schema,
    ...errors({
      400: 'cursor must be one returned by an earlier page.',
      404: UNKNOWN_TOKEN,
      422: REVERSED_RANGE,
    }),
  },
};

export const tokenRuleHitsRoute =
  (deps: ApiDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get('/v1/token/:token_address/rule-hits', { schema }, async (request, reply) => {
      const mint = request.params.token_address;
      const { from, to, limit, cursor, kind: kinds, author = RULE_AUTHORS } = request.query;
      if (from !== undefined && to !== undefined && from >= to) {
        throw new ApiError(422, REVERSED_RANGE);
      }
      const authors = ruleAuthorsOf(author, keyOf(request).accountId);
      const range = { fromMs: from ?? null, toMs: to ?? null };
      const filters = {
        ...{ mint, ...range, authors: authors.join() },
        kinds: kinds?.toSorted().join() ?? null,
      };
      const after = CURSORS.read(cursor, filters);
      const token = await deps.tokens.find(mint);
      const read = await deps.rules.hitPage({
        ...{ authors, kinds: kinds ?? null, levels: null, ...range, mint, wallet: null },
        ...{ throughSlot: null, orderBy: 'detection', orderDir: 'desc', after, limit },
      });
      setFreshness(reply, deps, { isStored: true }, read);
      if (token === null) throw new ApiError(404, UNKNOWN_TOKEN);
      return HitPageBody.present(read.data, (next) => CURSORS.write(next, filters));
    });
  };
