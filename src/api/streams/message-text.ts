import type { StreamGap } from '../stream-source.ts';
import type { Encoded } from './stream-client.ts';

const UTF_8 = new TextEncoder();

/** A JSON message as it is sent. */
export function encodeText(text: string): Encoded<Uint8Array> {
  const message = UTF_8.encode(text);
  return { message, sizeBytes: message.length };
}

/** Says what a client cannot have any more of what it asked for. */
export function encodeGap({ from, to }: StreamGap): Encoded<Uint8Array> {
  return encodeText(JSON.stringify({ type: 'gap', from_seq: from, to_seq: to, seq: to }));
}

/** Encodes each item once, however many clients it goes to. */
export function encodedOnce<Item extends object>(
  write: (item: Item, seq: number) => string,
): (entry: { readonly item: Item; readonly seq: number }) => readonly [Encoded<Uint8Array>] {
  const known = new WeakMap<Item, readonly [Encoded<Uint8Array>]>();
  return ({ item, seq }) => {
    const before = known.get(item);
    if (before !== undefined) return before;
    const encoded = [encodeText(write(item, seq))] as const;
    known.set(item, encoded);
    return encoded;
  };
}
