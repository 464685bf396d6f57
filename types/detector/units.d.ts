/** 32 bytes in Base58. */
export type Address = string;
/** 64 bytes in Base58. */
export type Signature = string;
/** A whole number. */
export type Slot = number;
export type Lamports = bigint;
/** Units of a token without its decimals. */
export type RawAmount = bigint;
/** 10⁻⁹ US dollars. */
export type UsdNano = bigint;
