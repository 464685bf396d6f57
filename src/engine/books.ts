import type { HolderBook } from '../aggregates/holders.ts';
import type { PoolBook } from '../aggregates/pools.ts';
import type { SolPriceBook } from '../aggregates/sol-price.ts';
import type { TokenBook } from '../aggregates/tokens.ts';
import { mulDiv } from '../lib/decimal.ts';
import { WRAPPED_SOL } from '../model/program.ts';
import {
  type Address,
  type Lamports,
  PRICE_SCALE,
  powerOfTen,
  type UsdNano,
} from '../model/units.ts';

/** The aggregates that transactions change. */
export interface Books {
  readonly tokens: TokenBook;
  readonly pools: PoolBook;
  readonly holders: HolderBook;
  readonly solPrices: SolPriceBook;
}

/** An amount of a quote token in USD, signed as the amount; null while its price is unknown. */
export function quoteToUsd(
  { solPrices }: Books,
  quoteMint: Address,
  quoteRaw: bigint,
  decimals: number,
): UsdNano | null {
  const usdPerQuote = solPrices.usdPerQuote(quoteMint);
  if (usdPerQuote === null) return null;
  const scale = powerOfTen(decimals + PRICE_SCALE - USD_SCALE);
  return mulDiv(quoteRaw, usdPerQuote, scale, 'half-up') as UsdNano;
}

/** An amount of a quote token in lamports, through USD unless it is SOL; null when unknown. */
export function quoteToLamports(
  books: Books,
  quoteMint: Address,
  quoteRaw: bigint,
  decimals: number,
): Lamports | null {
  if (quoteMint === WRAPPED_SOL) return quoteRaw as Lamports;
  const usd = quoteToUsd(books, quoteMint, quoteRaw, decimals);
  const usdPerSol = books.solPrices.usdPerQuote(WRAPPED_SOL);
  if (usd === null || usdPerSol === null) return null;
  return mulDiv(usd, powerOfTen(PRICE_SCALE), usdPerSol, 'half-up') as Lamports;
}

/** Fraction digits of a dollar amount; lamports have as many. */
const USD_SCALE = 9;
