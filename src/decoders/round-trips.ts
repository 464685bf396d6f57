import type { ChainEvent, Swap } from '../model/chain-event.ts';

/** A net change below this share of the gross still counts as nil: 1 / 1000 (METHODS §0.9). */
const NIL_SHARE = 1_000n;

/**
 * Marks swaps of tokens that only passed through the transaction: bought and sold by one trader
 * with nothing left. Through several pools they are hops of a route or an arbitrage; on one pool
 * they are an atomic round trip.
 */
export function markRoundTrips(events: ChainEvent[]): void {
  const groups = new Map<string, number[]>();
  for (let index = 0; index < events.length; index++) {
    const event = events[index] as ChainEvent;
    if (event.kind !== 'swap') continue;
    const key = `${event.trader} ${event.baseMint}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [index]);
    else group.push(index);
  }
  for (const group of groups.values()) {
    if (group.length > 1) markGroup(events, group);
  }
}

function markGroup(events: ChainEvent[], group: readonly number[]): void {
  const swaps = group.map((index) => events[index] as Swap);
  let net = 0n;
  let gross = 0n;
  for (const { poolBaseDelta } of swaps) {
    net += poolBaseDelta;
    gross += poolBaseDelta < 0n ? -poolBaseDelta : poolBaseDelta;
  }
  if ((net < 0n ? -net : net) * NIL_SHARE > gross) return;
  const isOnePool = swaps.every((swap) => swap.pool === swaps[0]?.pool);
  for (const index of group) {
    const swap = events[index] as Swap;
    events[index] = { ...swap, isIntermediateHop: !isOnePool, isAtomicRoundTrip: isOnePool };
  }
}
