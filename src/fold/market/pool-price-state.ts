import { type Described, list, nullable, plain, record, textFormat } from '../../model/codec.ts';
import { QUOTE_CHAIN, type QuoteChain } from '../../model/quote-chain.ts';
import type { Slot } from '../../model/units.ts';
import { address, maybePrice, price } from '../../model/value-codecs.ts';
import { SANDWICH_STATE } from './sandwich.ts';
import { UNSETTLED_TRADE } from './settling-trade.ts';

const ROBUST_PRICE = record({
  /** Quote per base. */
  price,
  /** At the USD price of the quote in the slot of the trade; null if that was unknown. */
  priceUsd: maybePrice,
  /** The chain of prices that `priceUsd` depends on. */
  quoteChain: nullable<QuoteChain>(QUOTE_CHAIN),
  slot: plain<Slot>(),
  timeMs: plain<number>(),
});

/** The last executed price of a pool that is not excluded. */
export interface RobustPrice extends Described<typeof ROBUST_PRICE> {}

const PENDING_JUMP = record({
  price,
  slot: plain<Slot>(),
});

/** A price that waits for a second trade to confirm it. */
export interface PendingJump extends Described<typeof PENDING_JUMP> {}

const STATE = record({
  pool: address,
  /** In order of arrival. */
  unsettled: list(UNSETTLED_TRADE),
  /** Null while there are no unsettled trades. */
  sandwiches: nullable(SANDWICH_STATE),
  pendingJump: nullable<PendingJump>(PENDING_JUMP),
  /** The price of the last settled trade that may set one. */
  settledPrice: nullable<RobustPrice>(ROBUST_PRICE),
  published: nullable<RobustPrice>(ROBUST_PRICE),
  /** The newest slot may be a spike, so the price before it stays published. */
  isWithheld: plain<boolean>(),
});

/** The unsettled trades of a pool and its price, as they are stored. */
export interface PoolPriceState extends Described<typeof STATE> {}

export const POOL_PRICE_STATE = textFormat<PoolPriceState>('pool price 1', STATE);
