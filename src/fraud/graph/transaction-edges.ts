import { absolute } from '../../lib/decimal.ts';
import type { ChainEvent, Liquidity } from '../../model/chain-event.ts';
import type { GraphEdge } from '../../model/finding-graph.ts';
import { WRAPPED_SOL } from '../../model/program.ts';
import type { TransactionFacts } from '../../model/slot-facts.ts';
import type { Swap } from '../../model/swap.ts';
import { type Address, asLamports, asRawAmount, type Slot } from '../../model/units.ts';
import { liquidityKind } from './build-graph.ts';

/**
 * What a transaction of the log shows about some wallets and a mint. As in the records of cases,
 * trades of a wallet on one pool in one direction are one.
 */
export function transactionEdges(
  { signature, txIndex, events }: TransactionFacts,
  slot: Slot,
  mint: Address,
  wallets: ReadonlySet<Address>,
): GraphEdge[] {
  const ref = { slot, txIndex, signature };
  const edges: GraphEdge[] = [];
  for (const event of events) {
    const edge = edgeOf(event, mint, wallets);
    if (edge === null) continue;
    const known = event.kind === 'swap' ? edges.findIndex((one) => isAlike(one, edge)) : -1;
    const same = edges[known];
    if (same === undefined) edges.push({ ...edge, ...ref });
    else edges[known] = sumOf(same, edge);
  }
  return edges;
}

function isAlike(one: Movement, other: Movement): boolean {
  return one.from === other.from && one.to === other.to && one.kind === other.kind;
}

function sumOf(one: GraphEdge, other: Movement): GraphEdge {
  const isKnown = one.lamports !== null && other.lamports !== null;
  return {
    ...one,
    lamports: isKnown ? asLamports((one.lamports ?? 0n) + (other.lamports ?? 0n)) : null,
    tokensRaw: asRawAmount((one.tokensRaw ?? 0n) + (other.tokensRaw ?? 0n)),
  };
}

type Movement = Omit<GraphEdge, 'slot' | 'txIndex' | 'signature'>;

function edgeOf(event: ChainEvent, mint: Address, wallets: ReadonlySet<Address>): Movement | null {
  if (event.kind === 'swap') return tradeEdge(event, mint, wallets);
  if (event.kind === 'liquidity') return liquidityEdge(event, mint, wallets);
  if (event.kind === 'solTransfer') {
    const { from, to, lamports } = event;
    if (event.transferKind !== 'transfer' || !wallets.has(from) || !wallets.has(to)) return null;
    return { from, to, kind: 'payment', lamports, tokensRaw: null };
  }
  if (event.kind !== 'tokenTransfer' || event.mint !== mint) return null;
  const { fromOwner: from, toOwner: to, amountGross, feeWithheld } = event;
  if (event.transferKind !== 'transfer' || from === null || to === null) return null;
  if (from === to || !wallets.has(from) || !wallets.has(to)) return null;
  const tokensRaw = asRawAmount(amountGross - feeWithheld);
  return { from, to, kind: 'token_transfer', lamports: null, tokensRaw };
}

function tradeEdge(swap: Swap, mint: Address, wallets: ReadonlySet<Address>): Movement | null {
  const { trader, pool, side, baseMint, quoteMint, traderBaseDelta, traderQuoteDelta } = swap;
  if (baseMint !== mint || trader === null || !wallets.has(trader)) return null;
  const quoteRaw = absolute(traderQuoteDelta ?? swap.poolQuoteDelta);
  return {
    from: trader,
    to: pool,
    kind: side,
    // The price of another quote at that time is not in the log.
    lamports: quoteMint === WRAPPED_SOL ? asLamports(quoteRaw) : null,
    tokensRaw: asRawAmount(absolute(traderBaseDelta)),
  };
}

function liquidityEdge(
  event: Liquidity,
  mint: Address,
  wallets: ReadonlySet<Address>,
): Movement | null {
  const { provider, pool, baseMint, quoteMint, poolBaseDelta, poolQuoteDelta } = event;
  if (baseMint !== mint || !wallets.has(provider)) return null;
  const isSol = quoteMint === WRAPPED_SOL && poolQuoteDelta !== 0n;
  return {
    from: provider,
    to: pool,
    kind: liquidityKind(poolBaseDelta, poolQuoteDelta),
    // As of a trade.
    lamports: isSol ? asLamports(absolute(poolQuoteDelta)) : null,
    tokensRaw: asRawAmount(absolute(poolBaseDelta)) || null,
  };
}
