/** GET /v1/triggers/ws: stream of trigger events of the account (CONTRACT §3). */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import type { TriggerEvent } from '../../../model/trigger.ts';
import type { ApiDeps } from '../../deps.ts';
import { keyOf } from '../../http/admission.ts';
import { presentTriggerEvent } from '../../present/present-trigger.ts';
import { encodedOnce, encodeGap } from '../../streams/message-text.ts';
import { STREAM_ANSWERS, STREAM_QUERY } from '../../streams/stream-parameters.ts';

const GREETING = JSON.stringify({
  type: 'connected',
  message: 'Successfully connected to triggers stream',
});

const schema = {
  operationId: 'streamTriggers',
  summary: 'Stream firings (WebSocket)',
  description:
    'Sends {"type":"connected","message"} first, then the entries of GET /v1/triggers/firings. ' +
    '{"type":"gap","from_seq","to_seq"} reports requested entries that are no longer ' +
    'retained.',
  tags: ['triggers'],
  querystring: Type.Object(STREAM_QUERY),
  response: STREAM_ANSWERS,
};

const OPTIONS = { schema, exposeHeadRoute: false, config: { access: 'own alerts' } } as const;

export const triggersSocketRoute =
  (deps: ApiDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    const encode = encodedOnce((event: TriggerEvent) => JSON.stringify(presentTriggerEvent(event)));
    app.get('/v1/triggers/ws', OPTIONS, async (request, reply) => {
      const source = deps.streams.triggers(keyOf(request).accountId);
      const { since = null } = request.query;
      app.webSockets.open(request, reply, { source, since, encode, encodeGap, greeting: GREETING });
    });
  };
