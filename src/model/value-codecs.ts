import { integer, interned, nullable } from './codec.ts';
import type { Address, Lamports, PriceE18, RawAmount, Signature, UsdNano } from './units.ts';

/** Addresses, stored once each in the string table. */
export const address = interned<Address>();

/** Null: none, or unknown. */
export const maybeAddress = nullable(address);

/** Signatures, stored in the same table. */
export const signature = interned<Signature>();

/** Token amounts in raw units. */
export const amount = integer<RawAmount>();

/** Null: unknown, or absent. */
export const maybeAmount = nullable(amount);

/** Amounts of SOL. */
export const lamports = integer<Lamports>();

/** Amounts of dollars. */
export const usd = integer<UsdNano>();

/** Null: unknown. */
export const maybeUsd = nullable(usd);

export const price = integer<PriceE18>();

/** Null: unknown. */
export const maybePrice = nullable(price);
