/** GET /v1/rules/{rule_id}/hits: where a rule passed. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { ApiError } from '../../../model/errors.ts';
import { OPERATOR, RULE_AUTHORS } from '../../../model/rule-change.ts';
import { parseRuleId } from '../../../model/rule-hit.ts';
import type { ApiDeps } from '../../deps.ts';
import { keyOf } from '../../http/admission.ts';
import { setFreshness } from '../../present/freshness.ts';
import { HitsBody, presentHit } from '../../present/present-rule.ts';
import { errors } from '../../schemas/error-responses.ts';
import { ChoiceParameter, Defaulted, IntegerParameter } from '../../schemas/parameters.ts';
import { NO_RULE_ID, RulePath } from '../../schemas/rule-path.ts';

const schema = {
  operationId: 'listRuleHits',
  summary: 'List hits of a rule',
  description:
    'Returns the hits of a rule of the account, or of the operator, newest first; those of a ' +
    'withdrawn rule too. A rule without hits has an empty list. To get more than limit hits, pass ' +
    'the last row_id as before_row_id.',
  tags: ['rules'],
  params: RulePath,
  querystring: Type.Object({
    author: Defaulted(
      ChoiceParameter(RULE_AUTHORS, {
        description: 'Whose rule it is: of the account of the key, or of the operator.',
        default: 'account',
      }),
    ),
    limit: Defaulted(
      IntegerParameter({
        description: 'Maximum number of hits.',
        minimum: 1,
        maximum: 1_000,
        default: 100,
      }),
    ),
    before_row_id: Type.Optional(
      IntegerParameter({
        description: 'Return only hits before this one.',
        minimum: 1,
        maximum: Number.MAX_SAFE_INTEGER,
      }),
    ),
  }),
  response: { 200: HitsBody, ...errors({ 400: NO_RULE_ID }) },
};

const OPTIONS = { schema, config: { access: 'own alerts' } } as const;

export const ruleHitsRoute =
  (deps: ApiDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get('/v1/rules/:rule_id/hits', OPTIONS, async (request, reply) => {
      const { accountId } = keyOf(request);
      const id = parseRuleId(request.params.rule_id);
      if (id === null) throw new ApiError(400, NO_RULE_ID);
      const { author, limit, before_row_id: beforeRowId = null } = request.query;
      const owner = author === 'operator' ? OPERATOR : accountId;
      const read = await deps.rules.hits({ author: owner, ...id, limit, beforeRowId });
      setFreshness(reply, deps, { isStored: true }, read);
      return { hits: read.data.map((hit) => presentHit(hit, undefined)) };
    });
  };
