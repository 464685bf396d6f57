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
export const PRICE_MAX = (2n ** 255n - 1n) as PriceE18;

/** 10^scale. Scales are small; common ones are read from a table. */
export function powerOfTen(scale: number): bigint {
  return POWERS[scale] ?? 10n ** BigInt(scale);
}

const POWERS: readonly bigint[] = Array.from({ length: 40 }, (_, scale) => 10n ** BigInt(scale));
