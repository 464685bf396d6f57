/** Anchor discriminators compared as two integers, so that dispatch allocates nothing. */

import { readU32 } from '../../lib/little-endian.ts';

/** Bytes before the arguments of an Anchor program's instruction. */
export const DISCRIMINATOR_BYTES = 8;

/** The eight bytes that Anchor programs put before every event they emit by calling themselves. */
export const SELF_EVENT_TAG = 'e445a52e51cb9a1d';

/** Bytes of the self-event tag and the event discriminator before an event's fields. */
export const EVENT_FIELDS_OFFSET = 16;

/** A table by eight-byte discriminator; rejects two entries that could be confused. */
export class DiscriminatorTable<Value> {
  private readonly byFirstWord = new Map<number, { second: number; value: Value }>();

  constructor(entries: Readonly<Record<string, Value>>) {
    for (const [hex, value] of Object.entries(entries)) {
      const { first, second } = wordsOf(hex);
      if (this.byFirstWord.has(first)) throw new Error(`discriminator ${hex} is ambiguous`);
      this.byFirstWord.set(first, { second, value });
    }
  }

  /**
   * The value for the eight bytes at `offset`; undefined when unknown or when there are too few
   * bytes.
   */
  get(data: Uint8Array, offset = 0): Value | undefined {
    if (data.length < offset + 8) return undefined;
    const entry = this.byFirstWord.get(readU32(data, offset));
    return entry !== undefined && entry.second === readU32(data, offset + 4)
      ? entry.value
      : undefined;
  }
}

/** True when `data` begins with the self-event tag. */
export function isSelfEvent(data: Uint8Array): boolean {
  return (
    data.length >= 16 &&
    readU32(data, 0) === SELF_EVENT_WORDS.first &&
    readU32(data, 4) === SELF_EVENT_WORDS.second
  );
}

/** True when the eight bytes at `offset` are the discriminator `hex`. */
export function hasDiscriminator(data: Uint8Array, offset: number, hex: string): boolean {
  if (data.length < offset + 8) return false;
  const { first, second } = wordsOf(hex);
  return readU32(data, offset) === first && readU32(data, offset + 4) === second;
}

interface Words {
  readonly first: number;
  readonly second: number;
}

/** Parsed discriminators that decoders use by their text. */
const WORDS = new Map<string, Words>();

function wordsOf(hex: string): Words {
  const known = WORDS.get(hex);
  if (known !== undefined) return known;
  if (!/^[0-9a-f]{16}$/.test(hex)) throw new Error(`not a discriminator: ${hex}`);
  const bytes = Uint8Array.from({ length: 8 }, (_, at) =>
    Number.parseInt(hex.slice(at * 2, at * 2 + 2), 16),
  );
  const words = { first: readU32(bytes, 0), second: readU32(bytes, 4) };
  WORDS.set(hex, words);
  return words;
}

const SELF_EVENT_WORDS = wordsOf(SELF_EVENT_TAG);
