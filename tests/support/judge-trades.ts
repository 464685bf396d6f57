import type { OracleMove } from './oracle.ts';
import type { ReportedTrade } from './peer-trades.ts';

/** Comparison of the trades that a parser reports with the executed legs. */
export interface Judgement {
  /** Trades that match a leg: mints, direction and both amounts, of the pool or of the trader. */
  readonly exact: number;
  /** Trades that match a leg which another trade matches already. */
  readonly doubled: number;
  /** Trades that match no leg. */
  readonly wrong: number;
  /** Legs without a trade. */
  readonly missed: readonly OracleMove[];
}

/** Each leg is matched with one trade; trades in the pool's own amounts are matched first. */
export function judgeTrades(
  trades: readonly ReportedTrade[],
  legs: readonly OracleMove[],
): Judgement {
  const missed = new Set(legs);
  const left = new Set(trades);
  for (const isLeg of [isPoolLeg, isTraderLeg]) {
    for (const trade of left) {
      const leg = [...missed].find((one) => isLeg(trade, one));
      if (leg === undefined) continue;
      missed.delete(leg);
      left.delete(trade);
    }
  }
  const doubled = [...left].filter((trade) => legs.some((leg) => isTraderLeg(trade, leg))).length;
  const exact = trades.length - left.size;
  return { exact, doubled, wrong: left.size - doubled, missed: [...missed] };
}

function isPoolLeg(trade: ReportedTrade, leg: OracleMove): boolean {
  return isPair(trade, leg) && trade.amountIn === leg.amountIn && trade.amountOut === leg.amountOut;
}

function isTraderLeg(trade: ReportedTrade, leg: OracleMove): boolean {
  return (
    isPair(trade, leg) &&
    [leg.amountIn, leg.amountInGross, leg.userIn].includes(trade.amountIn) &&
    [leg.amountOut, leg.amountOutNet, leg.userOut].includes(trade.amountOut)
  );
}

function isPair(trade: ReportedTrade, leg: OracleMove): boolean {
  return trade.mintIn === leg.mintIn && trade.mintOut === leg.mintOut;
}
