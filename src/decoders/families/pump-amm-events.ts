import { BorshReader } from '../../model/borsh-reader.ts';
import { SYSTEM_PROGRAM } from '../../model/program.ts';
import type { Address } from '../../model/units.ts';
import { EVENT_FIELDS_OFFSET } from '../transaction/transaction-view.ts';

/**
 * The PumpSwap events that are read, with fields in the order of the program's IDLs. Fields were
 * only ever appended: a field missing from an older event reads as 0. Data that end inside a group
 * of fields match no layout, and the reader returns null.
 */

/** Content of a BuyEvent or SellEvent. Quote amounts are raw units of the pool's own quote. */
export interface PumpAmmTradeEvent {
  readonly isBuy: boolean;
  readonly baseAmount: bigint;
  /** The greater of the user's amount paid or received and the amount of the constant product. */
  readonly grossQuote: bigint;
  /**
   * The lesser of the two. The program swaps their names when the quote amount is given exactly.
   */
  readonly netQuote: bigint;
  readonly lpFee: bigint;
  /** Includes `buybackFee`. */
  readonly protocolFee: bigint;
  readonly creatorFee: bigint;
  readonly buybackFee: bigint;
  /** Protocol and creator fee were not paid out: they stay in the pool's quote vault. */
  readonly areFeesKept: boolean;
  /** Before the trade, signed: added to the quote vault when the pool prices. */
  readonly virtualQuoteBefore: bigint;
}

/** Pool named in a buy or sell event; null when the data end before it. */
export function readTradedPool(data: Uint8Array): Address | null {
  const reader = new BorshReader(data, EVENT_FIELDS_OFFSET + AMOUNTS * U64_BYTES);
  const pool = reader.address();
  return reader.isShort ? null : pool;
}

/** Reads a BuyEvent or a SellEvent; null when the data end inside the fields of a layout. */
export function readTradeEvent(data: Uint8Array, isBuy: boolean): PumpAmmTradeEvent | null {
  const reader = new BorshReader(data, EVENT_FIELDS_OFFSET);
  reader.skip(U64_BYTES);
  const baseAmount = reader.u64();
  reader.skip(5 * U64_BYTES);
  const curveQuote = reader.u64();
  const lpFee = readFee(reader);
  const protocolFee = readFee(reader);
  reader.skip(U64_BYTES);
  const userQuote = reader.u64();
  reader.skip(4 * KEY_BYTES);
  const areFeesKept = isZeroKey(data, PROTOCOL_FEE_RECIPIENT_OFFSET);
  reader.skip(2 * KEY_BYTES);
  const creatorFee = readCreatorFee(reader);
  if (isBuy) skipVolume(reader);
  if (reader.remaining > 0) reader.skip(2 * U64_BYTES);
  const buybackFee = reader.remaining > 0 ? readFee(reader) : 0n;
  const virtualQuoteBefore = reader.remaining > 0 ? readI128(reader) : 0n;
  skipAppended(reader);
  if (reader.isShort) return null;
  const isUserGross = userQuote > curveQuote;
  const [netQuote, grossQuote] = isUserGross ? [curveQuote, userQuote] : [userQuote, curveQuote];
  return {
    isBuy,
    baseAmount,
    grossQuote,
    netQuote,
    lpFee,
    protocolFee,
    creatorFee,
    buybackFee,
    areFeesKept,
    virtualQuoteBefore,
  };
}

export interface BoostBurnEvent {
  readonly quoteAmountUsed: bigint;
  readonly baseAmountBurned: bigint;
  /** The same before and after the purchase. */
  readonly virtualQuote: bigint;
}

export function readBoostBurnEvent(data: Uint8Array): BoostBurnEvent | null {
  const reader = new BorshReader(data, EVENT_FIELDS_OFFSET);
  reader.skip(U64_BYTES + 4 * KEY_BYTES + U64_BYTES);
  const quoteAmountUsed = reader.u64();
  const baseAmountBurned = reader.u64();
  const virtualQuote = readI128(reader);
  reader.skip(3 * U64_BYTES);
  return reader.isShort ? null : { quoteAmountUsed, baseAmountBurned, virtualQuote };
}

