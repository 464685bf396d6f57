import { knownTimeMs, type Moment } from '../../fold/market/logical-time.ts';
import type { PoolState } from '../../fold/market/pool-state.ts';
import { quoteUsdOf } from '../../fold/market/pool-value.ts';
import { choosePrimary } from '../../fold/market/primary-pool.ts';
import { markTokenPrice, type SettlingTrade } from '../../fold/market/settling-trade.ts';
import { chainOfQuote, usdOfQuote } from '../../model/quote-chain.ts';
import type { Address, UsdNano } from '../../model/units.ts';
import { type Books, circulatingSupply } from './books.ts';
import { type QuotePrices, quotePricesNow } from './quote-prices.ts';

/**
 * Decides which trades of a slot set their token's price and adds the trades to the candles. Call
 * after all events of the slot are in the books and before its prices are settled.
 *
 * The rule: the pool that is primary at the end of a slot prices the token throughout that slot.
 * Therefore the price of a token and the close of its candle come from the same pool, the only pool
 * of a token sets its price from the first trade, and a migration takes effect in its slot.
 */
export function priceTokens(books: Books, trades: readonly SettlingTrade[], at: Moment): void {
  choosePrimaries(books, at);
  for (const trade of trades) {
    const { exclusion, isTimeKnown, swap } = trade.priced;
    if (exclusion === 'quarantined') continue;
    const token = books.tokens.get(swap.baseMint);
    if (token?.primaryPool === swap.pool) markTokenPrice(trade);
    if (isTimeKnown) books.candles.add(trade, circulatingSupply(books, token));
  }
}

/**
 * Chooses by current pool reserves. Choices are applied one after another, which prevents two
 * tokens from being priced by each other.
 */
function choosePrimaries(books: Books, at: Moment): void {
  const { tokens, pools } = books;
  const quotes = quotePricesNow(books, knownTimeMs(at));
  for (const mint of pools.changedMints()) {
    const token = tokens.get(mint);
    if (token === undefined) continue;
    const current = token.primaryPool === null ? null : (pools.get(token.primaryPool) ?? null);
    const primary = choosePrimary(pools.ofMint(mint), current, (pool) =>
      independentUsdOf(mint, pool, quotes),
    );
    if (primary === null || primary === current) continue;
    tokens.setPrimaryPool(token, primary.pool, at);
  }
}

/** Also null for a quote whose own price depends on the mint. */
function independentUsdOf(mint: Address, pool: PoolState, quotes: QuotePrices): UsdNano | null {
  const price = quotes.priceOf(pool.quoteMint);
  const isDependent = chainOfQuote(price)?.links.some((link) => link.mint === mint) ?? false;
  return isDependent ? null : quoteUsdOf(pool, usdOfQuote(price));
}
