import { BorshReader } from '../../model/borsh-reader.ts';
import type { RawAmount } from '../../model/units.ts';
import { EVENT_FIELDS_OFFSET } from '../transaction/transaction-view.ts';

/** Data of a launchpad trade that its transfers do not show. */
export interface LaunchlabTradeEvent {
  /** Base tokens that left the curve; negative when it received some. */
  readonly baseSold: bigint;
  /** All fees, in quote units. */
  readonly feeQuoteRaw: RawAmount;
  /** The reserves the curve prices with after the trade; null for curves of other shapes. */
  readonly virtualReserves: { readonly base: RawAmount; readonly quote: RawAmount } | null;
  /** The trade reached the curve's fundraising target. */
  readonly isComplete: boolean;
}

/**
 * Size of the fields before the program had a creator fee; every later form is longer. The fee was
 * inserted in the middle, so the fields after it are read according to the form.
 */
const FIRST_FORM_BYTES = 130;
/** Value of `PoolStatus` when funding is complete and the pool waits for its migration. */
const STATUS_MIGRATE = 1;

/** Reads a `TradeEvent`; null when the data end inside its fields. */
export function readLaunchlabTradeEvent(data: Uint8Array): LaunchlabTradeEvent | null {
  const hasCreatorFee = data.length !== EVENT_FIELDS_OFFSET + FIRST_FORM_BYTES;
  const reader = new BorshReader(data, EVENT_FIELDS_OFFSET);
  reader.skip(POOL_STATE_AND_TOTAL_BASE_SELL_BYTES);
  const virtual = { base: reader.u64(), quote: reader.u64() };
  const before = { base: reader.u64(), quote: reader.u64() };
  const after = { base: reader.u64(), quote: reader.u64() };
  reader.skip(AMOUNT_IN_AND_OUT_BYTES);
  let fee = reader.u64() + reader.u64();
  if (hasCreatorFee) fee += reader.u64();
  fee += reader.u64();
  reader.skip(TRADE_DIRECTION_BYTES);
  const status = reader.u8();
  if (reader.isShort) return null;
  return {
    baseSold: after.base - before.base,
    feeQuoteRaw: fee as RawAmount,
    virtualReserves: virtualReservesOf(virtual, before, after),
    isComplete: status === STATUS_MIGRATE,
  };
}

const POOL_STATE_AND_TOTAL_BASE_SELL_BYTES = 32 + 8;
const AMOUNT_IN_AND_OUT_BYTES = 8 + 8;
const TRADE_DIRECTION_BYTES = 1;

interface Amounts {
  readonly base: bigint;
  readonly quote: bigint;
}

/**
 * On a constant-product curve, the virtual base decreases by the base sold and the virtual quote
 * increases by the quote raised. Curves with a fixed or linear price use the two virtual fields
 * differently, and the event does not identify the shape. It is recognised by the product, which a
 * trade never lowers and raises by less than one raw unit of rounding on either side.
 */
function virtualReservesOf(
  virtual: Amounts,
  before: Amounts,
  after: Amounts,
): LaunchlabTradeEvent['virtualReserves'] {
  const start = { base: virtual.base - before.base, quote: virtual.quote + before.quote };
  const end = { base: virtual.base - after.base, quote: virtual.quote + after.quote };
  if (start.base <= 0n || end.base <= 0n) return null;
  const gained = end.base * end.quote - start.base * start.quote;
  if (gained < 0n || (gained >= end.base && gained >= end.quote)) return null;
  return { base: end.base as RawAmount, quote: end.quote as RawAmount };
}
