/** GET /v1/triggers/firings: what triggers told an account, for clients that were away (CONTRACT §2). */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import type { ApiDeps } from '../../deps.ts';
import { keyOf } from '../../http/admission.ts';
import { presentTriggerEvent } from '../../present/present-trigger.ts';
import { badRequest, busy, COMMON_ERRORS } from '../../schemas/error-responses.ts';
import { Defaulted, IntegerParameter } from '../../schemas/parameters.ts';
import { FiringsBody } from '../../schemas/trigger-body.ts';

const schema = {
  operationId: 'listFirings',
  summary: 'List firings',
  description:
    'Firings and retractions after a number, oldest first. Ask again with the last seq until it is ' +
    'last_seq. The newest 10,000 of an account are kept.',
  tags: ['triggers'],
  querystring: Type.Object({
    since: Defaulted(
      IntegerParameter({
        description: 'seq of the last one known.',
        minimum: 0,
        maximum: Number.MAX_SAFE_INTEGER,
        default: 0,
      }),
    ),
    limit: Defaulted(
      IntegerParameter({
        description: 'At most so many.',
        minimum: 1,
        maximum: 1_000,
        default: 100,
      }),
    ),
  }),
  response: {
    200: FiringsBody,
    ...COMMON_ERRORS,
    ...badRequest('since must be a whole number from 0 to 9007199254740991.'),
    ...busy(),
  },
};

export const firingsRoute =
  (deps: ApiDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get('/v1/triggers/firings', { schema }, async (request) => {
      const { since, limit } = request.query;
      const { accountId } = keyOf(request);
      const { events, lost, lastNumber } = await deps.triggers.events({ accountId, since, limit });
      return {
        firings: events.map(presentTriggerEvent),
        gap: lost === null ? null : { from_seq: lost.from, to_seq: lost.to },
        last_seq: lastNumber,
      };
    });
  };
