/** GET /v1/stream: the filtered stream (CONTRACT §4). */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import type { ApiDeps } from '../../deps.ts';
import { keyOf } from '../../http/admission.ts';
import { presentSlotItem } from '../../present/present-slot-item.ts';
import { STREAM_ANSWERS, STREAM_QUERY } from '../../streams/stream-parameters.ts';
import type { PresentItem } from '../../streams/topics/topic-messages.ts';
import { TopicSocket } from '../../streams/topics/topic-socket.ts';

const schema = {
  operationId: 'stream',
  summary: 'Stream selected topics (WebSocket)',
  description:
    'Sends {"op":"hello","seq","limits"} first. Each {"op":"subscribe","id","topic","params",' +
    '"since"} is answered by {"op":"ack","id","seq","slot"}: all messages after seq follow, and ' +
    'other endpoints answer as of slot or later. Topics and their params: pool, indicators ' +
    '(pair_address or token_address), token (token_address, required), wallet (wallet_address, ' +
    'required), trades (pair_address, token_address or wallet_address; side), candles ' +
    '(pair_address or token_address, required; 30 seconds each), findings (token_address or ' +
    'wallet_address; fraud_type), new_tokens (creator_address), signals (token_address; ' +
    'model_name), triggers (of the account), rule_hits (of the rules of the account and of the ' +
    'operator: author, rule_id, token_address), chain (each slot). Messages are ' +
    '{"id","topic","seq","slot","data"}, with "undo":true when a fork has taken back what was ' +
    'sent for the slot. since resumes after a seq; {"op":"gap","id","from_seq","to_seq","seq"} ' +
    'reports messages that are no longer available, of all subscriptions if id is null. ' +
    '{"op":"unsubscribe","id"} and {"op":"ping"} are answered by an ack and {"op":"pong"}. ' +
    'Refused operations are answered by {"op":"error","id","code","message"}.',
  tags: ['stream'],
  querystring: Type.Object({ api_key: STREAM_QUERY.api_key, ticket: STREAM_QUERY.ticket }),
  response: STREAM_ANSWERS,
};

export const streamSocketRoute =
  (deps: ApiDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    const present: PresentItem = ({ item, context }) =>
      presentSlotItem(item, context, deps.offchain);
    app.get('/v1/stream', { schema, exposeHeadRoute: false }, async (request, reply) => {
      const { accountId } = keyOf(request);
      const own = { hub: deps.hub, present, accountId, nowMs: deps.steadyNowMs };
      app.webSockets.openDialog(request, reply, (socket) => new TopicSocket({ ...own, ...socket }));
    });
  };
