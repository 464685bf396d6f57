/** GET /v1/triggers/firings: trigger events, for clients that were disconnected (CONTRACT §2). */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import type { ApiDeps } from '../../deps.ts';
import { keyOf } from '../../http/admission.ts';
import { FiringsBody, presentTriggerEvent } from '../../present/present-trigger.ts';
import { errors } from '../../schemas/error-responses.ts';
import { Defaulted, IntegerParameter } from '../../schemas/parameters.ts';

const schema = {
  operationId: 'listFirings',
  summary: 'List firings',
  description:
    'Returns firings and retractions after a sequence number, oldest first. To read all of ' +
    'them, repeat the request with the last seq received until it equals last_seq. The newest ' +
    '10,000 events of an account are retained.',
  tags: ['triggers'],
  querystring: Type.Object({
    since: Defaulted(
      IntegerParameter({
        description: 'seq of the last event received.',
        minimum: 0,
        maximum: Number.MAX_SAFE_INTEGER,
        default: 0,
      }),
    ),
    limit: Defaulted(
      IntegerParameter({
        description: 'Maximum number of events.',
        minimum: 1,
        maximum: 1_000,
        default: 100,
      }),
    ),
  }),
  response: {
    200: FiringsBody,
    ...errors({ 400: 'since must be a whole number from 0 to 9007199254740991.' }),
  },
};

const OPTIONS = { schema, config: { access: 'own alerts' } } as const;

export const firingsRoute =
  (deps: ApiDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get('/v1/triggers/firings', OPTIONS, async (request) => {
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
