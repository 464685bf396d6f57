import { mulDiv } from '../lib/decimal.ts';
import type { Mutable } from '../lib/mutable.ts';
import {
  type Codec,
  type Described,
  integer,
  nullable,
  plain,
  record,
  textFormat,
} from '../model/codec.ts';
import { marketCapUsd } from '../model/market-cap.ts';
import { type Outcome, PERCENT_SCALE, SIGNAL } from '../model/signal.ts';
import { asPriceE18, type Slot } from '../model/units.ts';
import { executionOf, POSITION, type Position } from './execution/position.ts';

const HUNDRED_PERCENT_E9 = 100n * 10n ** BigInt(PERCENT_SCALE);

const { rowId, model, mint, slot, createdAtMs, priceUsd, supplyRaw, decimals } = SIGNAL.fields;

const FOLLOWED_SIGNAL = record({
  rowId,
  model,
  mint,
  slot,
  createdAtMs,
  priceUsd,
  supplyRaw,
  decimals,
});

/** The fields of a signal on which its outcome depends. */
export interface FollowedSignal extends Described<typeof FOLLOWED_SIGNAL> {}

const OPEN_SIGNAL_RECORD = record({
  signal: FOLLOWED_SIGNAL,
  /** Null before the first price at which a trade was possible. */
  highPriceUsd: nullable(integer<bigint>()),
  /** Lowest price before the high. */
  lowPriceUsd: integer<bigint>(),
  /** Lowest price so far. */
  lowSinceUsd: integer<bigint>(),
  /** Highest price so far, including the signal's own, and the lowest since. */
  peakUsd: integer<bigint>(),
  troughUsd: integer<bigint>(),
  /** Largest drawdown from a peak so far, and before the high. */
  fallE9: integer<bigint>(),
  peakDrawdownE9: integer<bigint>(),
  slot: plain<Slot>(),
  isFinal: plain<boolean>(),
  /** Null if the pool's reserves were unknown at the signal. */
  position: nullable(POSITION),
});

/** A signal whose outcome can still change. */
export interface OpenSignal extends Mutable<Described<typeof OPEN_SIGNAL_RECORD>> {
  readonly signal: FollowedSignal;
  readonly position: Position | null;
}

export const OPEN_SIGNAL = textFormat(
  'open signal 1',
  OPEN_SIGNAL_RECORD as unknown as Codec<OpenSignal>,
);

export function openSignal(signal: FollowedSignal, position: Position | null): OpenSignal {
  const price = signal.priceUsd;
  return {
    signal,
    highPriceUsd: null,
    lowPriceUsd: price,
    lowSinceUsd: price,
    peakUsd: price,
    troughUsd: price,
    fallE9: 0n,
    peakDrawdownE9: 0n,
    slot: signal.slot,
    isFinal: false,
    position,
  };
}

/** Applies a price. Returns whether it is a new high. */
export function applyPrice(open: OpenSignal, price: bigint): boolean {
  const isFirst = open.highPriceUsd === null;
  open.lowSinceUsd = isFirst || price < open.lowSinceUsd ? price : open.lowSinceUsd;
  applyFall(open, price);
  if (open.highPriceUsd !== null && price <= open.highPriceUsd) return false;
  open.highPriceUsd = price;
  open.lowPriceUsd = open.lowSinceUsd;
  open.peakDrawdownE9 = open.fallE9;
  return true;
}

function applyFall(open: OpenSignal, price: bigint): void {
  if (price < open.troughUsd) {
    open.troughUsd = price;
    const fallE9 = -percentE9(price - open.peakUsd, open.peakUsd);
    if (fallE9 > open.fallE9) open.fallE9 = fallE9;
  }
  if (price <= open.peakUsd) return;
  open.peakUsd = price;
  open.troughUsd = price;
}

export function toOutcome(open: OpenSignal): Outcome {
  const { signal, lowPriceUsd: lowUsd, peakDrawdownE9, isFinal, position } = open;
  const highUsd = open.highPriceUsd ?? signal.priceUsd;
  const drawdownE9 = -percentE9(lowUsd - signal.priceUsd, signal.priceUsd);
  const capAt = (price: bigint) =>
    marketCapUsd(asPriceE18(price), signal.supplyRaw, signal.decimals);
  return {
    rowId: signal.rowId,
    highPriceUsd: asPriceE18(highUsd),
    lowPriceUsd: asPriceE18(lowUsd),
    athMarketCapUsd: capAt(highUsd),
    maxDrawdownMarketCapUsd: capAt(lowUsd),
    roiE9: percentE9(highUsd - signal.priceUsd, signal.priceUsd),
    maxDrawdownE9: drawdownE9 > 0n ? drawdownE9 : 0n,
    peakDrawdownE9,
    isFinal,
    slot: open.slot,
    execution: position === null ? NOT_EXECUTED : executionOf(position),
  };
}

/** `part` in percent of `whole`, with nine decimals, rounded half up. */
function percentE9(part: bigint, whole: bigint): bigint {
  return mulDiv(part, HUNDRED_PERCENT_E9, whole, 'half-up');
}

const NOT_EXECUTED: Outcome['execution'] = {
  enteredAtMs: null,
  returns: {
    hold_5m: null,
    hold_1h: null,
    hold_24h: null,
    take_profit_or_stop: null,
    trailing_stop: null,
  },
  roseBeforeFell: null,
};
