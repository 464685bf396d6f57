import {
  type Described,
  integer,
  list,
  nullable,
  plain,
  record,
  textFormat,
} from '../../model/codec.ts';
import type { OpenHighLowClose } from '../../model/derived.ts';
import type { Slot } from '../../model/units.ts';
import {
  address,
  amount,
  maybeAmount,
  maybePrice,
  maybeUsd,
  price,
  usd,
} from '../../model/value-codecs.ts';
import { CANDLE_SUMS } from './candle-sums.ts';

const RANGE = nullable<OpenHighLowClose>(
  record({ open: price, high: price, low: price, close: price }),
);
const RANGES = record({ quote: RANGE, usd: RANGE, pricingBaseRaw: amount, pricingUsd: usd });

const CANDLE_TRADE = record({
  /** The number of the trade (settling-trade.ts). */
  number: plain<number>(),
  price: maybePrice,
  priceUsd: maybePrice,
  valueUsd: maybeUsd,
  baseRaw: integer(),
  /** Its label, as far as known, excludes it from setting a price. */
  isExcluded: plain<boolean>(),
  /** It is settled, but an earlier trade of the candle is not. */
  isSettled: plain<boolean>(),
});

/** What a candle needs of a trade whose label can change. */
export interface CandleTrade extends Described<typeof CANDLE_TRADE> {}

const STATE = record({
  scope: address,
  openTimeMs: plain<number>(),
  /** False for a mint: no quote prices, no quote volume. */
  isPool: plain<boolean>(),
  baseDecimals: plain<number>(),
  supplyRaw: maybeAmount,
  slot: plain<Slot>(),
  sums: CANDLE_SUMS,
  /** Prices of the settled trades before the first unsettled one. */
  settled: RANGES,
  /** Prices of all trades. */
  current: RANGES,
  /** Trades that may set the candle's prices, from the first unsettled one on, in order of arrival. */
  unsettled: list(CANDLE_TRADE),
  hasEnded: plain<boolean>(),
});

/** A candle that can change, as it is stored. */
export interface OpenCandleState extends Described<typeof STATE> {}

/** The open candles of one scope. */
export const OPEN_CANDLES = textFormat<readonly OpenCandleState[]>('open candles 2', list(STATE));
