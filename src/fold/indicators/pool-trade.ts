import type { Slot, UsdNano } from '../../model/units.ts';
import {
  FLAG,
  POOL_WALLET_LAYOUT,
  type PoolWalletRows,
  setFlag,
  transactionNumber,
} from './pool-wallet-row.ts';

/** One verified swap of a trader. */
export interface PoolTrade {
  readonly slot: Slot;
  readonly txIndex: number;
  /** Logical time. Null when unknown; the trade is then not counted in times. */
  readonly timeMs: number | null;
  /** Dollar value of the quote amount; null while the quote price is unknown. */
  readonly volumeUsd: UsdNano | null;
  /** An intermediate hop: the swap does not make its signer a trader of the pool. */
  readonly isHop: boolean;
  /** The trader bought and sold the same amount in this pool within the transaction. */
  readonly isVolumeAtomic: boolean;
  /** The trader is a bot in all pools, as far as currently known. */
  readonly isBot: boolean;
}

const { volumeUsd, firstMs, lastMs, lastTransaction, timedTrades } = POOL_WALLET_LAYOUT.fields;

/** Adds a swap to its trader's row in the pool. Must not be called for intermediate hops. */
export function countTrade(rows: PoolWalletRows, row: number, trade: PoolTrade): void {
  addVolume(rows, row, trade.volumeUsd);
  addTime(rows, row, trade);
  setFlag(rows, row, FLAG.bot, trade.isBot);
  if (trade.isVolumeAtomic) setFlag(rows, row, FLAG.volumeAtomic, true);
}

function addVolume(rows: PoolWalletRows, row: number, valueUsd: UsdNano | null): void {
  const sum = valueUsd === null ? null : rows.bigint(row, volumeUsd) + valueUsd;
  // A sum beyond 64 bits (nine billion dollars) is not counted; the row is marked as unpriced.
  if (sum === null || BigInt.asIntN(64, sum) !== sum) setFlag(rows, row, FLAG.unpriced, true);
  else rows.setBigint(row, volumeUsd, sum);
}

/** Several swaps of one transaction count as one trade. */
function addTime(rows: PoolWalletRows, row: number, { slot, txIndex, timeMs }: PoolTrade): void {
  const transaction = transactionNumber(slot, txIndex);
  if (timeMs === null || rows.number(row, lastTransaction) === transaction) return;
  const trades = rows.number(row, timedTrades);
  if (trades === 0) rows.setNumber(row, firstMs, timeMs);
  rows.setNumber(row, lastMs, timeMs);
  rows.setNumber(row, lastTransaction, transaction);
  rows.setNumber(row, timedTrades, trades + 1);
}
