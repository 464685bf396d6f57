import { priceSwap } from '../../src/fold/market/usd.ts';
import type { PricedSwap } from '../../src/model/derived.ts';
import type { Swap } from '../../src/model/swap.ts';
import { type PriceE18, powerOfTen, type Slot } from '../../src/model/units.ts';
import { swapEvent } from './build-facts.ts';
import { address, signature } from './build-transaction.ts';

/** A trade as a test writes it: whole tokens are 10^6 raw, whole SOL 10^9. */
export interface TradeDraft {
  readonly slot: number;
  readonly timeMs: number;
  readonly trader: string;
  readonly side: 'buy' | 'sell';
  readonly baseRaw: bigint;
  readonly quoteRaw: bigint;
  readonly txIndex?: number;
  readonly rest?: Partial<Swap>;
}

export const SOL = 1_000_000_000n;
export const TOKEN = 1_000_000n;

/** `units` whole units as a price. */
export function e18(units: number): PriceE18 {
  return (BigInt(Math.round(units * 1e9)) * powerOfTen(9)) as PriceE18;
}

/** A priced swap on `pool-t`, SOL at 200 USD by default. */
export function pricedTrade(
  draft: TradeDraft,
  usdPerQuote: PriceE18 | null = e18(200),
): PricedSwap {
  const { trader, side, baseRaw, quoteRaw } = draft;
  return priceSwap(
    swapEvent({ trader: address(trader), side, baseRaw, quoteRaw }, draft.rest),
    {
      slot: draft.slot as Slot,
      txIndex: draft.txIndex ?? 0,
      signature: SIGNATURE,
      timeMs: draft.timeMs,
      isTimeKnown: true,
      terminal: null,
    },
    usdPerQuote,
  );
}

/** The trader does not depend on the signature; creating a signature per trade is expensive. */
const SIGNATURE = signature('trade');
