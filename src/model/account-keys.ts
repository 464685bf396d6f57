import { type Address, addressOf32Bytes } from './units.ts';

/**
 * The accounts of one transaction in instruction order: static keys, then keys loaded for writing,
 * then keys loaded for reading.
 *
 * Keys that arrive as bytes are encoded as text on first use; most are never used.
 */
export class AccountKeys {
  readonly length: number;
  private readonly texts: (Address | undefined)[];
  private readonly bytes: Uint8Array | null;
  /** Offset of each key in `bytes`; null when the keys are contiguous from `offset` on. */
  private readonly offsets: readonly number[] | null;
  private readonly offset: number;

  private constructor(
    texts: (Address | undefined)[],
    bytes: Uint8Array | null,
    offset: number,
    offsets: readonly number[] | null = null,
  ) {
    this.length = texts.length;
    this.texts = texts;
    this.bytes = bytes;
    this.offset = offset;
    this.offsets = offsets;
  }

  static ofTexts(texts: readonly Address[]): AccountKeys {
    return new AccountKeys([...texts], null, 0);
  }

  /** Keys of 32 bytes each that begin at `offsets` of `bytes`. */
  static inRecord(bytes: Uint8Array, offsets: readonly number[]): AccountKeys {
    return new AccountKeys(new Array<Address | undefined>(offsets.length), bytes, 0, offsets);
  }

  /** `count` keys of 32 bytes each from `offset` of `bytes`, then the loaded ones. */
  static ofBytes(
    bytes: Uint8Array,
    offset: number,
    count: number,
    loaded: readonly Address[],
  ): AccountKeys {
    const texts = new Array<Address | undefined>(count + loaded.length);
    for (let index = 0; index < loaded.length; index++) {
      texts[count + index] = loaded[index];
    }
    return new AccountKeys(texts, bytes, offset);
  }

  /** The key at `index`; throws RangeError when the transaction names no such account. */
  at(index: number): Address {
    const known = this.texts[index];
    if (known !== undefined) return known;
    if (this.bytes === null || index < 0 || index >= this.length) {
      throw new RangeError(`account index ${index} of ${this.length}`);
    }
    const at = this.offsets === null ? this.offset + index * 32 : (this.offsets[index] as number);
    const text = addressOfBytes(this.bytes, at);
    this.texts[index] = text;
    return text;
  }

  /** The index of an address, or -1. Linear search, for occasional lookups by text. */
  indexOf(address: string): number {
    for (let index = 0; index < this.length; index++) {
      if (this.at(index) === address) return index;
    }
    return -1;
  }
}

/**
 * Entries of the cache below, a power of two. Each entry holds one key; a new key replaces the old
 * one.
 */
const CACHE_SLOTS = 1 << 15;
const cacheBytes = new Uint8Array(CACHE_SLOTS * 32);
const cacheTexts = new Array<Address | undefined>(CACHE_SLOTS);

/**
 * Base58 text of the 32 bytes at `offset`. Programs, mints, vaults and active wallets recur within
 * a block, so texts are kept in a direct-mapped cache of fixed size. The cache affects speed only,
 * never the result.
 */
export function addressOfBytes(bytes: Uint8Array, offset: number): Address {
  const slot =
    ((bytes[offset + 4] as number) |
      ((bytes[offset + 11] as number) << 8) |
      ((bytes[offset + 23] as number) << 16)) &
    (CACHE_SLOTS - 1);
  const known = cacheTexts[slot];
  const base = slot * 32;
  if (known !== undefined && sameKey(bytes, offset, base)) return known;
  const text = addressOf32Bytes(bytes, offset);
  for (let index = 0; index < 32; index++)
    cacheBytes[base + index] = bytes[offset + index] as number;
  cacheTexts[slot] = text;
  return text;
}

function sameKey(bytes: Uint8Array, offset: number, base: number): boolean {
  for (let index = 0; index < 32; index++) {
    if (bytes[offset + index] !== cacheBytes[base + index]) return false;
  }
  return true;
}
