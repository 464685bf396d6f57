/** GET /v1/indicators/ws: stream of the indicators of each minute (CONTRACT §3). */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import type { IndicatorBatch } from '../../../model/streamed.ts';
import type { ApiDeps } from '../../deps.ts';
import { formatInstant } from '../../present/format-wire.ts';
import { presentIndicatorMinute } from '../../present/indicator-minute-body.ts';
import { encodedOnce, encodeGap } from '../../streams/message-text.ts';
import { STREAM_ANSWERS, STREAM_QUERY } from '../../streams/stream-parameters.ts';

const schema = {
  operationId: 'streamIndicators',
  summary: 'Stream pool indicators (WebSocket)',
  description:
    'Sends {"timestamp","indicators":[…],"seq"} with the pools traded in the minute starting at ' +
    'timestamp. A message contains at most a hundred pools; busy minutes have several ' +
    'messages.',
  tags: ['indicators'],
  querystring: Type.Object(STREAM_QUERY),
  response: STREAM_ANSWERS,
};

export const indicatorsSocketRoute =
  (deps: ApiDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    const encode = encodedOnce(writeBatch);
    app.get('/v1/indicators/ws', { schema, exposeHeadRoute: false }, async (request, reply) => {
      const source = deps.streams.indicators;
      const { since = null } = request.query;
      app.webSockets.open(request, reply, { source, since, encode, encodeGap, greeting: null });
    });
  };

function writeBatch({ minuteMs, records }: IndicatorBatch, seq: number): string {
  return JSON.stringify({
    timestamp: formatInstant(minuteMs),
    indicators: records.map(presentIndicatorMinute),
    seq,
  });
}
