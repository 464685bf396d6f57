import { CandleBook } from '../aggregates/candles.ts';
import { HolderBook } from '../aggregates/holders.ts';
import { PoolBook } from '../aggregates/pools.ts';
import { RobustPriceBook } from '../aggregates/robust-price.ts';
import { SolPriceBook } from '../aggregates/sol-price.ts';
import { TokenBook } from '../aggregates/tokens.ts';
import { usdOf } from '../aggregates/usd.ts';
import { mulDiv } from '../lib/decimal.ts';
import { WRAPPED_SOL } from '../model/program.ts';
import {
  type Address,
  type Lamports,
  PRICE_SCALE,
  type PriceE18,
  powerOfTen,
  type RawAmount,
  type UsdNano,
} from '../model/units.ts';

/** The aggregates that a slot changes. */
export interface Books {
  readonly solPrices: SolPriceBook;
  readonly tokens: TokenBook;
  readonly pools: PoolBook;
  readonly prices: RobustPriceBook;
  readonly candles: CandleBook;
  readonly holders: HolderBook;
}

export function createBooks(fallbackSolUsd: PriceE18 | null): Books {
  return {
    solPrices: new SolPriceBook({ fallbackUsd: fallbackSolUsd }),
    tokens: new TokenBook(),
    pools: new PoolBook(),
    prices: new RobustPriceBook(),
    candles: new CandleBook(),
    holders: new HolderBook(),
  };
}

/** Supply less what lies at burn addresses; null when the supply is unknown. */
export function circulatingSupply({ tokens, holders }: Books, mint: Address): RawAmount | null {
  const supplyRaw = tokens.get(mint)?.supplyRaw ?? null;
  return supplyRaw === null ? null : ((supplyRaw - holders.burned(mint)) as RawAmount);
}

/** An amount of a quote token in USD, signed as the amount; null while its price is unknown. */
export function quoteToUsd(
  { solPrices }: Books,
  quoteMint: Address,
  quoteRaw: bigint,
  decimals: number,
): UsdNano | null {
  const usdPerQuote = solPrices.usdPerQuote(quoteMint);
  return usdPerQuote === null ? null : usdOf(quoteRaw, decimals, usdPerQuote);
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
  // Dollars and SOL both have nine fraction digits here.
  return mulDiv(usd, powerOfTen(PRICE_SCALE), usdPerSol, 'half-up') as Lamports;
}
