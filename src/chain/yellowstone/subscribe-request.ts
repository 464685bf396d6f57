import { ProtobufWriter } from '../../lib/protobuf-writer.ts';
import type { Slot } from '../../model/units.ts';

/**
 * How blocks are requested.
 * - `blocks`: as whole messages. Some servers omit them from a replay (rpcpool/yellowstone-grpc
 *   issue 830), which shows as a hole.
 * - `transactions`: one message per transaction, assembled here. Works with every server and every
 *   replay.
 */
export type SubscribeMode = (typeof SUBSCRIBE_MODES)[number];
export const SUBSCRIBE_MODES = ['blocks', 'transactions'] as const;

export interface Subscription {
  readonly mode: SubscribeMode;
  /** First slot of a replay, null to start from now. */
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
/** Servers return the name of the filter that a message matches. */
const FILTER_NAME = 'mintscope';

/**
 * Requests every transaction of confirmed blocks, including votes and failed ones: without them the
 * completeness of a block cannot be verified. Slots are requested at every commitment, because they
 * report finality.
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

/** Requests a pong and changes nothing else. */
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
