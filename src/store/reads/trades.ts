import { newestFirst, positionOf, type TradedSwap, type TradePosition } from '../../model/trade.ts';
import { EpochReads, type LayerSelect } from '../sql/epoch-reads.ts';
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
    const rowsOf = (select: LayerSelect) => newestOfLayer(select, range, before, limit);
    const swaps = await this.reads.mergedRows(rowsOf, inOrder);
    return swaps.slice(0, limit);
  }
}

/** Rows of a layer, of which some have several versions until the engine merges them. */
async function newestOfLayer(
  select: LayerSelect,
  range: SwapRange,
  before: TradePosition | null,
  limit: number,
): Promise<TradedSwap[]> {
  const read = range.wallet === null ? toSwap : toWalletSwap;
  const swaps: TradedSwap[] = [];
  for (let from = before; ; ) {
    const wanted = limit - swaps.length;
    const { sql, params } = newestSwaps(range, from, wanted);
    const found = await select(sql, read, params);
    swaps.push(...found.filter((swap, at) => !isSame(swap, found[at - 1])));
    const last = swaps.at(-1);
    if (swaps.length >= limit || found.length < wanted || last === undefined) return swaps;
    from = positionOf(last);
  }
}

function inOrder(one: TradedSwap, other: TradedSwap): number {
  return newestFirst(positionOf(one), positionOf(other));
}

/** Whether two rows are versions of one swap. */
function isSame(one: TradedSwap, other: TradedSwap | undefined): boolean {
  return other !== undefined && inOrder(one, other) === 0;
}
