import type { CaseTrade, MintCase } from '../../model/mint-case.ts';
import type { Address } from '../../model/units.ts';
import type { CaseReading } from '../contract/detector.ts';
import { TRADE_LINKS } from '../groups/crew.ts';
import type { Cluster, Clusters } from '../links/clusters.ts';
import { orderCase, within } from '../readings/case-order.ts';
import { type MatchedTrades, matchTrades, volumeOf } from '../readings/matched-trades.ts';
import { shareOf } from '../readings/shares.ts';
import { readCycles, type TradeCycles } from '../readings/trade-cycles.ts';
import { readRounds, type TradeRound } from '../readings/trade-rounds.ts';
import { isTrader } from '../readings/traders.ts';
import type { Gates } from '../scoring/scoring-card.ts';
import { findHandOverRings, HAND_OVER_GATES } from './hand-overs.ts';
import { ROUND_GATES } from './ring-rounds.ts';

/** METHODS §7.8 and §13.3. */
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
  ...ROUND_GATES,
  ...HAND_OVER_GATES,
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
  /** Volume of the last day by pool. */
  readonly poolLamports: ReadonlyMap<Address, bigint>;
}

/** One owner whose trades of a day cancel out. */
export interface WashRing {
  /** The largest linked part of its wallets; null when none are linked. */
  readonly cluster: Cluster | null;
  /** Wallets with matched trades, by address. */
  readonly wallets: readonly Address[];
  /** All of its trades of the day, in block order. */
  readonly trades: readonly CaseTrade[];
  readonly matched: MatchedTrades;
  /** Over the matched trades. */
  readonly cycles: TradeCycles;
  /** Over the matched trades that are no leg of a route over several pools. */
  readonly rounds: readonly TradeRound[];
  /** Part of the day's volume of the pools it traded in, 0 to 1. */
  readonly share: number;
}

export function toContext(reading: CaseReading): WashContext {
  const mintCase = orderCase(reading.mintCase);
  const day = within(
    mintCase.trades,
    mintCase.timeMs - WASH_GATES.dayMs.value + 1,
    mintCase.timeMs,
  );
  const poolLamports = new Map<Address, bigint>();
  for (const { pool, lamports } of day) {
    poolLamports.set(pool, (poolLamports.get(pool) ?? 0n) + lamports);
  }
  return { mintCase, clusters: reading.clusters(TRADE_LINKS), day, poolLamports };
}

/** Owners with wash trades: linked wallets, wallets that pass a position around, single wallets. */
export function findRings(context: WashContext): readonly WashRing[] {
  const { mintCase, day } = context;
  const ownerOf = ownersOf(context);
  const byOwner = Map.groupBy(
    day.filter(({ wallet }) => isTrader(mintCase, wallet)),
    ({ wallet }) => ownerOf(wallet),
  );
  return [...byOwner.values()].flatMap((trades) => toRing(context, trades) ?? []);
}

/**
 * One name for all wallets of an owner. Wallets that hand a position over to each other are one
 * owner, with all that are linked to them.
 */
function ownersOf({ mintCase, clusters, day }: WashContext): (wallet: Address) => Address {
  const linkedOf = (wallet: Address): Address => clusters.of(wallet)?.root ?? wallet;
  const joined = new Map<Address, Address>();
  const rootOf = (name: Address): Address => {
    let root = name;
    for (let next = joined.get(root); next !== undefined; next = joined.get(root)) root = next;
    return root;
  };
  for (const { wallets } of findHandOverRings(mintCase, day)) {
    const [first, ...others] = new Set([...wallets].map((wallet) => rootOf(linkedOf(wallet))));
    for (const other of others) if (first !== undefined) joined.set(other, first);
  }
  return (wallet) => rootOf(linkedOf(wallet));
}

function toRing(context: WashContext, trades: readonly CaseTrade[]): WashRing | null {
  if (!mayPass(context, trades)) return null;
  const matched = matchTrades(trades);
  if (matched === null) return null;
  const share = dayShare(context, matched.trades);
  if (share < WASH_GATES.matchedShareMin.value) return null;
  const usd = usdOf(context.mintCase, matched.trades);
  if (usd === null || usd < WASH_GATES.matchedUsdMin.value) return null;
  const wallets = [...new Set(matched.trades.map(({ wallet }) => wallet))].sort();
  const isAlone = wallets.length < 2;
  const cycles = readCycles(matched.trades, lastLamportsPerRaw(context));
  const gate = isAlone ? WASH_GATES.loneRoundsMin : WASH_GATES.roundsMin;
  if (Math.max(cycles.count, matched.pairs) < gate.value) return null;
  const cluster = largestPart(context.clusters, wallets);
  const rounds = readRounds(matched.trades.filter(({ isArbitrage }) => !isArbitrage));
  return { cluster, wallets, trades, matched, cycles, rounds, share };
}

/** The cluster of most of these wallets, by address; null when none is linked. */
function largestPart(clusters: Clusters, wallets: readonly Address[]): Cluster | null {
  const parts = Map.groupBy(wallets, (wallet) => clusters.of(wallet));
  parts.delete(null);
  let largest: Cluster | null = null;
  let count = 0;
  for (const [cluster, { length }] of parts) {
    if (length > count) [largest, count] = [cluster, length];
  }
  return largest;
}

/** Part of the day's volume in the pools that these trades were made in. */
function dayShare({ poolLamports }: WashContext, trades: readonly CaseTrade[]): number {
  let whole = 0n;
  for (const pool of new Set(trades.map((trade) => trade.pool))) {
    whole += poolLamports.get(pool) ?? 0n;
  }
  return shareOf(volumeOf(trades), whole);
}

/** Upper bound of the relative error of sums of doubles. */
const SUM_ERROR = 1e-6;

/**
 * Cheap check before matching: false only if no subset of these trades can pass the gates. Matched
 * trades are a subset with both sides, and have no larger dollar value or number of rounds. Their
 * share is at most that in the pool where the owner has the largest one.
 */
function mayPass(context: WashContext, trades: readonly CaseTrade[]): boolean {
  if (trades.length < 2 * WASH_GATES.roundsMin.value) return false;
  const [first] = trades;
  if (trades.every(({ side }) => side === first?.side)) return false;
  const byPool = Map.groupBy(trades, ({ pool }) => pool);
  const shares = [...byPool.values()].map((own) => dayShare(context, own));
  if (Math.max(...shares) < WASH_GATES.matchedShareMin.value) return false;
  const usd = usdOf(context.mintCase, trades);
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
