/** GET /v1/signals/ws: stream of signals as they are issued (CONTRACT §3). */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { SIGNAL_MODELS } from '../../../model/signal.ts';
import type { SignalListing } from '../../../model/signal-listing.ts';
import type { ApiDeps } from '../../deps.ts';
import { presentSignal } from '../../present/present-signal.ts';
import type { TokenImages } from '../../present/signal-image.ts';
import { errorBodies } from '../../schemas/error-responses.ts';
import { ListParameter } from '../../schemas/parameters.ts';
import type { Entry } from '../../stream-source.ts';
import { encodedOnce, encodeGap } from '../../streams/message-text.ts';
import { STREAM_ANSWERS, STREAM_QUERY } from '../../streams/stream-parameters.ts';

const schema = {
  operationId: 'streamSignals',
  summary: 'Stream signals (WebSocket)',
  description:
    'Sends one signal per message, with the keys of GET /v1/signals and seq, as of the time it ' +
    'was issued. A fork may revert a signal; it may then be issued again with the same or ' +
    'another row_id.',
  tags: ['signals'],
  querystring: Type.Object({
    ...STREAM_QUERY,
    model_name: Type.Optional(
      ListParameter(SIGNAL_MODELS, { description: 'Return only signals of these models.' }),
    ),
  }),
  response: {
    ...STREAM_ANSWERS,
    ...errorBodies({
      422: `model_name must be a comma-separated list of ${SIGNAL_MODELS.join(', ')}.`,
    }),
  },
};

export const signalsSocketRoute =
  (deps: ApiDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    const encodeAny = encodedOnce((signal: SignalListing, seq) =>
      writeSignal(signal, seq, deps.offchain),
    );
    app.get('/v1/signals/ws', { schema, exposeHeadRoute: false }, async (request, reply) => {
      const { since = null, model_name: models = SIGNAL_MODELS } = request.query;
      const encode = (entry: Entry<SignalListing>) =>
        models.includes(entry.item.model) ? encodeAny(entry) : [];
      const source = deps.streams.signals;
      app.webSockets.open(request, reply, { source, since, encode, encodeGap, greeting: null });
    });
  };

function writeSignal(signal: SignalListing, seq: number, images: TokenImages): string {
  return JSON.stringify({ ...presentSignal(signal, images), seq });
}
