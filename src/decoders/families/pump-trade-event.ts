import { BorshReader } from '../../model/borsh-reader.ts';
import type { Instruction } from '../../model/instruction.ts';
import { SYSTEM_PROGRAM, WRAPPED_SOL } from '../../model/program.ts';
import type { Address } from '../../model/units.ts';
import { anchorEvent } from '../transaction/anchor-layout.ts';
import { LOGGED_FIELDS_OFFSET, loggedEvents } from '../transaction/logged-events.ts';
import { EVENT_FIELDS_OFFSET, type TransactionView } from '../transaction/transaction-view.ts';

/**
 * The event of every pump trade. Fields were only ever appended, so one order covers all layouts
 * since 2024; a field missing from an older event is null.
 */
export const tradeEventLayout = anchorEvent('TradeEvent', [
  'mint',
  'sol_amount',
  'token_amount',
  'is_buy',
  'user',
  'timestamp',
  'virtual_sol_reserves',
  'virtual_token_reserves',
  'real_sol_reserves',
  'real_token_reserves',
  'fee_recipient',
  'fee_basis_points',
  'fee',
  'creator',
  'creator_fee_basis_points',
  'creator_fee',
  'track_volume',
  'total_unclaimed_tokens',
  'total_claimed_tokens',
  'current_sol_volume',
  'last_update_timestamp',
  'ix_name',
  'mayhem_mode',
  'cashback_fee_basis_points',
  'cashback',
  'buyback_fee_basis_points',
  'buyback_fee',
  'shareholders',
  'quote_mint',
  'quote_amount',
  'virtual_quote_reserves',
  'real_quote_reserves',
  'holder_rewards_bps',
  'holder_rewards',
  'creator_fee_unclaimed',
]);

/** Content of a trade event. Quote amounts are lamports, or raw units of `quoteMint`. */
export interface PumpTradeEvent {
  readonly mint: Address;
  readonly isBuy: boolean;
  readonly tokenAmount: bigint;
  /**
   * Amount the curve received or paid. Fees are added to it on a buy and deducted from it on a
   * sell.
   */
  readonly quoteAmount: bigint;
  /** WRAPPED_SOL for curves that hold native SOL. */
  readonly quoteMint: Address;
  /** The reserves the curve prices with; null once a buy went past the curve's end. */
  readonly virtualReserves: { readonly base: bigint; readonly quote: bigint } | null;
  /** Tokens left for sale and quote raised. Null in the oldest layout. */
  readonly realReserves: { readonly base: bigint; readonly quote: bigint } | null;
  /**
   * Sum of protocol fee (which includes buy-backs), creator fee and cashback. Null in events from
   * before fees. Holder rewards repeat the creator fee and are not an additional fee.
   */
  readonly feeQuoteRaw: bigint | null;
  /** The fee recipient is the zero key: protocol and creator fees stay on the curve. */
  readonly areFeesKept: boolean;
  /**
   * Fees that stay on the curve until swept: protocol fee less its buy-back, plus creator fee. 0
   * when all fees were paid out in the trade.
   */
  readonly keptQuoteRaw: bigint;
}

/** Reads the fields from `offset` on; null when the data end inside the fields of a layout. */
export function readTradeEvent(data: Uint8Array, offset: number): PumpTradeEvent | null {
  const reader = new BorshReader(data, offset);
  const mint = reader.address();
  let quoteAmount = reader.u64();
  const tokenAmount = reader.u64();
  const isBuy = reader.bool();
  reader.skip(KEY_BYTES + U64_BYTES);
  let virtualQuote = reader.u64();
  const virtualBase = reader.u64();
  let real = reader.remaining > 0 ? readReserves(reader) : null;
  const fees = reader.remaining > 0 ? readFees(reader) : null;
  skipVolume(reader);
  const cashback = reader.remaining > 0 ? readFee(reader) : 0n;
  const buyback = reader.remaining > 0 ? readFee(reader) : 0n;
  if (reader.remaining > 0) reader.skip(reader.u32() * SHAREHOLDER_BYTES);
  let quoteMint: Address = WRAPPED_SOL;
  if (reader.remaining > 0) {
    quoteMint = quoteMintOf(reader.address());
    quoteAmount = reader.u64();
    virtualQuote = reader.u64();
    const realQuote = reader.u64();
    if (real !== null) real = { base: real.base, quote: realQuote };
  }
  if (reader.remaining > 0) reader.skip(2 * U64_BYTES);
  if (reader.remaining > 0) reader.skip(U64_BYTES);
  if (reader.isShort) return null;
  return {
    mint,
    isBuy,
    tokenAmount,
    quoteAmount,
    quoteMint,
    virtualReserves: { base: virtualBase, quote: virtualQuote },
    realReserves: real,
    feeQuoteRaw: fees === null ? null : fees.protocol + fees.creator + cashback,
    areFeesKept: fees?.areKept === true,
    keptQuoteRaw: fees?.areKept === true ? fees.protocol - buyback + fees.creator : 0n,
  };
}

/** The quote mint named in an event; native SOL is written as the system program. */
export function quoteMintOf(address: Address): Address {
  return address === SYSTEM_PROGRAM ? WRAPPED_SOL : address;
}

/**
 * The event of one trade: the program's call to itself, otherwise the log line of the same trade
 * (`expected`). 'short' for data that match no layout.
 */
export function tradeEventOf(
  view: TransactionView,
  instruction: Instruction,
  expected: Pick<PumpTradeEvent, 'mint' | 'isBuy' | 'tokenAmount'>,
): PumpTradeEvent | 'absent' | 'short' {
  const data = view.selfEventOf(instruction, tradeEventLayout.discriminator);
  if (data !== null) return readTradeEvent(data, EVENT_FIELDS_OFFSET) ?? 'short';
  for (const logged of loggedEvents(view.transaction.logMessages, tradeEventLayout.discriminator)) {
    const event = readTradeEvent(logged, LOGGED_FIELDS_OFFSET);
    if (event === null || event.mint !== expected.mint || event.isBuy !== expected.isBuy) continue;
    if (event.tokenAmount === expected.tokenAmount) return event;
  }
  return 'absent';
}

/** 32 zero bytes are the address of the system program. */
const ZERO_KEY = SYSTEM_PROGRAM;
const KEY_BYTES = 32;
const U64_BYTES = 8;
/** Address and share in basis points. */
const SHAREHOLDER_BYTES = KEY_BYTES + 2;

function readReserves(reader: BorshReader): { base: bigint; quote: bigint } {
  const quote = reader.u64();
  return { base: reader.u64(), quote };
}

/** The user's volume figures, the instruction's name, and the mode of the curve. */
function skipVolume(reader: BorshReader): void {
  if (reader.remaining > 0) reader.skip(1 + 4 * U64_BYTES);
  if (reader.remaining > 0) reader.skip(reader.u32());
  if (reader.remaining > 0) reader.skip(1);
}

interface TradeFees {
  readonly areKept: boolean;
  readonly protocol: bigint;
  readonly creator: bigint;
}

/**
 * Protocol fee and creator fee, each as recipient, rate and amount. A zero recipient of the
 * protocol fee means that the program kept both fees; the instruction's name does not show it.
 */
function readFees(reader: BorshReader): TradeFees {
  const areKept = reader.address() === ZERO_KEY;
  const protocol = readFee(reader);
  reader.skip(KEY_BYTES);
  return { areKept, protocol, creator: readFee(reader) };
}

/** A rate in basis points (u64), then the resulting amount. */
function readFee(reader: BorshReader): bigint {
  reader.skip(U64_BYTES);
  return reader.u64();
}