export interface InitBoostEvent {
  /** Added to the quote vault when the pool prices, from this event on. */
  readonly virtualQuote: bigint;
  readonly quoteReservesAfter: bigint;
}

export function readInitBoostEvent(data: Uint8Array): InitBoostEvent | null {
  const reader = new BorshReader(data, EVENT_FIELDS_OFFSET);
  reader.skip(U64_BYTES + 3 * KEY_BYTES);
  const virtualQuote = readI128(reader);
  const quoteReservesAfter = reader.u64();
  return reader.isShort ? null : { virtualQuote, quoteReservesAfter };
}

export interface SweepEvent {
  readonly amount: bigint;
  /** 0 protocol, 1 creator. */
  readonly bucket: number;
}

export function readSweepEvent(data: Uint8Array): SweepEvent | null {
  const reader = new BorshReader(data, EVENT_FIELDS_OFFSET);
  reader.skip(U64_BYTES + 5 * KEY_BYTES);
  const amount = reader.u64();
  const bucket = reader.u8();
  return reader.isShort ? null : { amount, bucket };
}

export interface CoinCreatorEvent {
  readonly baseMint: Address;
  readonly pool: Address;
  /** Null where the event does not name it. */
  readonly oldCreator: Address | null;
  readonly newCreator: Address;
}

/**
 * Differences between the events that change a pool's coin creator: the fields around the common
 * keys.
 */
export interface CoinCreatorFields {
  /** Keys between the timestamp and `base_mint`. */
  readonly keysBefore: number;
  /** Keys between `pool` and the creators. */
  readonly keysBetween: number;
  readonly hasOldCreator: boolean;
}

export function readCoinCreatorEvent(
  data: Uint8Array,
  fields: CoinCreatorFields,
): CoinCreatorEvent | null {
  const reader = new BorshReader(data, EVENT_FIELDS_OFFSET);
  reader.skip(U64_BYTES + fields.keysBefore * KEY_BYTES);
  const baseMint = reader.address();
  const pool = reader.address();
  reader.skip(fields.keysBetween * KEY_BYTES);
  const oldCreator = fields.hasOldCreator ? reader.address() : null;
  const newCreator = reader.address();
  return reader.isShort ? null : { baseMint, pool, oldCreator, newCreator };
}

/** The zero key, which means no account. */
export const ZERO_KEY = SYSTEM_PROGRAM;

const KEY_BYTES = 32;
const U64_BYTES = 8;
/** Fields of eight bytes before the first key of a trade event. */
const AMOUNTS = 14;
/** Follows pool, user and the user's two token accounts. */
const PROTOCOL_FEE_RECIPIENT_OFFSET = EVENT_FIELDS_OFFSET + AMOUNTS * U64_BYTES + 4 * KEY_BYTES;

/** A rate in basis points (u64), then the resulting amount. */
function readFee(reader: BorshReader): bigint {
  reader.skip(U64_BYTES);
  return reader.u64();
}

function readCreatorFee(reader: BorshReader): bigint {
  if (reader.remaining === 0) return 0n;
  reader.skip(KEY_BYTES);
  return readFee(reader);
}

/** `track_volume` with four amounts, `min_base_amount_out`, `ix_name`. */
function skipVolume(reader: BorshReader): void {
  if (reader.remaining > 0) reader.skip(1 + 4 * U64_BYTES);
  if (reader.remaining > 0) reader.skip(U64_BYTES);
  if (reader.remaining > 0) reader.skip(reader.u32());
}

/**
 * `can_boost`, `base_supply`, holder rewards (a repetition of the creator fee),
 * `creator_fee_unclaimed`.
 */
function skipAppended(reader: BorshReader): void {
  if (reader.remaining > 0) reader.skip(1);
  if (reader.remaining > 0) reader.skip(U64_BYTES);
  if (reader.remaining > 0) reader.skip(2 * U64_BYTES);
  if (reader.remaining > 0) reader.skip(U64_BYTES);
}

function readI128(reader: BorshReader): bigint {
  return BigInt.asIntN(128, reader.u128());
}

function isZeroKey(data: Uint8Array, offset: number): boolean {
  for (let at = offset; at < offset + KEY_BYTES; at++) {
    if (data[at] !== 0) return false;
  }
  return true;
}
