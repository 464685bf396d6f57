import type { Instruction } from '../../model/instruction.ts';
import type { Address } from '../../model/units.ts';
import { anchorEvent } from '../transaction/anchor-layout.ts';
import { readEvent } from '../transaction/self-event.ts';
import type { TransactionView } from '../transaction/transaction-view.ts';
import { type PumpTradeEvent, quoteMintOf } from './pump-trade-event.ts';

/** Emitted by the buy that takes the last token a curve sells. */
export const completeEventLayout = anchorEvent('CompleteEvent', {
  user: 'pubkey',
  mint: 'pubkey',
});

/**
 * The part of a buy past the end of its curve: tokens taken from those that the migration will put
 * into a pool, at the price of that pool (docs/SYNTHETIC_MIGRATION.md of the program's public
 * docs). The preceding TradeEvent covers only the curve's part.
 */
export const postCompleteBuyEventLayout = anchorEvent('PostCompleteBuyEvent', {
  user: 'pubkey',
  mint: 'pubkey',
  bonding_curve: 'pubkey',
  quote_mint: 'pubkey',
  timestamp: 'i64',
  base_out: 'u64',
  quote_in: 'u64',
  fee_basis_points: 'u64',
  fee: 'u64',
  creator_fee_basis_points: 'u64',
  creator_fee: 'u64',
  buyback_fee: 'u64',
  pool_base_reserves_before: 'u64',
  pool_quote_reserves_before: 'u64',
  pool_base_reserves_after: 'u64',
  pool_quote_reserves_after: 'u64',
});

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
  const event = readEvent(postCompleteBuyEventLayout, data);
  if (event === null) return null;
  const { fee, creator_fee } = event;
  return {
    mint: event.mint,
    quoteMint: quoteMintOf(event.quote_mint),
    baseOut: event.base_out,
    quoteIn: event.quote_in,
    feeQuoteRaw: fee + creator_fee,
    keptQuoteRaw: fee - event.buyback_fee + creator_fee,
    poolReserves: {
      base: event.pool_base_reserves_after,
      quote: event.pool_quote_reserves_after,
    },
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
  return readEvent(completeEventLayout, data)?.mint ?? null;
}
