import type { CaseTrade } from '../../model/mint-case.ts';
import { byTradeOrder } from './block-order.ts';
import { shareOf } from './shares.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** Maximum distance and difference of a purchase and a sale that cancel out (METHODS §7.8). */
const PAIR_MS = 300 * SECOND_MS;
const PAIR_DIFFERENCE_PERCENT = 1n;
/** Slightly more than that, to allow for rounding of amounts to doubles. */
const NEAR_PART = 0.0101;
/** Minimum number of pairs of one wallet; fewer may be coincidence. */
const PAIRS_MIN = 3;
/** Spans in which purchases and sales of one owner are summed, in addition to the whole day. */
const WINDOWS_MS = [10 * MINUTE_MS, HOUR_MS] as const;
/** Minimum churn of a span. */
export const CHURN_MIN = 0.9;

/** Trades of one owner that cancel out. */
export interface MatchedTrades {
  /** In block order. */
  readonly trades: readonly CaseTrade[];
  /** 2 · min(bought, sold) / (bought + sold), in tokens, 0 to 1. */
  readonly churn: number;
  /** Number of paired purchases and sales of the wallet with most pairs. */
  readonly pairs: number;
}

/**
 * The largest by volume of four readings of one owner's day: pairs of one wallet, spans of ten
 * minutes and of an hour, the day as a whole. Null when nothing cancels out. Trades must be in
 * block order.
 */
export function matchTrades(trades: readonly CaseTrade[]): MatchedTrades | null {
  const byWallet = [...Map.groupBy(trades, ({ wallet }) => wallet).values()].map(pairTrades);
  const paired = byWallet.filter(({ length }) => length >= 2 * PAIRS_MIN);
  const pairs = Math.max(0, ...byWallet.map(({ length }) => length / 2));
  const readings = [
    paired.flat().toSorted(byTradeOrder),
    ...WINDOWS_MS.map((windowMs) => inBalancedWindows(trades, windowMs)),
    churnOf(trades) >= CHURN_MIN ? trades : [],
  ];
  const [largest = []] = readings.toSorted((one, other) => {
    const difference = volumeOf(other) - volumeOf(one);
    return difference < 0n ? -1 : difference > 0n ? 1 : 0;
  });
  if (largest.length === 0) return null;
  return { trades: largest, churn: churnOf(largest), pairs };
}

/** Sum of lamports of purchases and sales. */
export function volumeOf(trades: readonly CaseTrade[]): bigint {
  return trades.reduce((sum, { lamports }) => sum + lamports, 0n);
}

/** 2 · min(bought, sold) / (bought + sold), in tokens; 0 for no trades. */
export function churnOf(trades: readonly CaseTrade[]): number {
  let [bought, sold] = [0n, 0n];
  for (const { side, baseRaw } of trades) {
    if (side === 'buy') bought += baseRaw;
    else sold += baseRaw;
  }
  return shareOf(2n * (bought < sold ? bought : sold), bought + sold);
}

/** Pairs each trade of one wallet with the oldest trade of the other side that it cancels. */
function pairTrades(trades: readonly CaseTrade[]): readonly CaseTrade[] {
  const paired: CaseTrade[] = [];
  const open = { buy: new OpenTrades(), sell: new OpenTrades() };
  for (const trade of trades) {
    const partner = open[trade.side === 'buy' ? 'sell' : 'buy'].takePartner(trade);
    if (partner === null) open[trade.side].add(trade);
    else paired.push(partner, trade);
  }
  return paired;
}

/** A trade without a partner so far. The rounded amount avoids most exact comparisons. */
interface OpenTrade {
  readonly trade: CaseTrade;
  readonly amount: number;
}

/** Trades of one side without a partner so far, in block order. */
class OpenTrades {
  private readonly waiting: OpenTrade[] = [];
  /** Trades before this index are too old for any further trade. */
  private start = 0;

  add(trade: CaseTrade): void {
    this.waiting.push({ trade, amount: Number(trade.baseRaw) });
  }

  /** Removes and returns the oldest trade that `trade` cancels, or null. */
  takePartner(trade: CaseTrade): CaseTrade | null {
    const { waiting } = this;
    let oldest = waiting[this.start];
    while (oldest !== undefined && trade.timeMs - oldest.trade.timeMs > PAIR_MS) {
      oldest = waiting[++this.start];
    }
    const amount = Number(trade.baseRaw);
    for (let index = this.start; index < waiting.length; index++) {
      const other = waiting[index];
      if (other === undefined || !isNearAmount(other.amount, amount)) continue;
      if (!cancels(other.trade.baseRaw, trade.baseRaw)) continue;
      waiting.splice(index, 1);
      return other.trade;
    }
    return null;
  }
}

/** Whether rounded amounts differ by at most a hundredth, or slightly more. */
export function isNearAmount(one: number, other: number): boolean {
  return Math.abs(one - other) <= Math.max(one, other) * NEAR_PART;
}

function cancels(one: bigint, other: bigint): boolean {
  const [less, more] = one < other ? [one, other] : [other, one];
  return (more - less) * 100n <= more * PAIR_DIFFERENCE_PERCENT;
}

function inBalancedWindows(trades: readonly CaseTrade[], windowMs: number): readonly CaseTrade[] {
  const windows = Map.groupBy(trades, ({ timeMs }) => Math.floor(timeMs / windowMs));
  return [...windows.values()].filter((window) => churnOf(window) >= CHURN_MIN).flat();
}
