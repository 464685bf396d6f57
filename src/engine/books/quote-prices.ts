import type { Moment } from '../../fold/market/logical-time.ts';
import type { PoolBook } from '../../fold/market/pools.ts';
import { usdOf } from '../../fold/market/usd.ts';
import { mulDiv } from '../../lib/decimal.ts';
import type { ChainEvent } from '../../model/chain-event.ts';
import { WRAPPED_SOL } from '../../model/program.ts';
import { type QuoteChain, type QuotePrice, usdOfQuote } from '../../model/quote-chain.ts';
import { isQuoteMint } from '../../model/quote-mints.ts';
import type { SlotFacts } from '../../model/slot-facts.ts';
import {
  type Address,
  asLamports,
  type Lamports,
  PRICE_SCALE,
  powerOfTen,
  type UsdNano,
} from '../../model/units.ts';
import type { Books } from './books.ts';
import { type ChainBooks, findQuoteChain } from './quote-chain.ts';

/** USD prices of quote tokens at one point in time. */
export interface QuotePrices {
  /** Null when the price is unknown. */
  priceOf(quoteMint: Address): QuotePrice | null;
}

/**
 * Prices of the quote tokens of a slot's trades, fixed for the whole slot: SOL at its reference
 * price, other tokens by the state of their pools after the previous slot. Call after the SOL price
 * of the slot is applied and before anything else of the slot is. A token that nothing in the slot
 * is quoted in has no price.
 */
export function quotePricesOfSlot(books: Books, facts: SlotFacts, at: Moment): QuotePrices {
  const { solPrices } = books;
  const chains = new Map<Address, QuoteChain>();
  if (at.isTimeKnown) {
    for (const mint of tokenQuotesOf(books, facts)) {
      const chain = findQuoteChain(books, mint, at.timeMs);
      if (chain !== null) chains.set(mint, chain);
    }
  }
  return { priceOf: (mint) => solPrices.usdPerQuote(mint) ?? chains.get(mint) ?? null };
}

/** Quote prices by the current books; without a time, only SOL and stablecoins have a price. */
export function quotePricesNow(books: ChainBooks, nowMs: number | null): QuotePrices {
  return {
    priceOf: (mint) => {
      if (isQuoteMint(mint) || nowMs === null) return books.solPrices.usdPerQuote(mint);
      return findQuoteChain(books, mint, nowMs);
    },
  };
}

/**
 * An amount of a quote token in USD, with the sign of the amount; null while its price is unknown.
 */
export function quoteToUsd(
  quotes: QuotePrices,
  quoteMint: Address,
  quoteRaw: bigint,
  decimals: number,
): UsdNano | null {
  const usdPerQuote = usdOfQuote(quotes.priceOf(quoteMint));
  return usdPerQuote === null ? null : usdOf(quoteRaw, decimals, usdPerQuote);
}

/**
 * An amount of a quote token in lamports, converted through USD unless it is SOL; null if unknown.
 */
export function quoteToLamports(
  quotes: QuotePrices,
  quoteMint: Address,
  quoteRaw: bigint,
  decimals: number,
): Lamports | null {
  if (quoteMint === WRAPPED_SOL) return asLamports(quoteRaw);
  const usd = quoteToUsd(quotes, quoteMint, quoteRaw, decimals);
  const usdPerSol = usdOfQuote(quotes.priceOf(WRAPPED_SOL));
  if (usd === null || usdPerSol === null) return null;
  // Dollars and SOL both have nine fraction digits here.
  return asLamports(mulDiv(usd, powerOfTen(PRICE_SCALE), usdPerSol, 'half-up'));
}

/** Quote tokens of a slot's events, without SOL and stablecoins. */
function tokenQuotesOf({ pools }: Books, { transactions }: SlotFacts): ReadonlySet<Address> {
  const mints = new Set<Address>();
  for (const { error, events } of transactions) {
    if (error !== null) continue;
    for (const event of events) {
      const mint = quoteMintOf(pools, event);
      if (mint !== null && !isQuoteMint(mint)) mints.add(mint);
    }
  }
  return mints;
}

function quoteMintOf(pools: PoolBook, event: ChainEvent): Address | null {
  switch (event.kind) {
    case 'swap':
    case 'liquidity':
    case 'launch':
    case 'poolCreated':
      return event.quoteMint;
    case 'migrate':
      return pools.get(event.fromPool)?.quoteMint ?? null;
    default:
      return null;
  }
}
