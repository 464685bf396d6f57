import { absolute } from '../../lib/decimal.ts';
import type { ChainEvent } from '../../model/chain-event.ts';
import type { Swap } from '../../model/swap.ts';
import type { Address } from '../../model/units.ts';

/** A net change below this share of the gross counts as zero: 1 / 1000 (METHODS §0.9). */
const NIL_SHARE = 1_000n;

/** Change of one mint over all swaps of one trader in a transaction. */
interface MintFlow {
  net: bigint;
  gross: bigint;
  readonly pools: Set<Address>;
}

/** All flows of one trader in a transaction. */
interface TraderFlows {
  readonly byMint: Map<Address, MintFlow>;
  readonly pools: Set<Address>;
}

/**
 * Classifies each swap within its trader's swaps of the transaction.
 *
 * A swap whose base mint only passed through is not a trade of its user: all of it that the trader
 * received, as the base or the quote of any of its swaps, was spent again. Through several pools
 * such a swap is an intermediate hop; on one pool it is an atomic round trip. The swap that buys a
 * route's output or sells its input remains the user's trade.
 *
 * The swaps of a trader on several pools are pure arbitrage if they have no net outflow of any
 * mint: of each mint the trader either gained or kept a change of about zero. A trader that
 * exchanged one mint for another paid with the first, so that is not arbitrage. Round trips on one
 * pool are never arbitrage.
 */
export function markRoundTrips(events: ChainEvent[]): void {
  const swaps = events.filter((event) => event.kind === 'swap');
  if (swaps.length < 2) return;
  const traders = flowsByTrader(swaps);
  for (let index = 0; index < events.length; index++) {
    const event = events[index] as ChainEvent;
    const flows =
      event.kind === 'swap' && event.trader !== null ? traders.get(event.trader) : undefined;
    if (event.kind === 'swap' && flows !== undefined) events[index] = marked(event, flows);
  }
}

function marked(swap: Swap, flows: TraderFlows): Swap {
  const base = flows.byMint.get(swap.baseMint);
  const passesThrough = base !== undefined && isNil(base);
  const isAtomicRoundTrip = passesThrough && base.pools.size === 1;
  const isIntermediateHop = passesThrough && !isAtomicRoundTrip;
  const isPureArbitrage = !isAtomicRoundTrip && costsNothing(flows);
  if (!passesThrough && !isPureArbitrage) return swap;
  return { ...swap, isIntermediateHop, isAtomicRoundTrip, isPureArbitrage };
}

function costsNothing({ byMint, pools }: TraderFlows): boolean {
  if (pools.size < 2) return false;
  for (const flow of byMint.values()) {
    if (flow.net < 0n && !isNil(flow)) return false;
  }
  return true;
}

function flowsByTrader(swaps: readonly Swap[]): Map<Address, TraderFlows> {
  const traders = new Map<Address, TraderFlows>();
  for (const swap of swaps) {
    const { trader } = swap;
    if (trader === null) continue;
    let flows = traders.get(trader);
    if (flows === undefined) {
      flows = { byMint: new Map(), pools: new Set() };
      traders.set(trader, flows);
    }
    flows.pools.add(swap.pool);
    addLeg(flows.byMint, swap.pool, swap.baseMint, swap.traderBaseDelta);
    // Fees on top of what the pool received were also spent, so the pool's side is only a fallback.
    const quote = swap.traderQuoteDelta ?? -swap.poolQuoteDelta;
    addLeg(flows.byMint, swap.pool, swap.quoteMint, quote);
  }
  return traders;
}

function addLeg(
  byMint: Map<Address, MintFlow>,
  pool: Address,
  mint: Address,
  change: bigint,
): void {
  let flow = byMint.get(mint);
  if (flow === undefined) {
    flow = { net: 0n, gross: 0n, pools: new Set() };
    byMint.set(mint, flow);
  }
  flow.net += change;
  flow.gross += absolute(change);
  flow.pools.add(pool);
}

function isNil({ net, gross }: MintFlow): boolean {
  return gross > 0n && absolute(net) * NIL_SHARE <= gross;
}
