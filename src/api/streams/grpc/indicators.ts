/** enterprise.v1: pool indicators of each minute, one message per pool (CONTRACT §3). */
import type { IndicatorRecord } from '../../../model/indicators.ts';
import type { IndicatorBatch } from '../../../model/streamed.ts';
import { Figures } from '../../present/indicator-figures.ts';
import {
  type GrpcMessage,
  type GrpcStream,
  known,
  sharedMessages,
  timestamp,
} from './grpc-stream.ts';

const MESSAGE_BYTES = 512;

export const indicatorsService: GrpcStream<unknown, IndicatorBatch> = {
  file: 'enterprise/v1/indicators.proto',
  service: 'enterprise.v1.IndicatorsService',
  method: 'StreamIndicators',
  open: ({ streams }) => ({
    source: streams.indicators,
    encode,
  }),
};

const encode = sharedMessages(({ minuteMs, records }: IndicatorBatch) =>
  records.map((record) => ({
    message: { timestamp: timestamp(minuteMs), indicator: toIndicator(record) },
    sizeBytes: MESSAGE_BYTES,
  })),
);

function toIndicator(record: IndicatorRecord): GrpcMessage {
  return {
    pair_address: record.pool,
    token_address: record.baseMint,
    ...known(Figures.present(record)),
    // The pool was traded in this minute.
    status: 'active',
    attempts: 0,
    created_at: timestamp(record.createdAtMs),
  };
}
