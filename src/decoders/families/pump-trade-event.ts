import type { Instruction } from '../../model/instruction.ts';
import { SYSTEM_PROGRAM, WRAPPED_SOL } from '../../model/program.ts';
import type { Address } from '../../model/units.ts';
import { anchorEvent } from '../transaction/anchor-layout.ts';
import { EVENT_FIELDS_OFFSET } from '../transaction/discriminator.ts';
import { LOGGED_FIELDS_OFFSET, loggedEvents } from '../transaction/logged-events.ts';
import type { TransactionView } from '../transaction/transaction-view.ts';

/**
 * The event of every pump trade. Fields were only ever appended, so one order covers all layouts
 * since 2024; a field missing from an older event is null.
 */
export const tradeEventLayout = anchorEvent(
  'TradeEvent',
  {
    mint: 'pubkey',
    sol_amount: 'u64',
    token_amount: 'u64',
    is_buy: 'bool',
    user: 'pubkey',
    timestamp: 'i64',
    virtual_sol_reserves: 'u64',
    virtual_token_reserves: 'u64',
  },
  { real_sol_reserves: 'u64', real_token_reserves: 'u64' },
  {
    fee_recipient: 'pubkey',
    fee_basis_points: 'u64',
    fee: 'u64',
    creator: 'pubkey',
    creator_fee_basis_points: 'u64',
    creator_fee: 'u64',
  },
  {
    track_volume: 'bool',
    total_unclaimed_tokens: 'u64',
    total_claimed_tokens: 'u64',
    current_sol_volume: 'u64',
    last_update_timestamp: 'i64',
  },
  { ix_name: 'string' },
  { mayhem_mode: 'bool' },
  { cashback_fee_basis_points: 'u64', cashback: 'u64' },
  { buyback_fee_basis_points: 'u64', buyback_fee: 'u64' },
  { shareholders: [{ address: 'pubkey', share_bps: 'u16' }] },
  {
    quote_mint: 'pubkey',
    quote_amount: 'u64',
    virtual_quote_reserves: 'u64',
    real_quote_reserves: 'u64',
  },
  { holder_rewards_bps: 'u64', holder_rewards: 'u64' },
  { creator_fee_unclaimed: 'u64' },
);

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
  const event = tradeEventLayout.record.read(data, offset);
  if (event === null) return null;
  const fees = feesOf(event);
  return {
    mint: event.mint,
    isBuy: event.is_buy,
    tokenAmount: event.token_amount,
    quoteAmount: event.quote_amount ?? event.sol_amount,
    quoteMint: event.quote_mint === undefined ? WRAPPED_SOL : quoteMintOf(event.quote_mint),
    virtualReserves: {
      base: event.virtual_token_reserves,
      quote: event.virtual_quote_reserves ?? event.virtual_sol_reserves,
    },
    realReserves: realReservesOf(event),
    feeQuoteRaw: fees === null ? null : fees.protocol + fees.creator + (event.cashback ?? 0n),
    areFeesKept: fees?.areKept === true,
    keptQuoteRaw:
      fees?.areKept === true ? fees.protocol - (event.buyback_fee ?? 0n) + fees.creator : 0n,
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

type Fields = NonNullable<ReturnType<typeof tradeEventLayout.record.read>>;

function realReservesOf(event: Fields): PumpTradeEvent['realReserves'] {
  const base = event.real_token_reserves;
  const quote = event.real_quote_reserves ?? event.real_sol_reserves;
  return base === undefined || quote === undefined ? null : { base, quote };
}

interface TradeFees {
  readonly areKept: boolean;
  readonly protocol: bigint;
  readonly creator: bigint;
}

/**
 * Protocol fee and creator fee; null in events from before fees. The zero key as the recipient of
 * the protocol fee means that the program kept both fees; the instruction's name does not show it.
 */
function feesOf({ fee_recipient, fee, creator_fee }: Fields): TradeFees | null {
  if (fee === undefined || creator_fee === undefined) return null;
  return { areKept: fee_recipient === SYSTEM_PROGRAM, protocol: fee, creator: creator_fee };
}
