/**
 * Branded primitives: the same machine type, different meanings that must not be mixed.
 *
 * Whatever can be paid is a bigint in its smallest unit; a unit's scale is the number of decimal
 * digits between that unit and the unit people read.
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
/** A price (one unit of the priced thing, in whole units of the other) times 10^18. */
export type PriceE18 = Brand<bigint, 'PriceE18'>;

export const LAMPORT_SCALE = 9;
export const USD_NANO_SCALE = 9;
export const PRICE_SCALE = 18;

/**
 * The largest price there is, the end of a signed 256-bit integer: ten to the 58th. Only tokens with
 * absurd decimals get beyond it, where a price says nothing: it is unknown there.
 */
export const PRICE_MAX = (2n ** 255n - 1n) as PriceE18;

/** 10^scale. Scales are small; the table makes the common ones free. */
export function powerOfTen(scale: number): bigint {
  return POWERS[scale] ?? 10n ** BigInt(scale);
}

const POWERS: readonly bigint[] = Array.from({ length: 40 }, (_, scale) => 10n ** BigInt(scale));
