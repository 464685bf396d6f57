import type { SlotFacts, TransactionFacts } from '../model/slot-facts.ts';
import type { OwnerTrade } from './slot-trades.ts';

/**
 * Neighbours that share one Jito tip (METHODS §3, level L2).
 *
 * A bundle lands as 2–5 successful transactions at consecutive block indices. Indices count every
 * transaction of the block, votes too, and so does the rule: 20 of the 26 recorded bundled launches
 * sit at creation + 1 … + 4 exactly, so a vote or a failed transaction in between ends a run.
 * Members are trades of the mint and transactions without any swap (the creation, a lone tip); a
 * trade of something else ends the run as well.
 */

/** Longest bundle Jito takes, in transactions. */
const RUN_LENGTH_MAX = 5;

/** What a run needs to know of the transactions around its trades, by block index. */
export type TradeNeighbours = ReadonlyMap<number, Neighbour>;

interface Neighbour {
  readonly jitoTips: number;
  readonly hasSwap: boolean;
}

/** Successful transactions whose block index is known. */
export function readNeighbours(facts: SlotFacts): TradeNeighbours {
  const neighbours = new Map<number, Neighbour>();
  for (const transaction of facts.transactions) {
    if (transaction.error !== null || !transaction.isIndexKnown) continue;
    neighbours.set(transaction.txIndex, {
      jitoTips: jitoTipsOf(transaction),
      hasSwap: transaction.events.some(({ kind }) => kind === 'swap'),
    });
  }
  return neighbours;
}

/**
 * The runs among one mint's trades, which are in block order and have known indices. From each
 * trade on, the run is everything within reach of five; it counts when all of it goes one way, two
 * owners trade and exactly one tip is paid. Both directions within reach are a sandwich or an
 * arbitrage; one tip each are strangers side by side.
 */
export function findTippedRuns(
  trades: readonly OwnerTrade[],
  neighbours: TradeNeighbours,
): OwnerTrade[][] {
  const runs: OwnerTrade[][] = [];
  for (let start = 0; start < trades.length; ) {
    const reach = trades.slice(start, reachOf(trades, start, neighbours));
    const run = isTogether(reach) ? tippedPart(reach, neighbours) : [];
    if (isTogether(run)) {
      runs.push(run);
      start += run.length;
    } else start = nextTransaction(trades, start);
  }
  return runs;
}

/** Index in `trades` behind the last one that can be in a run with the one at `start`. */
function reachOf(
  trades: readonly OwnerTrade[],
  start: number,
  neighbours: TradeNeighbours,
): number {
  const firstIndex = indexOf(trades[start]);
  let index = firstIndex;
  let end = start + 1;
  for (; end < trades.length; end++) {
    const next = indexOf(trades[end]);
    if (next - firstIndex >= RUN_LENGTH_MAX) break;
    while (index + 1 < next && isSilent(neighbours, index + 1)) index++;
    if (index + 1 < next) break;
    index = next;
  }
  return end;
}

/** What of the trades shares one tip: all of them, those that fit behind a tip in front, or none. */
function tippedPart(reach: OwnerTrade[], neighbours: TradeNeighbours): OwnerTrade[] {
  const first = indexOf(reach[0]);
  const last = indexOf(reach[reach.length - 1]);
  let tips = 0;
  for (let index = first; index <= last; index++) tips += neighbours.get(index)?.jitoTips ?? 0;
  if (tips > 0) return tips === 1 ? reach : [];
  const behind = nearestTip(last, 1, neighbours);
  if (behind !== null && behind - first < RUN_LENGTH_MAX) return reach;
  const front = nearestTip(first, -1, neighbours);
  if (front === null) return [];
  return reach.filter((trade) => indexOf(trade) - front < RUN_LENGTH_MAX);
}

/** Index of the next silent neighbour in a direction that pays, if it pays one tip; else null. */
function nearestTip(from: number, step: 1 | -1, neighbours: TradeNeighbours): number | null {
  for (let distance = 1; distance < RUN_LENGTH_MAX; distance++) {
    const index = from + step * distance;
    if (!isSilent(neighbours, index)) return null;
    const tips = neighbours.get(index)?.jitoTips ?? 0;
    if (tips > 0) return tips === 1 ? index : null;
  }
  return null;
}

function isSilent(neighbours: TradeNeighbours, index: number): boolean {
  return neighbours.get(index)?.hasSwap === false;
}

/** At least two transactions and two owners, all in one direction. */
function isTogether(run: readonly OwnerTrade[]): boolean {
  const first = run[0];
  return (
    run.every(({ side }) => side === first?.side) &&
    run.some(({ owner }) => owner !== first?.owner) &&
    run.some(({ transaction }) => transaction !== first?.transaction)
  );
}

function nextTransaction(trades: readonly OwnerTrade[], start: number): number {
  const index = indexOf(trades[start]);
  let next = start + 1;
  while (next < trades.length && indexOf(trades[next]) === index) next++;
  return next;
}

function indexOf(trade: OwnerTrade | undefined): number {
  return trade?.transaction.txIndex ?? -1;
}

function jitoTipsOf({ tips }: TransactionFacts): number {
  return tips.filter(({ provider }) => provider === 'jito').length;
}
