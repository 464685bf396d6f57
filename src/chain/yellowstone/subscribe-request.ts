import { ProtobufWriter } from '../../lib/protobuf-writer.ts';
import type { Slot } from '../../model/units.ts';

/**
 * How blocks are asked for.
 * - `blocks`: as whole messages. Some servers leave them out of a replay (rpcpool/yellowstone-grpc
 *   issue 830), which shows as a hole.
 * - `transactions`: one message each, put together here. Works with every server and every replay.
 */
export type SubscribeMode = (typeof SUBSCRIBE_MODES)[number];
export const SUBSCRIBE_MODES = ['blocks', 'transactions'] as const;

export interface Subscription {
  readonly mode: SubscribeMode;
  /** Where a replay is to begin, null for what comes from now on. */
  readonly fromSlot: Slot | null;
}

/** Fields of `SubscribeRequest` in geyser.proto (github.com/rpcpool/yellowstone-grpc). */
const SLOTS = 2;
const TRANSACTIONS = 3;
const BLOCKS = 4;
const BLOCKS_META = 5;
const COMMITMENT = 6;
const PING = 9;
const FROM_SLOT = 11;
const CONFIRMED = 1;
/** Servers give back the name of the filter that a message fits. */
const FILTER_NAME = 'mintscope';

/**
 * Asks for every transaction of confirmed blocks, votes and failed ones too: without them nobody can
 * tell that a block is whole. Slots are asked for at every commitment, since they tell what is final.
 */
export function encodeSubscribe({ mode, fromSlot }: Subscription): Uint8Array {
  const writer = new ProtobufWriter();
  filter(writer, SLOTS);
  if (mode === 'transactions') {
    filter(writer, TRANSACTIONS);
    filter(writer, BLOCKS_META);
  } else {
    filter(writer, BLOCKS, () => {
      writer.optionalFlag(2, true);
      writer.optionalFlag(3, false);
      writer.optionalFlag(4, false);
    });
  }
  writer.optionalUnsigned(COMMITMENT, CONFIRMED);
  if (fromSlot !== null) writer.optionalUnsigned(FROM_SLOT, fromSlot);
  return writer.done();
}

/** Asks for a pong and changes nothing else. */
export function encodePing(id: number): Uint8Array {
  const writer = new ProtobufWriter();
  writer.message(PING, () => writer.unsigned(1, id));
  return writer.done();
}

/** An entry of a map from names to filters. */
function filter(writer: ProtobufWriter, field: number, write: () => void = () => undefined): void {
  writer.message(field, () => {
    writer.text(1, FILTER_NAME);
    writer.message(2, write);
  });
}
