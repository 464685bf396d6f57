/** enterprise.v1: signals as they are issued (CONTRACT §3). */
import { ApiError } from '../../../model/errors.ts';
import { SIGNAL_MODELS } from '../../../model/signal.ts';
import type { SignalListing } from '../../../model/signal-listing.ts';
import { presentSignal } from '../../present/present-signal.ts';
import type { TokenImages } from '../../present/signal-image.ts';
import { type GrpcMessage, type GrpcStream, text, timestamp } from './grpc-stream.ts';

interface Request {
  readonly model_names: readonly string[];
}

const MESSAGE_BYTES = 512;
const MODEL_NAMES: readonly string[] = SIGNAL_MODELS;

export const signalsService: GrpcStream<Request, SignalListing> = {
  file: 'enterprise/v1/signals.proto',
  service: 'enterprise.v1.SignalStreamService',
  method: 'StreamSignals',
  open: ({ streams, offchain }, _key, { model_names: modelNames }) => {
    if (!modelNames.every((name) => MODEL_NAMES.includes(name))) {
      throw new ApiError(422, `model_names must be some of ${MODEL_NAMES.join(', ')}.`);
    }
    const wanted = new Set(modelNames.length === 0 ? MODEL_NAMES : modelNames);
    return {
      source: streams.signals,
      encode: ({ item }) =>
        wanted.has(item.model)
          ? [{ message: toUpdate(item, offchain), sizeBytes: MESSAGE_BYTES }]
          : [],
    };
  },
};

function toUpdate(signal: SignalListing, images: TokenImages): GrpcMessage {
  const shown = presentSignal(signal, images);
  return {
    token_address: shown.token_address,
    pair_address: shown.pair_address,
    ...(shown.image !== null && { image: shown.image }),
    name: text(shown.name),
    symbol: text(shown.symbol),
    signal_market_cap: shown.signal_market_cap,
    model_name: shown.model_name,
    timestamp: timestamp(signal.createdAtMs),
  };
}
