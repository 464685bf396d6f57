import { newestFirst, positionOf, type TradedSwap } from '../../model/trade.ts';
import type { Address } from '../../model/units.ts';
import { EpochReads } from '../sql/epoch-reads.ts';
import type { Lane } from '../sql/lane.ts';
import { IS_VISIBLE, type VisibleEpoch } from '../sql/visible-epoch.ts';
import { tradeColumns } from '../tables/swap-tables.ts';

const toSwap = tradeColumns.reader();

const KEY = 'base_mint, time_ms, slot, tx_index, outer_ix, inner_ix, pool';

/**
 * Read from the start of the key's range without FINAL, as far as needed: the conditions only read
 * columns that all versions of a row agree on. Hops and quarantined swaps are no purchases.
 */
const FIRST_BUYS = `SELECT ${tradeColumns.names.join(', ')} FROM swaps_by_token
WHERE ${IS_VISIBLE} AND base_mint = {mint:String} AND side = 'buy' AND trader != ''
  AND NOT is_hop AND ifNull(exclusion, '') != 'quarantined'
ORDER BY epoch, ${KEY}, version DESC
LIMIT 1 BY trader
LIMIT {limit:UInt32}`;

/** Stored first purchases of wallets by token. */
export class StoredFirstBuys {
  private readonly reads: EpochReads;

  constructor(lane: Lane, visible: VisibleEpoch) {
    this.reads = new EpochReads(lane, visible);
  }

  /** The first purchase of each wallet, oldest first, at most `limit`. */
  async of(mint: Address, limit: number): Promise<TradedSwap[]> {
    const found = await this.reads.newestRows(FIRST_BUYS, toSwap, { mint, limit }, oldestFirst);
    // Each layer has a first purchase of a wallet.
    return firstOfEach(found).slice(0, limit);
  }
}

/** The first swap of each trader, in the given order. */
export function firstOfEach(swaps: Iterable<TradedSwap>): TradedSwap[] {
  const first = new Map<Address, TradedSwap>();
  for (const one of swaps) {
    const { trader } = one.swap;
    if (trader !== null && !first.has(trader)) first.set(trader, one);
  }
  return [...first.values()];
}

function oldestFirst(one: TradedSwap, other: TradedSwap): number {
  return newestFirst(positionOf(other), positionOf(one));
}
