import { BorshReader } from '../../model/borsh-reader.ts';
import { SYSTEM_PROGRAM } from '../../model/program.ts';
import type { Address } from '../../model/units.ts';
import { EVENT_FIELDS_OFFSET } from '../transaction/transaction-view.ts';

/**
 * The events of PumpSwap that are read, as the program's IDLs order their fields. Fields were only
 * ever appended: what an older event does not have reads as 0. Bytes that end inside a group of
 * fields fit no layout, and the reader answers null.
 */

/** What BuyEvent and SellEvent say of a trade. Quote amounts are raw units of the pool's own quote. */
export interface PumpAmmTradeEvent {
  readonly isBuy: boolean;
  readonly baseAmount: bigint;
  /** What the user paid or got, and what the constant product asked for: the greater of the two. */
  readonly grossQuote: bigint;
  /** The lesser of the two: the program swaps their names where the quote amount is given exactly. */
  readonly netQuote: bigint;
  readonly lpFee: bigint;
  /** `buybackFee` is a part of it. */
  readonly protocolFee: bigint;
  readonly creatorFee: bigint;
  readonly buybackFee: bigint;
  /** Nobody was paid protocol and creator fee: they stay in the pool's quote vault. */
  readonly areFeesKept: boolean;
  /** Before the trade, signed: what the pool prices with on top of its quote vault. */
  readonly virtualQuoteBefore: bigint;
}

/** Pool named by a buy or sell event, or null when the bytes end before it. */
export function readTradedPool(data: Uint8Array): Address | null {
  const reader = new BorshReader(data, EVENT_FIELDS_OFFSET + AMOUNTS * U64_BYTES);
  const pool = reader.address();
  return reader.isShort ? null : pool;
}

/** Reads a BuyEvent or a SellEvent; null when the bytes end inside the fields of a layout. */
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
  /** What the pool prices with from here on, on top of its quote vault. */
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

/** How the events that change a pool's coin creator differ: what stands beside the common keys. */
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

/** The zero key, which stands for nobody. */
export const NOBODY = SYSTEM_PROGRAM;

const KEY_BYTES = 32;
const U64_BYTES = 8;
/** Fields of eight bytes before the first key of a trade event. */
const AMOUNTS = 14;
/** After pool, user and the user's two token accounts. */
const PROTOCOL_FEE_RECIPIENT_OFFSET = EVENT_FIELDS_OFFSET + AMOUNTS * U64_BYTES + 4 * KEY_BYTES;

/** A rate in basis points (u64), then the amount it made. */
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

/** `can_boost`, `base_supply`, holder rewards (the creator fee once more), `creator_fee_unclaimed`. */
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
