import type { SlotFacts, TransactionFacts } from '../../model/slot-facts.ts';
import type { OwnerTrade } from './slot-trades.ts';

/**
 * Neighbours that share one Jito tip (METHODS §3, level L2).
 *
 * A bundle lands as 2–5 successful transactions at consecutive block indices. Indices count every
 * transaction of the block including votes, and so does the rule: 20 of the 26 recorded bundled
 * launches are exactly at creation + 1 … + 4, so a vote or a failed transaction in between ends a
 * run. Members are trades of the mint and transactions without any swap (the creation, a separate
 * tip); a trade of another mint also ends the run.
 */

/** A Jito bundle has at most five transactions, so the last is at most four after the first. */
export const REACH = 4;

/** Successful transactions by block index: the rule reads those around trades. */
export type TradeNeighbours = ReadonlyMap<number, TransactionFacts>;

/** Successful transactions whose block index is known. */
export function readNeighbours(facts: SlotFacts): TradeNeighbours {
  const neighbours = new Map<number, TransactionFacts>();
  for (const transaction of facts.transactions) {
    if (transaction.error !== null || !transaction.isIndexKnown) continue;
    neighbours.set(transaction.txIndex, transaction);
  }
  return neighbours;
}

/** Trades around one transaction with a tip, which may be none of theirs. */
export interface TippedRun {
  readonly trades: readonly OwnerTrade[];
  readonly tipped: TransactionFacts;
}

/**
 * Finds the runs among one mint's trades, which must be in block order with known indices. Each run
 * is around one transaction with a tip. Of the spans of five around it, those with the most trades
 * are evaluated: if one of them contains both directions, it is a sandwich or an arbitrage and
 * there is no run, regardless of the side of the opposite trade. Otherwise the run is the longest
 * span between the neighbouring tips, whose transactions are unrelated; it needs two transactions
 * and two owners. A trade within reach of two tips belongs to the later one, because bundles tip at
 * the end.
 */
export function findTippedRuns(
  trades: readonly OwnerTrade[],
  neighbours: TradeNeighbours,
): TippedRun[] {
  if (!hasNeighbours(trades)) return [];
  const block = { tradesAt: Map.groupBy(trades, indexOf), neighbours };
  const taken = new Set<OwnerTrade>();
  const runs: TippedRun[] = [];
  for (const tip of tipsNear(block)) {
    const run = runAround(tip, block).filter((item) => !taken.has(item));
    const tipped = neighbours.get(tip);
    if (tipped === undefined || !isOfSeveral(run)) continue;
    for (const trade of run) taken.add(trade);
    runs.unshift({ trades: run, tipped });
  }
  return runs;
}

/** Whether any two transactions are close enough to be in one run. */
function hasNeighbours(trades: readonly OwnerTrade[]): boolean {
  let before = trades[0]?.transaction;
  for (const { transaction } of trades) {
    if (transaction === before) continue;
    if (before !== undefined && transaction.txIndex - before.txIndex <= REACH) return true;
    before = transaction;
  }
  return false;
}

/** The trades of one mint in a block, and all neighbours. */
interface MintBlock {
  readonly tradesAt: ReadonlyMap<number, OwnerTrade[]>;
  readonly neighbours: TradeNeighbours;
}

/** Indices of transactions with exactly one tip within reach of a trade, last first. */
function tipsNear({ tradesAt, neighbours }: MintBlock): number[] {
  const tips = new Set<number>();
  for (const index of tradesAt.keys()) {
    for (let near = index - REACH; near <= index + REACH; near++) {
      if (jitoTipsAt(near, neighbours) === 1) tips.add(near);
    }
  }
  return [...tips].sort((one, other) => other - one);
}

/** The trades that belong to a tip; none if both directions are around it. */
function runAround(tip: number, block: MintBlock): OwnerTrade[] {
  if (!isLink(tip, block)) return [];
  const first = reachFrom(tip, -1, block);
  const last = reachFrom(tip, 1, block);
  if (!isOfSeveral(tradesIn(first, last, block))) return [];
  const spans: OwnerTrade[][] = [];
  for (let start = first; start <= tip; start++) {
    spans.push(tradesIn(start, Math.min(start + REACH, last), block));
  }
  const most = Math.max(...spans.map(({ length }) => length));
  if (spans.some((span) => span.length === most && !isOneWay(span))) return [];
  return longestRun(spans.map((span) => betweenTips(span, tip, block)));
}

/** The longest span that qualifies as a run; the first one in case of a tie. */
function longestRun(spans: readonly OwnerTrade[][]): OwnerTrade[] {
  let longest: OwnerTrade[] = [];
  for (const span of spans) {
    if (span.length > longest.length && isOneWay(span) && isOfSeveral(span)) longest = span;
  }
  return longest;
}

function betweenTips(span: OwnerTrade[], tip: number, block: MintBlock): OwnerTrade[] {
  const low = nextTip(tip, -1, block);
  const high = nextTip(tip, 1, block);
  return span.filter((trade) => indexOf(trade) > low && indexOf(trade) < high);
}

/** The last index of a run in one direction from an index, without a gap, at most four away. */
function reachFrom(from: number, step: 1 | -1, block: MintBlock): number {
  let index = from;
  while (Math.abs(index - from) < REACH && isLink(index + step, block)) index += step;
  return index;
}

/** Index of the nearest other transaction with a tip; an index out of reach if there is none. */
function nextTip(from: number, step: 1 | -1, { neighbours }: MintBlock): number {
  let index = from + step;
  while (Math.abs(index - from) <= REACH && jitoTipsAt(index, neighbours) === 0) index += step;
  return index;
}

function tradesIn(first: number, last: number, { tradesAt }: MintBlock): OwnerTrade[] {
  const found: OwnerTrade[] = [];
  for (let index = first; index <= last; index++) found.push(...(tradesAt.get(index) ?? []));
  return found;
}

function isLink(index: number, { tradesAt, neighbours }: MintBlock): boolean {
  return tradesAt.has(index) || hasNoSwap(neighbours.get(index));
}

export function isOneWay(span: readonly OwnerTrade[]): boolean {
  return span.every(({ side }) => side === span[0]?.side);
}

/** At least two transactions and two owners. */
export function isOfSeveral(run: readonly OwnerTrade[]): boolean {
  const first = run[0];
  return (
    run.some(({ owner }) => owner !== first?.owner) &&
    run.some(({ transaction }) => transaction !== first?.transaction)
  );
}

function indexOf({ transaction }: OwnerTrade): number {
  return transaction.txIndex;
}

/** Number of Jito tips of the transaction at a block index; 0 when there is none. */
function jitoTipsAt(index: number, neighbours: TradeNeighbours): number {
  let count = 0;
  for (const { provider } of neighbours.get(index)?.tips ?? []) if (provider === 'jito') count++;
  return count;
}

function hasNoSwap(transaction: TransactionFacts | undefined): boolean {
  return transaction !== undefined && !transaction.events.some(({ kind }) => kind === 'swap');
}
