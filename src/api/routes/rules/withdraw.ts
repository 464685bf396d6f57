/** DELETE /v1/rules/{rule_id}: withdraws a rule of the account. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { ApiError } from '../../../model/errors.ts';
import { parseRuleId } from '../../../model/rule-hit.ts';
import type { ApiDeps } from '../../deps.ts';
import { keyOf } from '../../http/admission.ts';
import { presentRule, RuleBody } from '../../present/present-rule.ts';
import { allowEmptyBody } from '../../requests/allow-empty-body.ts';
import { writeErrors } from '../../schemas/error-responses.ts';
import { NO_RULE_ID, RulePath, UNKNOWN_RULE } from '../../schemas/rule-path.ts';

const ACCESS = 'triggers:write';

const schema = {
  operationId: 'withdrawRule',
  summary: 'Withdraw a rule',
  description: 'It is judged no more from the next slot on. Its hits are kept.',
  tags: ['rules'],
  params: RulePath,
  response: { 200: RuleBody, ...writeErrors(ACCESS, { 400: NO_RULE_ID, 404: UNKNOWN_RULE }) },
};

export const withdrawRuleRoute =
  (deps: ApiDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    allowEmptyBody(app);
    const options = { schema, config: { access: ACCESS } } as const;
    app.delete('/v1/rules/:rule_id', options, async (request) => {
      const { accountId } = keyOf(request);
      const id = parseRuleId(request.params.rule_id);
      if (id === null) throw new ApiError(400, NO_RULE_ID);
      const rule = await deps.rules.withdraw({ accountId, name: id.name });
      if (rule === null) throw new ApiError(404, UNKNOWN_RULE);
      return presentRule({ ...rule, isJudged: false }, undefined);
    });
  };
