import { absolute } from '../../lib/decimal.ts';
import type { FindingGraph, GraphEdge, GraphNode, WalletLinks } from '../../model/finding-graph.ts';
import { GRAPH_EDGES_MAX } from '../../model/finding-graph.ts';
import type { Classification } from '../../model/fraud.ts';
import type { CaseLiquidity, CaseTrade, TransactionRef } from '../../model/mint-case.ts';
import { type Address, asLamports, asRawAmount } from '../../model/units.ts';
import { compareText } from '../readings/block-order.ts';
import { evidenceSignatures } from './evidence-transactions.ts';

/**
 * The graph of a finding: what was recorded about its wallets, and `found`, what the log shows about
 * the transactions of its evidence that are not recorded any more. A relation of the evidence is an
 * edge of its own only where no transaction connects its two wallets.
 */
export function buildGraph(
  classification: Classification,
  links: WalletLinks,
  found: readonly GraphEdge[],
): FindingGraph {
  const { finding, decimals } = classification;
  const recorded = recordedEdges(links);
  const chain = [...recorded, ...found].sort(inChainOrder);
  const edges = [...chain, ...relationEdges(classification, chain)].slice(0, GRAPH_EDGES_MAX);
  const shown = new Set(edges.map(({ signature }) => signature));
  const involved = new Map(finding.wallets.map((wallet) => [wallet.address, wallet]));
  const others = new Set(edges.flatMap(({ from, to }) => [from, to]).filter(isNotIn(involved)));
  const pools = new Set(edges.filter(isOnPool).map(({ to }) => to));
  const nodeOf = (address: Address): GraphNode => ({
    address,
    involved: involved.get(address) ?? null,
    class: links.classes.get(address) ?? (pools.has(address) ? 'pool' : null),
  });
  return {
    nodes: [...involved.keys(), ...[...others].sort(compareText)].map(nodeOf),
    edges,
    unresolved: evidenceSignatures(classification).filter((signature) => !shown.has(signature)),
    decimals,
  };
}

const ON_POOL: readonly GraphEdge['kind'][] = [
  'buy',
  'sell',
  'liquidity_added',
  'liquidity_removed',
];

function isOnPool({ kind }: GraphEdge): boolean {
  return ON_POOL.includes(kind);
}

function isNotIn(known: ReadonlyMap<Address, unknown>): (address: Address) => boolean {
  return (address) => !known.has(address);
}

/** The edges of what is recorded about wallets. */
export function recordedEdges({
  trades,
  transfers,
  liquidity,
  payments,
}: WalletLinks): GraphEdge[] {
  return [
    ...payments.map(({ from, to, lamports, ...ref }): GraphEdge => {
      return { from, to, kind: 'payment', lamports, tokensRaw: null, ...placeOf(ref) };
    }),
    ...transfers.map(({ from, to, amountRaw: tokensRaw, ...ref }): GraphEdge => {
      return { from, to, kind: 'token_transfer', lamports: null, tokensRaw, ...placeOf(ref) };
    }),
    ...trades.map(tradeEdge),
    ...liquidity.map(liquidityEdge),
  ];
}

function tradeEdge(trade: CaseTrade): GraphEdge {
  const { wallet: from, pool: to, side: kind, lamports, baseRaw: tokensRaw } = trade;
  // A case counts a quote of unknown price as 0.
  return { from, to, kind, lamports: lamports || null, tokensRaw, ...placeOf(trade) };
}

function liquidityEdge({ provider: from, pool: to, ...change }: CaseLiquidity): GraphEdge {
  const { baseRaw, lamports } = change;
  return {
    ...{ from, to, kind: liquidityKind(baseRaw, lamports) },
    // A case counts a quote of unknown price as 0.
    lamports: asLamports(absolute(lamports)) || null,
    tokensRaw: asRawAmount(absolute(baseRaw)) || null,
    ...placeOf(change),
  };
}

/** The kind of an edge for signed changes of a pool's reserves: below zero is taken out. */
export function liquidityKind(
  base: bigint,
  quote: bigint,
): 'liquidity_added' | 'liquidity_removed' {
  return base < 0n || quote < 0n ? 'liquidity_removed' : 'liquidity_added';
}

function placeOf({ slot, txIndex, signature }: TransactionRef) {
  return { slot, txIndex, signature };
}

function relationEdges({ finding }: Classification, chain: readonly GraphEdge[]): GraphEdge[] {
  const connected = new Set(chain.map(({ from, to }) => pairOf(from, to)));
  const relations = new Map<string, GraphEdge>();
  for (const { payload } of finding.evidence) {
    if (payload.kind !== 'wallet_relation') continue;
    const { sourceWallet: from, relatedWallets, relationship: kind } = payload;
    for (const to of relatedWallets) {
      if (connected.has(pairOf(from, to))) continue;
      const unknown = { lamports: null, tokensRaw: null, slot: null, txIndex: null };
      relations.set(`${from} ${to} ${kind}`, { from, to, kind, ...unknown, signature: null });
    }
  }
  return [...relations.values()];
}

function pairOf(one: Address, other: Address): string {
  return one < other ? `${one} ${other}` : `${other} ${one}`;
}

function inChainOrder(one: GraphEdge, other: GraphEdge): number {
  return (
    (one.slot ?? 0) - (other.slot ?? 0) ||
    (one.txIndex ?? 0) - (other.txIndex ?? 0) ||
    compareText(one.kind, other.kind) ||
    compareText(one.from, other.from) ||
    compareText(one.to, other.to)
  );
}
