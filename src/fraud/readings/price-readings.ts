import type { CaseTrade, TransactionRef } from '../../model/mint-case.ts';
import { LAMPORT_SCALE } from '../../model/units.ts';
import { byChainOrder } from './block-order.ts';
import { countBefore, within } from './case-order.ts';

const LAMPORTS_PER_SOL = 10 ** LAMPORT_SCALE;

/** A price and the trade that set it. */
export interface PriceSeen {
  readonly priceSol: number;
  readonly trade: CaseTrade;
}

/**
 * Whether a trade sets the SOL price of a whole token: no round trip and no leg of an arbitrage.
 */
export function setsPrice(trade: CaseTrade): boolean {
  return trade.priceSol !== null && !trade.isRoundTrip && !trade.isArbitrage;
}

/** Volume-weighted price in SOL for a whole token; null without volume. */
export function vwapSol(trades: readonly CaseTrade[], decimals: number): number | null {
  let [lamports, baseRaw] = [0n, 0n];
  for (const trade of trades) {
    lamports += trade.lamports;
    baseRaw += trade.baseRaw;
  }
  if (baseRaw === 0n) return null;
  return Number(lamports) / LAMPORTS_PER_SOL / (Number(baseRaw) / 10 ** decimals);
}

/**
 * The price of the token just before a transaction: volume-weighted over the span, or the last
 * price if nothing was traded in the span. Null without an earlier price. Trades must be in block
 * order.
 */
export function priceBefore(
  trades: readonly CaseTrade[],
  first: TransactionRef,
  { spanMs, decimals }: { readonly spanMs: number; readonly decimals: number },
): number | null {
  const older = within(trades, first.timeMs - spanMs, first.timeMs).filter(
    (trade) => setsPrice(trade) && byChainOrder(trade, first) < 0,
  );
  const mean = vwapSol(older, decimals);
  if (mean !== null) return mean;
  const last = trades.slice(0, countBefore(trades, first.timeMs)).findLast(setsPrice);
  return last?.priceSol ?? null;
}

/** The lowest price from a transaction until a time, the first of equals; null without a price. */
export function lowestFrom(
  trades: readonly CaseTrade[],
  first: TransactionRef,
  untilMs: number,
): PriceSeen | null {
  let lowest: PriceSeen | null = null;
  for (const trade of within(trades, first.timeMs, untilMs)) {
    if (!setsPrice(trade) || trade.priceSol === null || byChainOrder(trade, first) < 0) continue;
    if (lowest === null || trade.priceSol < lowest.priceSol) {
      lowest = { priceSol: trade.priceSol, trade };
    }
  }
  return lowest;
}

/** Fall of the price as a part of it, 0 to 1; 0 if either price is unknown. */
export function fallOf(before: number | null, lowest: number | null): number {
  if (before === null || lowest === null || before <= 0) return 0;
  return Math.max(0, 1 - lowest / before);
}
