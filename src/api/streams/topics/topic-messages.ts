import type { ApiError } from '../../../model/errors.ts';
import type { Slot } from '../../../model/units.ts';
import type { StreamGap } from '../../stream-source.ts';
import type { ItemData, LogEntry } from './stream-log.ts';

/** The name that a client gives a subscription. */
export type SubscriptionId = string | number;

/** Presents the data of a message. */
export type PresentItem = (data: ItemData) => unknown;

/** How messages are written for one kind of client. */
export interface MessageWriter {
  ack(id: SubscriptionId, seq: number, slot: Slot | null): Uint8Array;
  error(id: SubscriptionId | null, error: ApiError): Uint8Array;
  /** `id` is null for a gap in all subscriptions. */
  gap(id: SubscriptionId | null, gap: StreamGap): Uint8Array;
  entry(id: SubscriptionId, entry: LogEntry): Uint8Array;
}

const UTF_8 = new TextEncoder();

export function encodeJson(message: object): Uint8Array {
  return UTF_8.encode(JSON.stringify(message));
}

/** Writes messages for WebSockets: JSON objects that name the subscription first. */
export function createSocketWriter(present: PresentItem): MessageWriter {
  return {
    ack: (id, seq, slot) => encodeJson({ op: 'ack', id, seq, slot }),
    error: (id, { status, message }) => encodeJson({ op: 'error', id, code: status, message }),
    gap: (id, gap) => encodeJson({ op: 'gap', id, ...gapFields(gap) }),
    entry: (id, entry) =>
      joined(UTF_8.encode(`{"id":${JSON.stringify(id)},`), encodeShared(entry, present)),
  };
}

/** Writes server-sent events. `id` is the position to resume from. */
export function createEventWriter(present: PresentItem): MessageWriter {
  const event = (name: string, message: object, seq?: number) =>
    UTF_8.encode(
      `event: ${name}\n${seq === undefined ? '' : `id: ${seq}\n`}data: ${JSON.stringify(message)}\n\n`,
    );
  return {
    ack: (_, seq, slot) => event('ack', { seq, slot }, seq),
    error: (_, { status, message }) => event('error', { code: status, message }),
    gap: (_, gap) => event('gap', gapFields(gap), gap.to),
    entry: (_, entry) =>
      joined(UTF_8.encode(`id: ${entry.seq}\ndata: {`), encodeShared(entry, present), EVENT_END),
  };
}

const EVENT_END = UTF_8.encode('\n\n');

function gapFields({ from, to }: StreamGap) {
  return { from_seq: from, to_seq: to, seq: to };
}

/** The part of a message that all clients share, encoded once: its fields after the id. */
function encodeShared(entry: LogEntry, present: PresentItem): Uint8Array {
  if (entry.encoded !== null) return entry.encoded;
  const { data, seq, isUndo } = entry;
  data.json ??= JSON.stringify(present(data));
  const { item, context } = data;
  const undo = isUndo ? ',"undo":true' : '';
  entry.encoded = UTF_8.encode(
    `"topic":"${item.topic}","seq":${seq},"slot":${context.slot},"data":${data.json}${undo}}`,
  );
  return entry.encoded;
}

function joined(...parts: readonly Uint8Array[]): Uint8Array {
  return Buffer.concat(parts);
}
