import type { ChainEvent } from '../../model/chain-event.ts';
import type { SlotFacts, TransactionFacts } from '../../model/slot-facts.ts';
import type { AttributedSwap, Side, Swap } from '../../model/swap.ts';
import { type Address, asLamports, type Lamports } from '../../model/units.ts';

/** The net result of one owner's swaps of one mint in one transaction. */
export interface OwnerTrade {
  readonly transaction: TransactionFacts;
  readonly mint: Address;
  readonly owner: Address;
  readonly side: Side;
  /** Absolute wallet-side SOL change; 0 if the quote has no known SOL value. */
  readonly lamports: Lamports;
}

/**
 * Signed wallet-side change of one swap in lamports, for any quote; null if unknown.
 */
export type LamportsOfSwap = (swap: Swap) => bigint | null;

/**
 * The trades of a slot by mint; mints and trades are in block order. Excludes failed transactions,
 * quarantined swaps, round trips and intermediate hops.
 */
export function tradesByMint(
  facts: SlotFacts,
  lamportsOf: LamportsOfSwap,
): Map<Address, OwnerTrade[]> {
  const byMint = new Map<Address, OwnerTrade[]>();
  for (const transaction of facts.transactions) {
    if (transaction.error === null) addTrades(byMint, transaction, lamportsOf);
  }
  return byMint;
}

function addTrades(
  byMint: Map<Address, OwnerTrade[]>,
  transaction: TransactionFacts,
  lamportsOf: LamportsOfSwap,
): void {
  // Allocated on demand, and for one trade: most transactions have no or one trade.
  let nets: NetTrade[] | null = null;
  for (const event of transaction.events) {
    if (!isTrade(event)) continue;
    nets = withSwap(nets, event, lamportsOf(event) ?? 0n);
  }
  if (nets === null) return;
  for (const { mint, owner, net, lamports } of nets) {
    if (net === 0n) continue;
    const size = asLamports(lamports < 0n ? -lamports : lamports);
    const side = net > 0n ? 'buy' : 'sell';
    const trade: OwnerTrade = { transaction, mint, owner, side, lamports: size };
    const trades = byMint.get(mint);
    if (trades === undefined) byMint.set(mint, [trade]);
    else trades.push(trade);
  }
}

function isTrade(event: ChainEvent): event is AttributedSwap {
  if (event.kind !== 'swap' || event.quarantine !== null || event.trader === null) return false;
  return !event.isIntermediateHop && !event.isAtomicRoundTrip;
}

interface NetTrade {
  readonly mint: Address;
  readonly owner: Address;
  net: bigint;
  lamports: bigint;
}

function withSwap(nets: NetTrade[] | null, swap: AttributedSwap, lamports: bigint): NetTrade[] {
  const { baseMint, trader: owner, poolBaseDelta } = swap;
  if (nets === null) return [{ mint: baseMint, owner, net: -poolBaseDelta, lamports }];
  const known = nets.find((net) => net.mint === baseMint && net.owner === owner);
  if (known === undefined) nets.push({ mint: baseMint, owner, net: -poolBaseDelta, lamports });
  else {
    known.net -= poolBaseDelta;
    known.lamports += lamports;
  }
  return nets;
}
