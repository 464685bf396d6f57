import { newestFirst, positionOf, type TradedSwap, type TradePosition } from '../../model/trade.ts';
import { EpochReads } from '../sql/epoch-reads.ts';
import type { Lane } from '../sql/lane.ts';
import type { VisibleEpoch } from '../sql/visible-epoch.ts';
import { tradeColumns, walletTradeColumns } from '../tables/swap-tables.ts';
import { newestSwaps, type SwapRange } from './trade-sql.ts';

const toSwap = tradeColumns.reader();
const toWalletSwap = walletTradeColumns.reader();

/** Stored swaps of wallets, pools and tokens. */
export class StoredTrades {
  private readonly reads: EpochReads;

  constructor(lane: Lane, visible: VisibleEpoch) {
    this.reads = new EpochReads(lane, visible);
  }

  /** The newest swaps of a range that are older than `before`, newest first, at most `limit`. */
  async newest(
    range: SwapRange,
    before: TradePosition | null,
    limit: number,
  ): Promise<TradedSwap[]> {
    const { sql, params } = newestSwaps(range, before, limit);
    const read = range.wallet === null ? toSwap : toWalletSwap;
    const swaps = await this.reads.newestRows(sql, read, params, inOrder);
    return swaps.slice(0, limit);
  }
}

function inOrder(one: TradedSwap, other: TradedSwap): number {
  return newestFirst(positionOf(one), positionOf(other));
}
