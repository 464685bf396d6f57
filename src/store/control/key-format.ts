import { crc32 } from 'node:zlib';

/**
 * The text of a key: `tik_live_<key id>_<secret>_<checksum>`. The prefix lets secret scanners find
 * leaked keys; the checksum distinguishes mistyped keys from unknown ones without a lookup.
 */
const PREFIX = 'tik_live_';
const SHAPE = /^tik_live_([0-9A-Za-z]{11})_[0-9A-Za-z]{43}_([0-9A-Za-z]{6})$/;
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Random bytes of a new key: 8 for its id, 32 for its secret. */
export const KEY_RANDOM_BYTES = 40;

/** Base62 digits for 8, 32 and 4 bytes. */
const ID_DIGITS = 11;
const SECRET_DIGITS = 43;
const CHECKSUM_DIGITS = 6;

export function formatKey(random: Uint8Array): { readonly keyId: string; readonly text: string } {
  if (random.length !== KEY_RANDOM_BYTES) throw new RangeError(`a key of ${random.length} bytes`);
  const keyId = base62(random.subarray(0, 8), ID_DIGITS);
  const body = `${PREFIX}${keyId}_${base62(random.subarray(8), SECRET_DIGITS)}`;
  return { keyId, text: `${body}_${checksumOf(body)}` };
}

/** True for text with the shape of a key and a wrong checksum, which cannot be a key. */
export function isMistypedKey(text: string): boolean {
  const match = SHAPE.exec(text);
  return match !== null && checksumOf(text.slice(0, -CHECKSUM_DIGITS - 1)) !== match[2];
}

function checksumOf(body: string): string {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, crc32(body));
  return base62(bytes, CHECKSUM_DIGITS);
}

function base62(bytes: Uint8Array, digits: number): string {
  let value = 0n;
  for (const byte of bytes) value = (value << 8n) | BigInt(byte);
  let text = '';
  for (let digit = 0; digit < digits; digit++) {
    text = ALPHABET.charAt(Number(value % 62n)) + text;
    value /= 62n;
  }
  return text;
}
