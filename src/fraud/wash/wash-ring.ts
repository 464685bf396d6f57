import type { CaseTrade, MintCase } from '../../model/mint-case.ts';
import type { Address } from '../../model/units.ts';
import { TRADE_LINKS } from '../groups/crew.ts';
import type { Cluster, Clusters } from '../links/clusters.ts';
import { orderCase, within } from '../readings/case-order.ts';
import { type MatchedTrades, matchTrades, volumeOf } from '../readings/matched-trades.ts';
import { shareOf } from '../readings/shares.ts';
import { readCycles, type TradeCycles } from '../readings/trade-cycles.ts';
import { isTrader } from '../readings/traders.ts';
import type { CaseReading } from '../scoring/detector.ts';
import type { Gates } from '../scoring/scoring-card.ts';

/** METHODS §7.8. */
export const WASH_GATES = {
  dayMs: { value: 24 * 3_600_000, reason: 'Volume is published and compared by the day.' },
  matchedUsdMin: { value: 1_000, reason: 'Smaller volumes do not influence rankings.' },
  matchedShareMin: {
    value: 0.1,
    reason: "A tenth of a pool's daily volume changes its place in rankings.",
  },
  roundsMin: {
    value: 3,
    reason:
      'A group that buys once and sells once also has offsetting volume: it closed its ' +
      'positions.',
  },
  loneRoundsMin: {
    value: 10,
    reason: 'A single trader may reverse a position three times, but not ten.',
  },
} as const satisfies Gates;

/** Features of a ring. */
export type WashFeature =
  | 'share'
  | 'churn'
  | 'uneconomic'
  | 'funding'
  | 'regularity'
  | 'atomic'
  | 'loop'
  | 'arbitrage'
  | 'maker';

/** Data shared by all rings of one mint. */
export interface WashContext {
  readonly mintCase: MintCase;
  readonly clusters: Clusters;
  /** Trades of the last day, in block order. */
  readonly day: readonly CaseTrade[];
  readonly dayLamports: bigint;
}

/** One owner whose trades of a day cancel out. */
export interface WashRing {
  /** Null for a single wallet. */
  readonly cluster: Cluster | null;
  /** Wallets with matched trades, by address. */
  readonly wallets: readonly Address[];
  /** All of its trades of the day, in block order. */
  readonly trades: readonly CaseTrade[];
  readonly matched: MatchedTrades;
  readonly cycles: TradeCycles;
  /** Part of the day's volume, 0 to 1. */
  readonly share: number;
}

export function toContext(reading: CaseReading): WashContext {
  const mintCase = orderCase(reading.mintCase);
  const day = within(
    mintCase.trades,
    mintCase.timeMs - WASH_GATES.dayMs.value + 1,
    mintCase.timeMs,
  );
  const clusters = reading.clusters(TRADE_LINKS);
  return { mintCase, clusters, day, dayLamports: volumeOf(day) };
}

/** Clusters and unclustered wallets with wash trades. */
export function findRings(context: WashContext): readonly WashRing[] {
  const { mintCase, clusters, day } = context;
  const byOwner = Map.groupBy(
    day.filter(({ wallet }) => isTrader(mintCase, wallet)),
    ({ wallet }) => clusters.of(wallet)?.root ?? wallet,
  );
  return [...byOwner].flatMap(([root, trades]) => {
    const cluster = clusters.of(root);
    return toRing(context, cluster, trades) ?? [];
  });
}

function toRing(
  context: WashContext,
  cluster: Cluster | null,
  trades: readonly CaseTrade[],
): WashRing | null {
  if (!mayPass(context, trades)) return null;
  const matched = matchTrades(trades);
  if (matched === null) return null;
  const share = shareOf(volumeOf(matched.trades), context.dayLamports);
  if (share < WASH_GATES.matchedShareMin.value) return null;
  const usd = usdOf(context.mintCase, matched.trades);
  if (usd === null || usd < WASH_GATES.matchedUsdMin.value) return null;
  const wallets = [...new Set(matched.trades.map(({ wallet }) => wallet))].sort();
  const isAlone = wallets.length < 2;
  const rounds = Math.max(readCycles(matched.trades, 0).count, matched.pairs);
  const gate = isAlone ? WASH_GATES.loneRoundsMin : WASH_GATES.roundsMin;
  if (rounds < gate.value) return null;
  const cycles = readCycles(trades, lastLamportsPerRaw(context));
  return { cluster, wallets, trades, matched, cycles, share };
}

/** Upper bound of the relative error of sums of doubles. */
const SUM_ERROR = 1e-6;

/**
 * Cheap check before matching: false only if no subset of these trades can pass the gates. Matched
 * trades are a subset with both sides, and have no larger share, dollar value or number of rounds.
 */
function mayPass({ mintCase, dayLamports }: WashContext, trades: readonly CaseTrade[]): boolean {
  if (trades.length < 2 * WASH_GATES.roundsMin.value) return false;
  const [first] = trades;
  if (trades.every(({ side }) => side === first?.side)) return false;
  if (shareOf(volumeOf(trades), dayLamports) < WASH_GATES.matchedShareMin.value) return false;
  const usd = usdOf(mintCase, trades);
  return usd === null || usd >= WASH_GATES.matchedUsdMin.value * (1 - SUM_ERROR);
}

/**
 * Dollar value of trades, at the case's price of SOL for trades without one; null if both are
 * unknown.
 */
export function usdOf({ market }: MintCase, trades: readonly CaseTrade[]): number | null {
  let usd = 0;
  for (const trade of trades) {
    if (trade.usd !== null) usd += Number(trade.usd) / 1e9;
    else if (market?.solUsd == null) return null;
    else usd += (Number(trade.lamports) / 1e9) * market.solUsd;
  }
  return usd;
}

function lastLamportsPerRaw({ mintCase, day }: WashContext): number {
  const last = day.findLast(({ priceSol }) => priceSol !== null);
  return ((last?.priceSol ?? 0) * 1e9) / 10 ** mintCase.decimals;
}
