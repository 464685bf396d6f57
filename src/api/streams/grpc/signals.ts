/** enterprise.v1: signals as they are issued (CONTRACT §3). */
import { SIGNAL_MODELS } from '../../../model/signal.ts';
import type { SignalListing } from '../../../model/signal-listing.ts';
import { presentSignal } from '../../present/present-signal.ts';
import type { TokenImages } from '../../present/signal-image.ts';
import { type GrpcMessage, type GrpcStream, text, timestamp } from './grpc-stream.ts';
import { parseChoices } from './parse-choices.ts';

interface Request {
  readonly model_names: readonly string[];
}

const MESSAGE_BYTES = 512;

export const signalsService: GrpcStream<Request, SignalListing> = {
  file: 'enterprise/v1/signals.proto',
  service: 'enterprise.v1.SignalStreamService',
  method: 'StreamSignals',
  open: ({ streams, offchain }, _key, { model_names: modelNames }) => {
    const models = parseChoices('model_names', modelNames, SIGNAL_MODELS);
    return {
      source: streams.signals,
      encode: ({ item }) =>
        models.size === 0 || models.has(item.model)
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
