import type { Slot, UsdNano } from '../../model/units.ts';
import {
  FLAG,
  POOL_WALLET_LAYOUT,
  type PoolWalletRows,
  setFlag,
  transactionNumber,
} from './pool-wallet-row.ts';

/** One believed swap of a trader. */
export interface PoolTrade {
  readonly slot: Slot;
  readonly txIndex: number;
  /** Logical time, null where it is unknown: such a trade has no part in times. */
  readonly timeMs: number | null;
  /** The quote that the pool moved, in dollars; null while its price is unknown. */
  readonly volumeUsd: UsdNano | null;
  /** The token only passed through: the swap makes nobody a trader of the pool. */
  readonly isHop: boolean;
  /** The trader bought and sold the same amount in this pool within the transaction. */
  readonly isVolumeAtomic: boolean;
  /** The trader is a bot wherever it trades, as far as is known now. */
  readonly isBot: boolean;
}

const { volumeUsd, firstMs, lastMs, lastTransaction, timedTrades } = POOL_WALLET_LAYOUT.fields;

/** Adds a swap to its trader's row in the pool; those that only pass through are not to be added. */
export function countTrade(rows: PoolWalletRows, row: number, trade: PoolTrade): void {
  addVolume(rows, row, trade.volumeUsd);
  addTime(rows, row, trade);
  setFlag(rows, row, FLAG.bot, trade.isBot);
  if (trade.isVolumeAtomic) setFlag(rows, row, FLAG.volumeAtomic, true);
}

function addVolume(rows: PoolWalletRows, row: number, valueUsd: UsdNano | null): void {
  const sum = valueUsd === null ? null : rows.bigint(row, volumeUsd) + valueUsd;
  // Nine billion dollars of one wallet in one pool: what is beyond is not counted, and not denied.
  if (sum === null || BigInt.asIntN(64, sum) !== sum) setFlag(rows, row, FLAG.unpriced, true);
  else rows.setBigint(row, volumeUsd, sum);
}

/** Swaps of one transaction are one trade. */
function addTime(rows: PoolWalletRows, row: number, { slot, txIndex, timeMs }: PoolTrade): void {
  const transaction = transactionNumber(slot, txIndex);
  if (timeMs === null || rows.number(row, lastTransaction) === transaction) return;
  const trades = rows.number(row, timedTrades);
  if (trades === 0) rows.setNumber(row, firstMs, timeMs);
  rows.setNumber(row, lastMs, timeMs);
  rows.setNumber(row, lastTransaction, transaction);
  rows.setNumber(row, timedTrades, trades + 1);
}
