import { encodeBase58, isBase58Of32Bytes, isBase58Of64Bytes } from '../lib/base58.ts';
import { encodeSignature } from '../lib/signature-text.ts';

/**
 * Branded primitives: the same machine type with different meanings that must not be mixed.
 *
 * Payable amounts are bigints in their smallest unit. The scale of a unit is the number of decimal
 * digits between it and the unit shown to users.
 */
declare const brand: unique symbol;
type Brand<T, Name extends string> = T & { readonly [brand]: Name };

/** Base58 text of exactly 32 bytes. */
export type Address = Brand<string, 'Address'>;
/** Base58 text of exactly 64 bytes. */
export type Signature = Brand<string, 'Signature'>;
export type Slot = Brand<number, 'Slot'>;
export type Lamports = Brand<bigint, 'Lamports'>;
/** Token amount in the mint's smallest unit. Meaningless without the mint's decimals. */
export type RawAmount = Brand<bigint, 'RawAmount'>;
/** US dollars times 10^9. */
export type UsdNano = Brand<bigint, 'UsdNano'>;
/** Price times 10^18: one unit of the priced asset, in whole units of the other. */
export type PriceE18 = Brand<bigint, 'PriceE18'>;

export const LAMPORT_SCALE = 9;
export const USD_NANO_SCALE = 9;
export const PRICE_SCALE = 18;

/**
 * The largest representable price, the maximum of a signed 256-bit integer: about 10^58 in whole
 * units. Only tokens with absurd decimals exceed it; a price there is meaningless and treated as
 * unknown.
 */
export const PRICE_MAX: PriceE18 = asPriceE18(2n ** 255n - 1n);

const ADDRESS_SHAPE = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/;
const SIGNATURE_SHAPE = /^[1-9A-HJ-NP-Za-km-z]{64,88}$/;

/**
 * The functions below give a value its unit. They are the only place where a unit is asserted; a
 * value of another machine type is a programming error and throws TypeError.
 *
 * An address is checked for its alphabet and length, not decoded: for untrusted text see
 * `AddressParameter` in api/schemas/parameters.ts, which decodes it.
 */
export function asAddress(text: string): Address {
  if (!ADDRESS_SHAPE.test(text)) throw new TypeError(`${shown(text)} is not an address`);
  return text as Address;
}

/** Checked for alphabet and length. Throws TypeError. */
export function asSignature(text: string): Signature {
  if (!SIGNATURE_SHAPE.test(text)) throw new TypeError(`${shown(text)} is not a signature`);
  return text as Signature;
}

/** True for base58 text of exactly 32 bytes. */
export function isAddress(text: string): text is Address {
  return isBase58Of32Bytes(text);
}

/** True for base58 text of exactly 64 bytes. */
export function isSignature(text: string): text is Signature {
  return isBase58Of64Bytes(text);
}

/** The 32 bytes at `offset` as base58 text. */
export function addressOf32Bytes(bytes: Uint8Array, offset: number): Address {
  return encodeBase58(bytes, offset, offset + 32) as Address;
}

/** The 64 bytes at `offset` as base58 text. */
export function signatureOfBytes(bytes: Uint8Array, offset: number): Signature {
  return encodeSignature(bytes, offset) as Signature;
}

/**
 * The largest slot that a source may name: versions of stored rows have 40 bits for it. At 400 ms a
 * slot it is 13,900 years away.
 */
export const SLOT_MAX = 2 ** 40 - 1;

/** For what a source names: true below SLOT_MAX, so that the slot after it is valid as well. */
export function isSlot(value: unknown): value is Slot {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value < SLOT_MAX;
}

/** Throws TypeError for anything but a whole number from 0 to 2^53 - 1. */
export function asSlot(value: number): Slot {
  if (!Number.isSafeInteger(value) || value < 0) throw new TypeError(`${value} is not a slot`);
  return value as Slot;
}

/** The slot before one; null before the first. */
export function slotBefore(slot: Slot): Slot | null {
  return slot === 0 ? null : asSlot(slot - 1);
}

/** May be negative: a change. */
export function asLamports(value: bigint): Lamports {
  return assertBigint(value) as Lamports;
}

/** May be negative: a change. */
export function asRawAmount(value: bigint): RawAmount {
  return assertBigint(value) as RawAmount;
}

/** May be negative: a loss. */
export function asUsdNano(value: bigint): UsdNano {
  return assertBigint(value) as UsdNano;
}

export function asPriceE18(value: bigint): PriceE18 {
  return assertBigint(value) as PriceE18;
}

function assertBigint(value: bigint): bigint {
  if (typeof value !== 'bigint') throw new TypeError(`${shown(value)} is not an integer amount`);
  return value;
}

function shown(value: unknown): string {
  return JSON.stringify(String(value).slice(0, 100));
}

/** 10^scale. Scales are small; common ones are read from a table. */
export function powerOfTen(scale: number): bigint {
  return POWERS[scale] ?? 10n ** BigInt(scale);
}

const POWERS: readonly bigint[] = Array.from({ length: 40 }, (_, scale) => 10n ** BigInt(scale));
