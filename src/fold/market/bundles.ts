import type { ExactBundle } from '../../model/bundle-oracle.ts';
import type { BundledTransaction, BundleLevel } from '../../model/derived.ts';
import type { SlotFacts, TransactionFacts } from '../../model/slot-facts.ts';
import type { Side } from '../../model/swap.ts';
import { type Address, asLamports, type Lamports, type Signature } from '../../model/units.ts';
import { findLaunchCohort, isContiguousFromCreation } from './launch-cohort.ts';
import { firstIndexes, groupName, type PlacedGroups, type PlacedTrade } from './placed-groups.ts';
import { type LamportsOfSwap, type OwnerTrade, tradesByMint } from './slot-trades.ts';
import {
  findTippedRuns,
  isOfSeveral,
  isOneWay,
  REACH,
  readNeighbours,
  type TradeNeighbours,
} from './tipped-runs.ts';

/** The trades of a slot that were placed together. */
export interface PlacedTrades {
  /** One item for each signature and owner, at its most certain level, in block order. */
  readonly bundles: BundledTransaction[];
  /** The groups of these trades. Parts that share a trade form one group. */
  readonly groups: PlacedGroups;
}

/**
 * Finds transactions that were placed together, from the data of one slot (METHODS §3, levels
 * exact, L1, L2 and L2o): trades of an exactly known bundle, several signers buying in one
 * transaction, neighbours that share one Jito tip, and similar buys right after a launch.
 */
export function findPlacedTrades(
  facts: SlotFacts,
  lamportsOf: LamportsOfSwap,
  timeMs: number | null = facts.blockTimeMs,
): PlacedTrades {
  const at = { slot: facts.slot, timeMs };
  const launches = launchIndexes(facts);
  const areBundlesKnown = (facts.exactBundles ?? []).length > 0;
  let slot: SlotTrades | null = null;
  const bundles: BundledTransaction[] = [];
  const groups = new Map<Signature, PlacedTrade[]>();
  for (const [mint, trades] of tradesByMint(facts, lamportsOf)) {
    if (trades.length < 2) continue;
    const launchIndex = launches.get(mint);
    if (launchIndex === undefined && !areBundlesKnown && areApart(trades)) continue;
    slot ??= { neighbours: readNeighbours(facts), bundles: bundlesBySignature(facts) };
    const parts = [...partsOf(trades, slot, launchIndex)];
    const best = bestOf(parts);
    if (best.size === 0) continue;
    const indexes = firstIndexes([
      ...sameTransactions(trades),
      ...parts.map((part) => part.trades),
    ]);
    const tips = tipsOfGroups(parts, indexes);
    for (const [trade, part] of best) {
      const { signature, txIndex } = trade.transaction;
      const index = indexes.get(trade) ?? txIndex;
      const group = { slot: facts.slot, txIndex: index };
      bundles.push(toItem(trade, part, { at, group, tipLamports: tips.get(index) ?? NO_TIP }));
      const { level } = part;
      const id = groupName(mint, index);
      addPlaced(groups, signature, { mint, owner: trade.owner, group: { id, level } });
    }
  }
  return { bundles: bundles.sort(inBlockOrder), groups };
}

function addPlaced(
  groups: Map<Signature, PlacedTrade[]>,
  signature: Signature,
  placed: PlacedTrade,
): void {
  const known = groups.get(signature);
  if (known === undefined) groups.set(signature, [placed]);
  else known.push(placed);
}

/** No two trades share a transaction or are close enough for a tipped run, so no rule applies. */
function areApart(trades: readonly OwnerTrade[]): boolean {
  return !trades.some(({ transaction }, index) => {
    if (!transaction.isIndexKnown) return true;
    const before = trades[index - 1]?.transaction;
    return before !== undefined && transaction.txIndex - before.txIndex <= REACH;
  });
}

/** The `bundles` of `findPlacedTrades`. */
export function findBundles(facts: SlotFacts, lamportsOf: LamportsOfSwap): BundledTransaction[] {
  return findPlacedTrades(facts, lamportsOf).bundles;
}

/** Trades of one mint that one rule found together. */
interface Part {
  readonly trades: readonly OwnerTrade[];
  readonly level: BundleLevel;
  readonly certainty: number;
  /** The transaction whose tip revealed the part, which need not be one of the trades'. */
  readonly tipped?: TransactionFacts;
}

/** Data of a slot that the rules need for the trades of every mint. */
interface SlotTrades {
  readonly neighbours: TradeNeighbours;
  readonly bundles: ReadonlyMap<Signature, ExactBundle>;
}

