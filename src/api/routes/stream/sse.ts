/** GET /v1/stream/sse: one topic of the filtered stream as server-sent events (CONTRACT §4). */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import { type Static, Type } from 'typebox';
import { ApiError } from '../../../model/errors.ts';
import { STREAM_TOPICS } from '../../../model/slot-frame.ts';
import type { ApiDeps } from '../../deps.ts';
import { keyOf } from '../../http/admission.ts';
import { presentSlotItem } from '../../present/present-slot-item.ts';
import { COMMON_ERRORS, errorBodies, unavailable } from '../../schemas/error-responses.ts';
import { ChoiceParameter } from '../../schemas/parameters.ts';
import { STREAM_QUERY } from '../../streams/stream-parameters.ts';
import { EventStreams } from '../../streams/topics/event-streams.ts';
import { createEventWriter } from '../../streams/topics/topic-messages.ts';
import {
  parametersOf,
  TOPIC_PARAMETERS,
  toTopicRequest,
} from '../../streams/topics/topic-parameters.ts';

const Query = Type.Object({
  topic: ChoiceParameter(STREAM_TOPICS, {
    description: 'The topic.',
    example: 'chain',
    invalidStatus: 422,
  }),
  ...TOPIC_PARAMETERS,
  since: STREAM_QUERY.since,
});

const BAD_POSITION = 'Last-Event-ID must be the id of an event.';

const schema = {
  operationId: 'streamEvents',
  summary: 'Stream one topic (server-sent events)',
  description:
    'Sends the messages of GET /v1/stream for one topic as events: {"topic","seq","slot","data"}, ' +
    'with "undo":true when a fork has taken them back. The first event is ack ({"seq","slot"}); ' +
    'gap ({"from_seq","to_seq","seq"}) and error ({"code","message"}) are the others with a name. ' +
    'The id of an event is its seq: a browser resumes after it by itself, other clients by ' +
    'Last-Event-ID or since.',
  tags: ['stream'],
  querystring: Query,
  response: {
    200: {
      description: 'The events, until either side closes the connection.',
      content: { 'text/event-stream': { schema: Type.String() } },
    },
    ...COMMON_ERRORS,
    ...errorBodies({ 400: 'topic is required.', 422: 'The topic token requires token_address.' }),
    ...unavailable('Too many open streams: try again later.'),
  },
};

export const streamEventsRoute =
  (deps: ApiDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    const streams = new EventStreams(app, deps.keys);
    const writer = createEventWriter(({ item, context }) =>
      presentSlotItem(item, context, deps.offchain),
    );
    app.get('/v1/stream/sse', { schema, exposeHeadRoute: false }, async (request, reply) => {
      const { topic, since = null, ...values } = request.query;
      assertOfTopic(topic, values);
      const selected = toTopicRequest(topic, values, keyOf(request).accountId);
      const position = lastEventOf(request) ?? since;
      const stream = { hub: deps.hub, writer, request: { ...selected, since: position } };
      streams.open(request, reply, stream);
    });
  };

type Values = Omit<Static<typeof Query>, 'topic' | 'since'>;

/** Throws ApiError 422 for a parameter of another topic. */
function assertOfTopic(topic: Static<typeof Query>['topic'], values: Values): void {
  const names: readonly string[] = parametersOf(topic);
  const foreign = Object.keys(values).find((name) => !names.includes(name));
  if (foreign !== undefined) throw new ApiError(422, `The topic ${topic} has no ${foreign}.`);
}

/** The last event that a reconnecting client has received; null without one. */
function lastEventOf({ headers }: FastifyRequest): number | null {
  const text = headers['last-event-id'];
  if (text === undefined || text === '') return null;
  const position = /^\d{1,16}$/.test(String(text)) ? Number(text) : Number.NaN;
  if (!Number.isSafeInteger(position)) throw new ApiError(400, BAD_POSITION);
  return position;
}
