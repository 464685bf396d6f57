/**
 * Accounts in which programs publish their IDL, as Anchor before 1.0 writes them and as the Program
 * Metadata program does since; correct ones, and ones with false contents.
 */
import { deflateSync, gzipSync } from 'node:zlib';
import { decodeBase58, encodeBase58 } from '../../../src/lib/base58.ts';
import { programAddress, seededAddress } from '../../../src/lib/program-address.ts';
import { type Address, asAddress } from '../../../src/model/units.ts';
import { InstructionBytes } from '../../chain/instruction-bytes.ts';
import type { DataAccount } from './format-account.ts';

/** An account with its address. */
export interface PlacedAccount extends DataAccount {
  readonly address: Address;
}

const METADATA_PROGRAM = asAddress('ProgM6JCCvbYkfKqJYHePx4xxSUSqJp7rh8Lyv7nk7S');
const IDL_ACCOUNT = Uint8Array.of(0x18, 0x46, 0x62, 0xbf, 0x3a, 0x90, 0x7b, 0x9e);

/** False contents of the account. */
export interface AnchorIdlLies {
  /** Follows the header in place of the compressed text. */
  readonly payload?: Uint8Array;
  readonly length?: number;
  readonly owner?: Address;
}

/**
 * Anchor's account: discriminator, authority, length, zlib data, and spare space for a longer IDL.
 */
export function anchorIdlAccount(
  program: Address,
  text: string,
  { payload = deflateSync(text), length = payload.length, owner = program }: AnchorIdlLies = {},
): PlacedAccount {
  const key = keyOf(program);
  const base = programAddress([], key) ?? new Uint8Array(32);
  const bytes = new InstructionBytes()
    .raw(IDL_ACCOUNT)
    .raw(new Uint8Array(32))
    .u32(length)
    .raw(payload)
    .raw(new Uint8Array(64))
    .done();
  return { address: addressOf(seededAddress(base, 'anchor:idl', key)), owner, bytes };
}

export interface MetadataIdlLies {
  readonly payload?: Uint8Array;
  readonly compression?: 0 | 1 | 2 | 9;
  readonly discriminator?: number;
  /** 0 in the account, 1 a URL, 2 another account. */
  readonly source?: number;
  readonly encoding?: number;
  readonly format?: number;
  readonly length?: number;
  /** The program named in the header. */
  readonly names?: Address;
  readonly owner?: Address;
}

/** The canonical account of the Program Metadata program: a header of 96 bytes, then the data. */
export function metadataIdlAccount(
  program: Address,
  text: string,
  lies: MetadataIdlLies = {},
): PlacedAccount {
  const { compression = 2, discriminator = 2, source = 0, encoding = 1, format = 1 } = lies;
  const payload = lies.payload ?? packed(text, compression);
  const seed = Buffer.alloc(16);
  seed.write('idl');
  const bytes = new InstructionBytes()
    .u8(discriminator)
    .address(lies.names ?? program)
    .raw(new Uint8Array(32))
    .bool(true)
    .bool(true)
    .raw(seed)
    .raw(Uint8Array.of(encoding, compression, format, source))
    .u32(lies.length ?? payload.length)
    .raw(new Uint8Array(5))
    .raw(payload)
    .done();
  const address = programAddress([keyOf(program), seed], keyOf(METADATA_PROGRAM));
  const owner = lies.owner ?? METADATA_PROGRAM;
  return { address: addressOf(address ?? new Uint8Array(32)), owner, bytes };
}

function packed(text: string, compression: number): Uint8Array {
  if (compression === 1) return gzipSync(text);
  return compression === 2 ? deflateSync(text) : Buffer.from(text);
}

/** Accounts in the form in which a node receives them. */
export function placedAccounts(
  accounts: readonly PlacedAccount[],
): ReadonlyMap<Address, DataAccount> {
  return new Map(accounts.map(({ address, owner, bytes }) => [address, { owner, bytes }]));
}

function keyOf(address: Address): Uint8Array {
  const bytes = decodeBase58(address);
  if (bytes === null) throw new RangeError(`${address} is no address`);
  return bytes;
}

function addressOf(bytes: Uint8Array): Address {
  return asAddress(encodeBase58(bytes));
}
