/** GET /v1/triggers: the triggers of the account (CONTRACT §2). */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import type { ApiDeps } from '../../deps.ts';
import { keyOf } from '../../http/admission.ts';
import { presentPage } from '../../present/page.ts';
import { presentTrigger, TriggerPageBody } from '../../present/present-trigger.ts';
import { errors } from '../../schemas/error-responses.ts';
import { Defaulted, IntegerParameter } from '../../schemas/parameters.ts';

const schema = {
  operationId: 'listTriggers',
  summary: 'List triggers',
  description: 'Returns one page of the triggers of the account, in an order that does not change.',
  tags: ['triggers'],
  querystring: Type.Object({
    page: Defaulted(
      IntegerParameter({
        description: 'Page number, starting at 1.',
        minimum: 1,
        maximum: 1_000_000_000,
        default: 1,
      }),
    ),
    per_page: Defaulted(
      IntegerParameter({
        description: 'Number of triggers per page.',
        minimum: 1,
        maximum: 1_000,
        default: 100,
      }),
    ),
  }),
  response: {
    200: TriggerPageBody,
    ...errors({ 400: 'page must be a whole number from 1 to 1000000000.' }),
  },
};

const OPTIONS = { schema, config: { access: 'own alerts' } } as const;

export const listTriggersRoute =
  (deps: ApiDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get('/v1/triggers', OPTIONS, async (request) => {
      const { page, per_page: limit } = request.query;
      const { accountId } = keyOf(request);
      const found = await deps.triggers.page({ accountId, limit, offset: (page - 1) * limit });
      return {
        triggers: found.triggers.map((trigger) => presentTrigger(trigger)),
        ...presentPage(request.query, found.total),
      };
    });
  };
