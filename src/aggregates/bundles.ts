import type { Side } from '../model/chain-event.ts';
import type { BundledTransaction, BundleLevel } from '../model/derived.ts';
import type { SlotFacts } from '../model/slot-facts.ts';
import type { Address } from '../model/units.ts';
import { findLaunchCohort, isContiguousFromCreation } from './launch-cohort.ts';
import { type LamportsOfSwap, type OwnerTrade, tradesByMint } from './slot-trades.ts';
import { findTippedRuns, readNeighbours, type TradeNeighbours } from './tipped-runs.ts';

/**
 * Transactions that were placed together, as far as one slot shows it (METHODS §3, levels L1, L2
 * and L2o): several signers buying in one transaction, neighbours sharing one Jito tip, alike buys
 * right behind a launch. One item for each signature and owner, at its most certain level, in block
 * order.
 */
export function findBundles(facts: SlotFacts, lamportsOf: LamportsOfSwap): BundledTransaction[] {
  const launches = launchIndexes(facts);
  let neighbours: TradeNeighbours | null = null;
  const found: BundledTransaction[] = [];
  for (const [mint, trades] of tradesByMint(facts, lamportsOf)) {
    if (trades.length < 2) continue;
    neighbours ??= readNeighbours(facts);
    const best = new Map<OwnerTrade, Placed>();
    for (const placed of placements(trades, neighbours, launches.get(mint))) keepBest(best, placed);
    for (const { trade, level, certainty } of best.values()) {
      found.push(toItem(facts, trade, level, certainty));
    }
  }
  return found.sort(inBlockOrder);
}

interface Placed {
  readonly trade: OwnerTrade;
  readonly level: BundleLevel;
  readonly certainty: number;
}

function* placements(
  trades: readonly OwnerTrade[],
  neighbours: TradeNeighbours,
  launchIndex: number | undefined,
): Iterable<Placed> {
  for (const trade of buysTogether(trades)) yield { trade, level: 'L1', certainty: 0.99 };
  const placedTrades = trades.filter(({ transaction }) => transaction.isIndexKnown);
  for (const run of findTippedRuns(placedTrades, neighbours)) {
    for (const trade of run) yield { trade, level: 'L2', certainty: 0.9 };
  }
  if (launchIndex === undefined) return;
  const cohort = findLaunchCohort(buysBehind(placedTrades, launchIndex));
  const certainty = isContiguousFromCreation(cohort) ? 0.95 : 0.8;
  for (const { trade } of cohort) yield { trade, level: 'L2o', certainty };
}

function keepBest(best: Map<OwnerTrade, Placed>, placed: Placed): void {
  const known = best.get(placed.trade);
  if (known === undefined || placed.certainty > known.certainty) best.set(placed.trade, placed);
}

/** L1: buys of transactions in which at least two distinct signers bought. */
function buysTogether(trades: readonly OwnerTrade[]): OwnerTrade[] {
  const together: OwnerTrade[] = [];
  for (let start = 0; start < trades.length; ) {
    const { transaction } = trades[start] as OwnerTrade;
    let end = start + 1;
    while (trades[end]?.transaction === transaction) end++;
    if (end - start > 1) {
      const buys = trades
        .slice(start, end)
        .filter(({ side, owner }) => side === 'buy' && transaction.signers.includes(owner));
      if (buys.length > 1) together.push(...buys);
    }
    start = end;
  }
  return together;
}

function buysBehind(trades: readonly OwnerTrade[], launchIndex: number) {
  const buy: Side = 'buy';
  return trades
    .filter(({ side, transaction }) => side === buy && transaction.txIndex > launchIndex)
    .map((trade) => ({
      trade,
      offset: trade.transaction.txIndex - launchIndex,
      owner: trade.owner,
      lamports: trade.lamports,
    }));
}

/** Block index of the transaction that created each mint of the slot. */
function launchIndexes(facts: SlotFacts): Map<Address, number> {
  const indexes = new Map<Address, number>();
  for (const { isIndexKnown, events, txIndex } of facts.transactions) {
    if (!isIndexKnown) continue;
    for (const event of events) {
      if (event.kind === 'mintCreated' || event.kind === 'launch') indexes.set(event.mint, txIndex);
    }
  }
  return indexes;
}

function toItem(
  facts: SlotFacts,
  trade: OwnerTrade,
  level: BundleLevel,
  certainty: number,
): BundledTransaction {
  return {
    mint: trade.mint,
    slot: facts.slot,
    txIndex: trade.transaction.txIndex,
    signature: trade.transaction.signature,
    owner: trade.owner,
    lamports: trade.lamports,
    side: trade.side,
    level,
    certainty,
  };
}

function inBlockOrder(one: BundledTransaction, other: BundledTransaction): number {
  if (one.txIndex !== other.txIndex) return one.txIndex - other.txIndex;
  if (one.mint !== other.mint) return one.mint < other.mint ? -1 : 1;
  return one.owner < other.owner ? -1 : 1;
}
