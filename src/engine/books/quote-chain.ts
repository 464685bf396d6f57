import { quoteUsdOf } from '../../fold/market/pool-value.ts';
import type { PoolState } from '../../fold/market/pools.ts';
import { isCurveVenue } from '../../fold/market/venue-kinds.ts';
import { divide } from '../../lib/decimal.ts';
import type { QuoteChain } from '../../model/quote-chain.ts';
import { isQuoteMint } from '../../model/quote-mints.ts';
import {
  type Address,
  PRICE_MAX,
  PRICE_SCALE,
  type PriceE18,
  powerOfTen,
  type Slot,
  type UsdNano,
} from '../../model/units.ts';
import type { Books } from './books.ts';

/** Beyond, each link's error and whoever may move it add up, and nobody quotes so. */
const LINKS_MAX = 4;
/** After this long without a trade a price is unknown, as SOL's is (METHODS §0.4). */
const AGE_MS_MAX = 15 * 60_000;
/** Pools with less liquidity price nothing else (METHODS §0.4): $10,000. */
const LIQUIDITY_USD_MIN = 10_000_000_000_000n;

/** Where chains are read: as the books are now, robust prices as of the last closed slot. */
export type ChainBooks = Pick<Books, 'tokens' | 'pools' | 'prices' | 'solPrices'>;

/** A token, the pool that prices it, and the pool's price. */
interface FoundLink {
  readonly mint: Address;
  readonly pool: PoolState;
  readonly price: PriceE18;
  readonly setSlot: Slot;
  readonly ageMs: number;
}

/**
 * The USD price at `nowMs` of a token that others are quoted in (decision 0032): through primary
 * pools, each with a robust price that is at most 15 minutes old and liquidity of $10,000 or more.
 * Null for SOL and stablecoins, which need no chain, and where a link is missing, too old or too thin,
 * its program was never read, the chain comes back to a token of its own, or is longer than four links.
 */
export function findQuoteChain(books: ChainBooks, mint: Address, nowMs: number): QuoteChain | null {
  const links = findLinks(books, mint, nowMs);
  const last = links?.at(-1);
  return links === null || last === undefined ? null : valueLinks(books, links, last);
}

/** From the token to what SOL or a stablecoin quotes. */
function findLinks(books: ChainBooks, mint: Address, nowMs: number): FoundLink[] | null {
  const links: FoundLink[] = [];
  let next = mint;
  while (!isQuoteMint(next)) {
    if (links.length === LINKS_MAX || links.some((link) => link.mint === next)) return null;
    const link = findLink(books, next, nowMs);
    if (link === null) return null;
    links.push(link);
    next = link.pool.quoteMint;
  }
  return links;
}

function findLink(
  { tokens, pools, prices }: ChainBooks,
  mint: Address,
  nowMs: number,
): FoundLink | null {
  const address = tokens.get(mint)?.primaryPool ?? null;
  const pool = address === null ? undefined : pools.get(address);
  if (pool === undefined || pool.venue === 'inferred') return null;
  const robust = prices.priceOf(pool.pool);
  if (robust === null) return null;
  const ageMs = nowMs - robust.timeMs;
  if (ageMs > AGE_MS_MAX) return null;
  return { mint, pool, price: robust.price, setSlot: robust.slot, ageMs };
}

/** From the reference back to the token: each link is worth so many of the next. */
function valueLinks(
  books: ChainBooks,
  links: readonly FoundLink[],
  last: FoundLink,
): QuoteChain | null {
  const reference = last.pool.quoteMint;
  let usd = books.solPrices.usdPerQuote(reference);
  let oldest = last;
  let thinnestUsd: UsdNano | null = null;
  for (const link of [...links].reverse()) {
    const liquidityUsd = usd === null ? null : liquidityOf(link.pool, usd);
    if (usd === null || liquidityUsd === null || liquidityUsd < LIQUIDITY_USD_MIN) return null;
    if (thinnestUsd === null || liquidityUsd < thinnestUsd) thinnestUsd = liquidityUsd;
    if (link.ageMs > oldest.ageMs) oldest = link;
    usd = timesPrice(link.price, usd);
  }
  if (usd === null || thinnestUsd === null) return null;
  return {
    usd,
    links: links.map(({ mint, pool }) => ({ mint, pool: pool.pool })),
    reference,
    setSlot: oldest.setSlot,
    ageMs: oldest.ageMs,
    thinnestUsd,
    hasLaunchpadCoin: hasLaunchpadCoin(books, links),
  };
}

/** By the quote side alone: the other one is as large as whoever prices it likes. */
function liquidityOf(pool: PoolState, usdPerQuote: PriceE18): UsdNano | null {
  const quoteUsd = quoteUsdOf(pool, usdPerQuote);
  return quoteUsd === null ? null : ((quoteUsd * 2n) as UsdNano);
}

/** Null for a price that rounds to nothing, and beyond any price. */
function timesPrice(price: PriceE18, usd: PriceE18): PriceE18 | null {
  const product = divide(price * usd, powerOfTen(PRICE_SCALE), 'half-up');
  return product === 0n || product > PRICE_MAX ? null : (product as PriceE18);
}

function hasLaunchpadCoin(
  { tokens, pools }: ChainBooks,
  links: readonly FoundLink[],
): boolean | null {
  let isAllSeen = true;
  for (const { mint } of links) {
    if (pools.ofMint(mint).some(({ venue }) => isCurveVenue(venue))) return true;
    if (tokens.get(mint)?.older !== null) isAllSeen = false;
  }
  return isAllSeen ? false : null;
}