function* partsOf(
  trades: readonly OwnerTrade[],
  { neighbours, bundles }: SlotTrades,
  launchIndex: number | undefined,
): Iterable<Part> {
  for (const together of tradesOfBundles(trades, bundles)) {
    yield { trades: together, level: 'exact', certainty: 0.99 };
  }
  for (const together of buysTogether(trades)) {
    yield { trades: together, level: 'L1', certainty: 0.99 };
  }
  const placedTrades = trades.filter(({ transaction }) => transaction.isIndexKnown);
  for (const run of findTippedRuns(placedTrades, neighbours)) {
    yield { ...run, level: 'L2', certainty: 0.9 };
  }
  if (launchIndex === undefined) return;
  const cohort = findLaunchCohort(buysBehind(placedTrades, launchIndex));
  const certainty = isContiguousFromCreation(cohort) ? 0.95 : 0.8;
  yield { trades: cohort.map(({ trade }) => trade), level: 'L2o', certainty };
}

/** The most certain part of each trade; the first one in case of a tie. */
function bestOf(parts: readonly Part[]): Map<OwnerTrade, Part> {
  const best = new Map<OwnerTrade, Part>();
  for (const part of parts) {
    for (const trade of part.trades) {
      const known = best.get(trade);
      if (known === undefined || part.certainty > known.certainty) best.set(trade, part);
    }
  }
  return best;
}

/** Trades of one direction within one transaction always belong together. */
function sameTransactions(trades: readonly OwnerTrade[]): Iterable<readonly OwnerTrade[]> {
  return Map.groupBy(trades, ({ transaction, side }) => `${transaction.txIndex} ${side}`).values();
}

/** L1: buys of transactions in which at least two distinct signers bought. */
function* buysTogether(trades: readonly OwnerTrade[]): Iterable<OwnerTrade[]> {
  for (let start = 0; start < trades.length; ) {
    const { transaction } = trades[start] as OwnerTrade;
    let end = start + 1;
    while (trades[end]?.transaction === transaction) end++;
    if (end - start > 1) {
      const buys = trades
        .slice(start, end)
        .filter(({ side, owner }) => side === 'buy' && transaction.signers.includes(owner));
      if (buys.length > 1) yield buys;
    }
    start = end;
  }
}

/** The exactly known bundles in which several owners traded, all in one direction. */
function* tradesOfBundles(
  trades: readonly OwnerTrade[],
  bundles: SlotTrades['bundles'],
): Iterable<OwnerTrade[]> {
  if (bundles.size === 0) return;
  const together = Map.groupBy(trades, ({ transaction }) => bundles.get(transaction.signature));
  for (const [bundle, members] of together) {
    if (bundle !== undefined && isOneWay(members) && isOfSeveral(members)) yield members;
  }
}

function bundlesBySignature({ exactBundles = [] }: SlotFacts): Map<Signature, ExactBundle> {
  const bundles = new Map<Signature, ExactBundle>();
  for (const bundle of exactBundles) {
    for (const signature of bundle.signatures) bundles.set(signature, bundle);
  }
  return bundles;
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
      hasTip: trade.transaction.tips.some(({ provider }) => provider === 'jito'),
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
  { mint, owner, lamports, side, transaction }: OwnerTrade,
  { level, certainty }: Part,
  { at, group, tipLamports }: ItemPlace,
): BundledTransaction {
  const { slot, timeMs } = at;
  const { txIndex, signature } = transaction;
  return {
    mint,
    slot,
    txIndex,
    signature,
    owner,
    lamports,
    side,
    level,
    certainty,
    foundSlot: slot,
    timeMs,
    group,
    tipLamports,
  };
}

interface ItemPlace extends Pick<BundledTransaction, 'group' | 'tipLamports'> {
  readonly at: Pick<BundledTransaction, 'slot' | 'timeMs'>;
}

const NO_TIP = asLamports(0n);

/** The Jito tips of all transactions of each group, by the index of its first transaction. */
function tipsOfGroups(
  parts: readonly Part[],
  indexes: ReadonlyMap<OwnerTrade, number>,
): Map<number, Lamports> {
  const transactions = new Map<number, Set<TransactionFacts>>();
  for (const { trades, tipped } of parts) {
    for (const trade of trades) {
      const index = indexes.get(trade) ?? trade.transaction.txIndex;
      const ofGroup = transactions.get(index) ?? new Set();
      transactions.set(index, ofGroup.add(trade.transaction));
      if (tipped !== undefined) ofGroup.add(tipped);
    }
  }
  return new Map([...transactions].map(([index, ofGroup]) => [index, tipOf(ofGroup)]));
}

function tipOf(transactions: Iterable<TransactionFacts>): Lamports {
  let sum = 0n;
  for (const { tips } of transactions) {
    for (const { provider, lamports } of tips) if (provider === 'jito') sum += lamports;
  }
  return asLamports(sum);
}

function inBlockOrder(one: BundledTransaction, other: BundledTransaction): number {
  if (one.txIndex !== other.txIndex) return one.txIndex - other.txIndex;
  if (one.mint !== other.mint) return one.mint < other.mint ? -1 : 1;
  return one.owner < other.owner ? -1 : 1;
}
