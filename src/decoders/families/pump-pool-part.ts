import { BorshReader } from '../../model/borsh-reader.ts';
import type { Instruction } from '../../model/instruction.ts';
import type { Address } from '../../model/units.ts';
import { anchorEvent } from '../transaction/anchor-layout.ts';
import { EVENT_FIELDS_OFFSET, type TransactionView } from '../transaction/transaction-view.ts';
import { type PumpTradeEvent, quoteMintOf } from './pump-trade-event.ts';

/** Emitted by the buy that takes the last token a curve sells. */
export const completeEventLayout = anchorEvent('CompleteEvent', ['user', 'mint']);

/**
 * The part of a buy past the end of its curve: tokens taken from those that the migration will put
 * into a pool, at the price of that pool (docs/SYNTHETIC_MIGRATION.md of the program's public
 * docs). The preceding TradeEvent covers only the curve's part.
 */
export const postCompleteBuyEventLayout = anchorEvent('PostCompleteBuyEvent', [
  'user',
  'mint',
  'bonding_curve',
  'quote_mint',
  'timestamp',
  'base_out',
  'quote_in',
  'fee_basis_points',
  'fee',
  'creator_fee_basis_points',
  'creator_fee',
  'buyback_fee',
  'pool_base_reserves_before',
  'pool_quote_reserves_before',
  'pool_base_reserves_after',
  'pool_quote_reserves_after',
]);

/** The part of a buy past the end of its curve, in raw units. */
export interface PoolPart {
  readonly mint: Address;
  readonly quoteMint: Address;
  readonly baseOut: bigint;
  /** Without fees. */
  readonly quoteIn: bigint;
  /** Protocol fee and creator fee. */
  readonly feeQuoteRaw: bigint;
  /** The same fees less the buy-back fee; always kept on the curve. */
  readonly keptQuoteRaw: bigint;
  /** The amounts that the migration will open the pool with. */
  readonly poolReserves: { readonly base: bigint; readonly quote: bigint };
}

/**
 * Reads the data of an event, including tag and discriminator; null when they end inside its
 * fields.
 */
export function readPoolPart(data: Uint8Array): PoolPart | null {
  const reader = new BorshReader(data, EVENT_FIELDS_OFFSET);
  reader.address();
  const mint = reader.address();
  reader.address();
  const quoteMint = quoteMintOf(reader.address());
  reader.i64();
  const baseOut = reader.u64();
  const quoteIn = reader.u64();
  reader.u64();
  const protocol = reader.u64();
  reader.u64();
  const creator = reader.u64();
  const buyback = reader.u64();
  reader.skip(2 * U64_BYTES);
  const base = reader.u64();
  const quote = reader.u64();
  if (reader.isShort) return null;
  return {
    mint,
    quoteMint,
    baseOut,
    quoteIn,
    feeQuoteRaw: protocol + creator,
    keptQuoteRaw: protocol - buyback + creator,
    poolReserves: { base, quote },
  };
}

/** The pool part reported by the instruction's own event; 'short' when its data are truncated. */
export function poolPartOf(
  view: TransactionView,
  instruction: Instruction,
): PoolPart | 'absent' | 'short' {
  const data = view.selfEventOf(instruction, postCompleteBuyEventLayout.discriminator);
  return data === null ? 'absent' : (readPoolPart(data) ?? 'short');
}

/**
 * Combines both parts of a buy into one trade: amounts and fees are added. The reserves are those
 * the pool will open with, which the curve holds for it and which set the price from here on.
 */
export function withPoolPart(trade: PumpTradeEvent, part: PoolPart): PumpTradeEvent {
  return {
    ...trade,
    tokenAmount: trade.tokenAmount + part.baseOut,
    quoteAmount: trade.quoteAmount + part.quoteIn,
    virtualReserves: null,
    realReserves: part.poolReserves,
    feeQuoteRaw: (trade.feeQuoteRaw ?? 0n) + part.feeQuoteRaw,
    keptQuoteRaw: trade.keptQuoteRaw + part.keptQuoteRaw,
  };
}

/** True when the part belongs to this trade. */
export function isPartOf(part: PoolPart, trade: PumpTradeEvent): boolean {
  return trade.isBuy && part.mint === trade.mint && part.quoteMint === trade.quoteMint;
}

/** The mint of the curve completed by a CompleteEvent; null when the data are truncated. */
export function readCompletedMint(data: Uint8Array): Address | null {
  const reader = new BorshReader(data, EVENT_FIELDS_OFFSET);
  reader.address();
  const mint = reader.address();
  return reader.isShort ? null : mint;
}

const U64_BYTES = 8;
