import type { PoolState } from '../../fold/market/pool-state.ts';
import { quoteUsdOf } from '../../fold/market/pool-value.ts';
import { usdOf } from '../../fold/market/usd.ts';
import { divide } from '../../lib/decimal.ts';
import type { QuoteChain } from '../../model/quote-chain.ts';
import { isQuoteMint } from '../../model/quote-mints.ts';
import {
  type Address,
  asPriceE18,
  asUsdNano,
  PRICE_MAX,
  PRICE_SCALE,
  type PriceE18,
  powerOfTen,
  type Slot,
  type UsdNano,
} from '../../model/units.ts';
import { isCurveVenue } from '../../model/venue-kinds.ts';
import type { Books } from './books.ts';

/**
 * Longer chains add up the errors and manipulation risks of each link, and are not used in
 * practice.
 */
const LINKS_MAX = 4;
/** A price without a trade for this long is unknown, as for SOL (METHODS §0.4). */
const AGE_MS_MAX = 15 * 60_000;
/** Minimum liquidity of a pool that prices other tokens (METHODS §0.4): $10,000. */
const LIQUIDITY_USD_MIN = 10_000_000_000_000n;
/** All that a token account can hold, in raw units. */
const AMOUNT_RAW_MAX = 2n ** 64n - 1n;
/**
 * Such an amount of a token is worth less, in 10^-9 USD: $2 * 10^19. Sums of values have 128 bits,
 * which 2^32 trades of so much fit (wide-sum.ts). Ratios of pools of made-up tokens reach more with
 * little money.
 */
const AMOUNT_USD_MAX = 2n ** 94n;

/** Inputs of chains: current books; robust prices are those of the last closed slot. */
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
 * The USD price at `nowMs` of a token that other tokens are quoted in (decision 0032): through
 * primary pools, each with a robust price that is at most 15 minutes old and liquidity of $10,000
 * or more. Null for SOL and stablecoins, which need no chain, and when a link is missing, too old,
 * too thin or of an inferred venue, when the chain is cyclic or longer than four links, or when what
 * an account can hold of the token would be worth more than any sum can add up.
 */
export function findQuoteChain(books: ChainBooks, mint: Address, nowMs: number): QuoteChain | null {
  const links = findLinks(books, mint, nowMs);
  const last = links?.at(-1);
  return links === null || last === undefined ? null : valueLinks(books, links, last);
}

/** Links from the token to one that is quoted in SOL or a stablecoin. */
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

/** Multiplies the prices from the reference back to the token. */
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
  if (usd === null || thinnestUsd === null || isBeyondSums(links, usd)) return null;
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

function isBeyondSums([priced]: readonly FoundLink[], usd: PriceE18): boolean {
  const decimals = priced?.pool.baseDecimals ?? 0;
  return usdOf(AMOUNT_RAW_MAX, decimals, usd) > AMOUNT_USD_MAX;
}

/** Twice the quote side: the base side can be inflated by manipulating its price. */
function liquidityOf(pool: PoolState, usdPerQuote: PriceE18): UsdNano | null {
  const quoteUsd = quoteUsdOf(pool, usdPerQuote);
  return quoteUsd === null ? null : asUsdNano(quoteUsd * 2n);
}

/** Null for a price that rounds to zero or exceeds PRICE_MAX. */
function timesPrice(price: PriceE18, usd: PriceE18): PriceE18 | null {
  const product = divide(price * usd, powerOfTen(PRICE_SCALE), 'half-up');
  return product === 0n || product > PRICE_MAX ? null : asPriceE18(product);
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
