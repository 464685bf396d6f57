import { absolute, divide } from '../../lib/decimal.ts';
import type { PricedSwap } from '../../model/derived.ts';
import { chainOfQuote, type QuotePrice, usdOfQuote } from '../../model/quote-chain.ts';
import type { Swap } from '../../model/swap.ts';
import type { Terminal } from '../../model/terminal-accounts.ts';
import {
  asPriceE18,
  asUsdNano,
  PRICE_MAX,
  PRICE_SCALE,
  type PriceE18,
  powerOfTen,
  type Signature,
  type Slot,
  USD_NANO_SCALE,
  type UsdNano,
} from '../../model/units.ts';
import { exclusionOf } from './price-rules.ts';

/** The position of a swap in the log. */
export interface SwapPosition {
  readonly slot: Slot;
  readonly txIndex: number;
  readonly signature: Signature;
  /** Logical time of the slot. */
  readonly timeMs: number;
  readonly isTimeKnown: boolean;
  /** Of its transaction. */
  readonly terminal: Terminal | null;
}

/**
 * Computes the executed price and value of a swap, and whether the swap alone excludes it from
 * setting a price; rules on neighbouring trades are applied by `RobustPriceBook`. `quotePrice` is
 * the USD price of one whole quote token at the swap's slot; if null, all USD values are null.
 * `setsTokenPrice` and the class of its trader are determined at the end of the slot.
 */
export function priceSwap(
  swap: Swap,
  position: SwapPosition,
  quotePrice: QuotePrice | null,
): PricedSwap {
  const usdPerQuote = usdOfQuote(quotePrice);
  const baseRaw = absolute(swap.poolBaseDelta);
  const quoteRaw = absolute(swap.poolQuoteDelta);
  const exponent = swap.baseDecimals - swap.quoteDecimals;
  const price = ratioE18(quoteRaw, baseRaw, PRICE_SCALE + exponent);
  const valueUsd = usdPerQuote === null ? null : usdOf(quoteRaw, swap.quoteDecimals, usdPerQuote);
  return {
    swap,
    slot: position.slot,
    txIndex: position.txIndex,
    signature: position.signature,
    timeMs: position.timeMs,
    isTimeKnown: position.isTimeKnown,
    price,
    // From the raw amounts, not from `price`: a price of 10^-12 SOL has only six digits.
    priceUsd: usdPerQuote === null ? null : ratioE18(quoteRaw * usdPerQuote, baseRaw, exponent),
    valueUsd,
    quoteChain: chainOfQuote(quotePrice),
    exclusion: exclusionOf(swap, price, valueUsd),
    setsTokenPrice: false,
    isOrganic: false,
    walletClass: null,
    terminal: position.terminal,
  };
}

/** `amountRaw` of a token in USD, rounded half up. */
export function usdOf(amountRaw: bigint, decimals: number, usdPerUnit: PriceE18): UsdNano {
  const scale = powerOfTen(decimals + PRICE_SCALE - USD_NANO_SCALE);
  return asUsdNano(divide(amountRaw * usdPerUnit, scale, 'half-up'));
}

/**
 * `numerator / denominator * 10^exponent` by one division, rounded half up; null if the denominator
 * is 0 or the result exceeds PRICE_MAX.
 */
function ratioE18(numerator: bigint, denominator: bigint, exponent: number): PriceE18 | null {
  if (denominator === 0n) return null;
  const ratio =
    exponent >= 0
      ? divide(numerator * powerOfTen(exponent), denominator, 'half-up')
      : divide(numerator, denominator * powerOfTen(-exponent), 'half-up');
  return ratio > PRICE_MAX ? null : asPriceE18(ratio);
}
