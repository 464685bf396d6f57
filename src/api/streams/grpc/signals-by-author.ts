/** mintscope.v1: signals of models and rules, by author (decision 0112). */
import { SIGNAL_MODELS } from '../../../model/signal.ts';
import type { StreamedSignal } from '../../../model/signal-listing.ts';
import { presentStreamedSignal } from '../../present/present-slot-item.ts';
import type { TokenImages } from '../../present/signal-image.ts';
import { RESULT_AUTHORS } from '../../schemas/author-parameter.ts';
import type { LogEntry } from '../topics/stream-log.ts';
import { type GrpcMessage, type GrpcStream, known, texts, timestamp } from './grpc-stream.ts';
import { parseChoices } from './parse-choices.ts';
import { answerWithTopic } from './topic-answer.ts';

interface Request {
  readonly authors: readonly string[];
  readonly model_names: readonly string[];
  readonly token_address: string;
}

/** Estimate of the bytes of a message. */
const MESSAGE_BYTES = 1_024;

export const signalsByAuthorService: GrpcStream<Request, LogEntry> = {
  file: 'mintscope/v1/signals.proto',
  service: 'mintscope.v1.SignalService',
  method: 'StreamSignals',
  open: (deps, key, { authors, model_names: modelNames, token_address }) =>
    answerWithTopic(deps, key, {
      topic: 'signals',
      parameters: {
        author: [...parseChoices('authors', authors, RESULT_AUTHORS)].join(),
        model_name: [...parseChoices('model_names', modelNames, SIGNAL_MODELS)].join(),
        token_address,
      },
      encode: ({ signal }, { isUndo, context }) => ({
        message: { signal: toMessage(signal, deps.offchain), undo: isUndo, slot: context.slot },
        sizeBytes: MESSAGE_BYTES,
      }),
    }),
};

/** A field for each key that the topic has for signals of models or of rules. */
function toMessage(signal: StreamedSignal, images: TokenImages): GrpcMessage {
  const { image, ...shown } = presentStreamedSignal(signal, images);
  return { ...texts(shown), ...known({ image }), created_at: timestamp(signal.createdAtMs) };
}
