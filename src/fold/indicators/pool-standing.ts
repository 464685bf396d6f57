import { FLAG, isOrganic, POOL_WALLET_LAYOUT, type PoolWalletRows } from './pool-wallet-row.ts';
import type { PoolWallets } from './pool-wallets.ts';
import { meanGapNs } from './trade-frequency.ts';

/** The contribution of a row's trades to the sums of its pool. */
export interface Standing {
  /** 1 or 0. */
  readonly organic: number;
  readonly volumeUsd: bigint;
  /** Null for a wallet that is not organic, or traded less than twice. */
  readonly gapNs: bigint | null;
}

const { volumeUsd, firstMs, lastMs, holdConstantNs, holdSlopeE15, timedTrades, flags } =
  POOL_WALLET_LAYOUT.fields;

/** Whether the wallet of a row is organic in its pool. */
export function isOrganicRow(rows: PoolWalletRows, row: number): boolean {
  return isOrganic(rows.number(row, flags), rows.bigint(row, volumeUsd));
}

/** The current contribution of a row. Call it before and after a change. */
export function standingOf(rows: PoolWalletRows, row: number): Standing {
  const volume = rows.bigint(row, volumeUsd);
  if (!isOrganic(rows.number(row, flags), volume)) {
    return { organic: 0, volumeUsd: volume, gapNs: null };
  }
  const trades = rows.number(row, timedTrades);
  const gapNs = meanGapNs(trades, rows.number(row, firstMs), rows.number(row, lastMs));
  return { organic: 1, volumeUsd: volume, gapNs };
}

/** Adds the hold time of a row, if it has one, to the sums of its pool, or subtracts it. */
export function countHold(
  pool: PoolWallets,
  rows: PoolWalletRows,
  row: number,
  times: 1 | -1,
): void {
  if ((rows.number(row, flags) & FLAG.hold) === 0) return;
  const constantNs = rows.bigint(row, holdConstantNs);
  const slopeE15 = rows.bigint(row, holdSlopeE15);
  pool.holdWallets += times;
  pool.holdConstantNs += times === 1 ? constantNs : -constantNs;
  pool.holdSlopeE15 += times === 1 ? slopeE15 : -slopeE15;
}
