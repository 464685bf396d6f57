/** GET /v1/rules: the rules of the account and of the operator. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { ApiDeps } from '../../deps.ts';
import { keyOf } from '../../http/admission.ts';
import { setFreshness } from '../../present/freshness.ts';
import { presentCountedRule, RulesBody } from '../../present/present-rule.ts';
import { errors } from '../../schemas/error-responses.ts';

const schema = {
  operationId: 'listRules',
  summary: 'List rules',
  description: 'Returns the rules of the account, and those of the operator, which are for all.',
  tags: ['rules'],
  response: { 200: RulesBody, ...errors({}) },
};

const OPTIONS = { schema, config: { access: 'own alerts' } } as const;

export const listRulesRoute =
  (deps: ApiDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get('/v1/rules', OPTIONS, async (request, reply) => {
      const read = await deps.rules.list(keyOf(request).accountId);
      setFreshness(reply, deps, { isStored: true }, read);
      return { rules: read.data.map((rule) => presentCountedRule(rule, undefined)) };
    });
  };
