import { SYSTEM_PROGRAM } from '../../model/program.ts';
import type { Address } from '../../model/units.ts';
import { borshRecord } from '../transaction/borsh-record.ts';
import { EVENT_FIELDS_OFFSET } from '../transaction/discriminator.ts';
import { readEvent } from '../transaction/self-event.ts';
import { BUY_AMOUNTS, pumpAmmLayout } from './pump-amm-layout.ts';

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
  return UP_TO_POOL.read(data, EVENT_FIELDS_OFFSET)?.pool ?? null;
}

/** A SellEvent has its pool at the same position. */
const UP_TO_POOL = borshRecord({ ...BUY_AMOUNTS, pool: 'pubkey' });

/** Reads a BuyEvent or a SellEvent; null when the data end inside the fields of a layout. */
export function readTradeEvent(data: Uint8Array, isBuy: boolean): PumpAmmTradeEvent | null {
  return isBuy ? readBuyEvent(data) : readSellEvent(data);
}

function readBuyEvent(data: Uint8Array): PumpAmmTradeEvent | null {
  const event = readEvent(pumpAmmLayout.events.BuyEvent, data);
  if (event === null) return null;
  const { base_amount_out: base, quote_amount_in, user_quote_amount_in } = event;
  return toTradeEvent(event, base, quote_amount_in, user_quote_amount_in);
}

function readSellEvent(data: Uint8Array): PumpAmmTradeEvent | null {
  const event = readEvent(pumpAmmLayout.events.SellEvent, data);
  if (event === null) return null;
  const { base_amount_in: base, quote_amount_out, user_quote_amount_out } = event;
  return toTradeEvent(event, base, quote_amount_out, user_quote_amount_out);
}

type EventOf<Name extends 'BuyEvent' | 'SellEvent'> = NonNullable<
  ReturnType<(typeof pumpAmmLayout.events)[Name]['record']['read']>
>;

/** Fields missing from an older event count as 0. */
function toTradeEvent(
  event: EventOf<'BuyEvent'> | EventOf<'SellEvent'>,
  baseAmount: bigint,
  curveQuote: bigint,
  userQuote: bigint,
): PumpAmmTradeEvent {
  const isUserGross = userQuote > curveQuote;
  return {
    isBuy: 'base_amount_out' in event,
    baseAmount,
    grossQuote: isUserGross ? userQuote : curveQuote,
    netQuote: isUserGross ? curveQuote : userQuote,
    lpFee: event.lp_fee,
    protocolFee: event.protocol_fee,
    creatorFee: event.coin_creator_fee ?? 0n,
    buybackFee: event.buyback_fee ?? 0n,
    areFeesKept: event.protocol_fee_recipient === ZERO_KEY,
    virtualQuoteBefore: event.virtual_quote_reserves ?? 0n,
  };
}

/** The zero key, which means no account, is the address of the system program. */
const ZERO_KEY = SYSTEM_PROGRAM;
