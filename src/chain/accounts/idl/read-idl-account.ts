/**
 * Reads the text of an IDL from an account. Its authority may write any bytes, so each length is
 * checked and decompression stops at a bound.
 */
import { gunzipSync, inflateSync } from 'node:zlib';
import type { Address } from '../../../model/units.ts';
import type { AccountData } from '../account-data.ts';
import { PROGRAM_METADATA_PROGRAM } from './idl-address.ts';

/**
 * Bound on the decompressed size of an IDL. The largest of well-known programs has about 400,000
 * bytes.
 */
export const IDL_BYTES_MAX = 8 * 2 ** 20;

export type IdlText =
  | { readonly status: 'ok'; readonly text: string }
  /** `reason`: a clause without a full stop. */
  | { readonly status: 'unusable'; readonly reason: string };

/** sha256 of `internal:IdlAccount`, the first eight bytes: Anchor's discriminator. */
const ANCHOR_DISCRIMINATOR = '184662bf3a907b9e';
/** Discriminator, authority, length. */
const ANCHOR_HEADER_BYTES = 8 + 32 + 4;

/** Anchor's `IdlAccount`: the header, then as many bytes of zlib data as its length field says. */
export function readAnchorIdl({ owner, bytes }: AccountData, programId: Address): IdlText {
  if (owner !== programId) return unusable('the account is not owned by the program');
  const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  if (data.length < ANCHOR_HEADER_BYTES) return unusable('the account is shorter than its header');
  if (data.toString('hex', 0, 8) !== ANCHOR_DISCRIMINATOR) {
    return unusable('the account is not an Anchor IDL account');
  }
  const length = data.readUInt32LE(ANCHOR_HEADER_BYTES - 4);
  return textOf(data.subarray(ANCHOR_HEADER_BYTES), length, 'zlib');
}

/**
 * `Header` of the Program Metadata program (program/src/state/header.rs): discriminator 0, program
 * 1–32, authority 33–64, mutable 65, canonical 66, seed 67–82, encoding 83, compression 84, format
 * 85, data source 86, length 87–90, five bytes of padding.
 */
const METADATA = {
  header: 96,
  program: 1,
  encoding: 83,
  compression: 84,
  format: 85,
  source: 86,
  length: 87,
} as const;
const METADATA_DISCRIMINATOR = 2;
const BUFFER_DISCRIMINATOR = 1;
const COMPRESSIONS = ['none', 'gzip', 'zlib'] as const;
/** The other encodings are base58 and base64 text, which is not JSON. */
const UTF8_ENCODINGS = [0, 1];
/** `None` and `Json`; the others are YAML and TOML. */
const JSON_FORMATS = [0, 1];
const DATA_SOURCES = ['direct', 'url', 'external'] as const;

/** `programKey`: the 32 bytes of the program that the IDL must belong to. */
export function readMetadataIdl({ owner, bytes }: AccountData, programKey: Uint8Array): IdlText {
  if (owner !== PROGRAM_METADATA_PROGRAM) {
    return unusable('the account is not owned by the Program Metadata program');
  }
  const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const [discriminator] = data;
  if (discriminator === BUFFER_DISCRIMINATOR) return unusable('the account is being written');
  if (discriminator !== METADATA_DISCRIMINATOR || data.length < METADATA.header) {
    return unusable('the account is not a metadata account');
  }
  const { program, header } = METADATA;
  if (Buffer.compare(data.subarray(program, program + 32), programKey) !== 0) {
    return unusable('the account holds the IDL of another program');
  }
  const source = DATA_SOURCES[data[METADATA.source] ?? -1];
  if (source !== 'direct') return unusable(elsewhere(source));
  if (!UTF8_ENCODINGS.includes(data[METADATA.encoding] ?? -1)) {
    return unusable('the interface is in an encoding that is not UTF-8');
  }
  if (!JSON_FORMATS.includes(data[METADATA.format] ?? -1)) {
    return unusable('the interface is not in JSON');
  }
  const compression = COMPRESSIONS[data[METADATA.compression] ?? -1];
  if (compression === undefined) return unusable('the interface is compressed in an unknown way');
  return textOf(data.subarray(header), data.readUInt32LE(METADATA.length), compression);
}

function elsewhere(source: (typeof DATA_SOURCES)[number] | undefined): string {
  if (source === 'url') return 'the interface lies behind a URL, which is not followed';
  if (source === 'external') return 'the interface is in another account, which is not followed';
  return 'the interface has an unknown data source';
}

function textOf(rest: Buffer, length: number, compression: (typeof COMPRESSIONS)[number]): IdlText {
  if (length === 0) return unusable('the account is empty');
  if (length > rest.length) return unusable('the account ends before its interface does');
  const inflated = inflate(rest.subarray(0, length), compression);
  if (typeof inflated === 'string') return unusable(inflated);
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(inflated);
    return { status: 'ok', text };
  } catch (error) {
    if (error instanceof TypeError) return unusable('the interface is not UTF-8');
    throw error;
  }
}

/** Returns the decompressed bytes, or the reason they cannot be used. */
function inflate(bytes: Buffer, compression: (typeof COMPRESSIONS)[number]): Buffer | string {
  const tooLong = `the interface is longer than ${IDL_BYTES_MAX} bytes`;
  if (compression === 'none') return bytes.length > IDL_BYTES_MAX ? tooLong : bytes;
  const unpack = compression === 'gzip' ? gunzipSync : inflateSync;
  try {
    return unpack(bytes, { maxOutputLength: IDL_BYTES_MAX });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (code === 'ERR_BUFFER_TOO_LARGE') return tooLong;
    if (code.startsWith('Z_')) return `the interface is not compressed with ${compression}`;
    throw error;
  }
}

function unusable(reason: string): IdlText {
  return { status: 'unusable', reason };
}
