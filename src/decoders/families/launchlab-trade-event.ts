import { asRawAmount, type RawAmount } from '../../model/units.ts';
import { EVENT_FIELDS_OFFSET } from '../transaction/discriminator.ts';
import { readEvent } from '../transaction/self-event.ts';
import { firstTradeRecord, launchlabLayout } from './launchlab-layout.ts';

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

/** Size of the fields before the program had a creator fee; every later form is longer. */
const FIRST_FORM_BYTES = 130;
/** Value of `PoolStatus` when funding is complete and the pool waits for its migration. */
const STATUS_MIGRATE = 1;

/** Reads a `TradeEvent`; null when the data end inside its fields. */
export function readLaunchlabTradeEvent(data: Uint8Array): LaunchlabTradeEvent | null {
  const isFirstForm = data.length === EVENT_FIELDS_OFFSET + FIRST_FORM_BYTES;
  if (isFirstForm) return toTradeEvent(firstTradeRecord.read(data, EVENT_FIELDS_OFFSET), 0n);
  const event = readEvent(launchlabLayout.events.TradeEvent, data);
  return toTradeEvent(event, event?.creator_fee ?? 0n);
}

function toTradeEvent(
  event: ReturnType<typeof firstTradeRecord.read>,
  creatorFee: bigint,
): LaunchlabTradeEvent | null {
  if (event === null) return null;
  const virtual = { base: event.virtual_base, quote: event.virtual_quote };
  const before = { base: event.real_base_before, quote: event.real_quote_before };
  const after = { base: event.real_base_after, quote: event.real_quote_after };
  const { protocol_fee, platform_fee, share_fee } = event;
  return {
    baseSold: after.base - before.base,
    feeQuoteRaw: asRawAmount(protocol_fee + platform_fee + creatorFee + share_fee),
    virtualReserves: virtualReservesOf(virtual, before, after),
    isComplete: event.pool_status === STATUS_MIGRATE,
  };
}

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
  return { base: asRawAmount(end.base), quote: asRawAmount(end.quote) };
}
