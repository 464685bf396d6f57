import type { CaseTrade } from '../../model/mint-case.ts';
import { byTradeOrder } from './block-order.ts';
import { shareOf } from './shares.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** A purchase and a sale of one wallet that are so close and so alike cancel out (METHODS §7.8). */
const PAIR_MS = 300 * SECOND_MS;
const PAIR_DIFFERENCE_PERCENT = 1n;
/** More than that, by what amounts lose as doubles. */
const NEAR_PART = 0.0101;
/** Of one wallet; fewer are chance. */
const PAIRS_MIN = 3;
/** Spans in which purchases and sales of one hand are added up; the last one is the whole day. */
const WINDOWS_MS = [10 * MINUTE_MS, HOUR_MS] as const;
/** Of all that is traded in a span, the part that cancels out. */
export const CHURN_MIN = 0.9;

/** Trades of one hand that cancel out. */
export interface MatchedTrades {
  /** In block order. */
  readonly trades: readonly CaseTrade[];
  /** 2 · min(bought, sold) by bought and sold, in tokens, 0 to 1. */
  readonly churn: number;
  /** Of the wallet that did it most often, purchases that were paired with a sale of the same. */
  readonly pairs: number;
}

/**
 * The largest of four readings of one hand's day: pairs of one wallet, spans of ten minutes and of an
 * hour, the day as a whole. Null when nothing cancels out. Trades in block order.
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

/** Lamports of both sides. */
export function volumeOf(trades: readonly CaseTrade[]): bigint {
  return trades.reduce((sum, { lamports }) => sum + lamports, 0n);
}

/** 2 · min(bought, sold) by bought and sold, in tokens; 0 for no trades. */
export function churnOf(trades: readonly CaseTrade[]): number {
  let [bought, sold] = [0n, 0n];
  for (const { side, baseRaw } of trades) {
    if (side === 'buy') bought += baseRaw;
    else sold += baseRaw;
  }
  return shareOf(2n * (bought < sold ? bought : sold), bought + sold);
}

/** Of one wallet, every trade with the oldest one of the other side that it cancels. */
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

/** A trade that waits for its partner. The rounded amount spares most exact comparisons. */
interface OpenTrade {
  readonly trade: CaseTrade;
  readonly amount: number;
}

/** Trades of one side that cancel nothing yet, in block order. */
class OpenTrades {
  private readonly waiting: OpenTrade[] = [];
  /** Those before it are too old for whatever comes. */
  private start = 0;

  add(trade: CaseTrade): void {
    this.waiting.push({ trade, amount: Number(trade.baseRaw) });
  }

  /** The oldest one that is cancelled, which then waits no more. */
  takePartner(trade: CaseTrade): CaseTrade | null {
    const { waiting } = this;
    let oldest = waiting[this.start];
    while (oldest !== undefined && trade.timeMs - oldest.trade.timeMs > PAIR_MS) {
      oldest = waiting[++this.start];
    }
    const amount = Number(trade.baseRaw);
    for (let place = this.start; place < waiting.length; place++) {
      const other = waiting[place];
      if (other === undefined || !isNear(other.amount, amount)) continue;
      if (!cancels(other.trade.baseRaw, trade.baseRaw)) continue;
      waiting.splice(place, 1);
      return other.trade;
    }
    return null;
  }
}

/** True for all amounts that differ by no more than a hundredth; false for most others. */
function isNear(one: number, other: number): boolean {
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
