/** GET /v1/signals/ws: signals as they are given (CONTRACT §3). */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { SIGNAL_MODELS } from '../../../model/signal.ts';
import type { SignalListing } from '../../../model/signal-file.ts';
import type { ApiDeps } from '../../deps.ts';
import { presentSignal } from '../../present/present-signal.ts';
import type { TokenImages } from '../../present/signal-image.ts';
import { unprocessable } from '../../schemas/error-responses.ts';
import { ListParameter } from '../../schemas/parameters.ts';
import type { Entry } from '../../stream-source.ts';
import { encodedOnce, encodeGap } from '../../streams/message-text.ts';
import { STREAM_ANSWERS, STREAM_QUERY } from '../../streams/stream-parameters.ts';

const schema = {
  operationId: 'streamSignals',
  summary: 'Signals as they are given (WebSocket)',
  description:
    'One signal a message, with the keys of GET /v1/signals and seq, as it was when it was given. ' +
    'A fork may take a signal back and give it again, under the same number or another.',
  tags: ['signals'],
  querystring: Type.Object({
    ...STREAM_QUERY,
    model_name: Type.Optional(
      ListParameter(SIGNAL_MODELS, { description: 'Only signals of these models.' }),
    ),
  }),
  response: {
    ...STREAM_ANSWERS,
    ...unprocessable(`model_name must be a comma list of ${SIGNAL_MODELS.join(', ')}.`),
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
