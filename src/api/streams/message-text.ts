import type { StreamGap } from '../stream-source.ts';
import type { Encoded } from './stream-client.ts';

const UTF_8 = new TextEncoder();

/** Encodes a JSON message. */
export function encodeText(text: string): Encoded<Uint8Array> {
  const message = UTF_8.encode(text);
  return { message, sizeBytes: message.length };
}

/** Encodes a message about entries that are no longer available. */
export function encodeGap({ from, to }: StreamGap): Encoded<Uint8Array> {
  return encodeText(JSON.stringify({ type: 'gap', from_seq: from, to_seq: to, seq: to }));
}

/** Encodes each item once, regardless of the number of clients. */
export function encodedOnce<Item extends object>(
  write: (item: Item, seq: number) => string,
): (entry: { readonly item: Item; readonly seq: number }) => readonly [Encoded<Uint8Array>] {
  const known = new WeakMap<Item, readonly [Encoded<Uint8Array>]>();
  return ({ item, seq }) => {
    const cached = known.get(item);
    if (cached !== undefined) return cached;
    const encoded = [encodeText(write(item, seq))] as const;
    known.set(item, encoded);
    return encoded;
  };
}
