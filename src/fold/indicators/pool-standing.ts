import type { RowTable } from '../../lib/row-table.ts';
import { addToWide } from '../../lib/wide-sum.ts';
import { addToCount, POOL_LAYOUT } from './pool-row.ts';
import { FLAG, isOrganic, POOL_WALLET_LAYOUT, type PoolWalletRows } from './pool-wallet-row.ts';
import { meanGapNs } from './trade-frequency.ts';

/** The contribution of a row's trades to the sums of its pool. */
export interface Standing {
  /** 1 or 0. */
  readonly organic: number;
  readonly volumeUsd: bigint;
  /** Null for a wallet that is not organic, or traded less than twice. */
  readonly gapNs: bigint | null;
}

/** The tables of pools and of their wallets. */
export interface PoolTables {
  readonly pools: RowTable;
  readonly rows: PoolWalletRows;
}

const { volumeUsd, firstMs, lastMs, holdConstantNs, holdSlopeE15, timedTrades, flags, pool } =
  POOL_WALLET_LAYOUT.fields;
const SUM = POOL_LAYOUT.fields;

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

/** Replaces the contribution of a row in the sums of its pool by the current one, `after`. */
export function countStanding(
  tables: PoolTables,
  row: number,
  { before, after }: { readonly before: Standing; readonly after: Standing },
): void {
  const { pools, rows } = tables;
  const own = rows.number(row, pool);
  if (before.organic !== after.organic) {
    addToCount(pools, own, 'organicWallets', after.organic - before.organic);
    countHold(tables, row, after.organic === 1 ? 1 : -1);
  }
  const volumeBefore = before.organic === 1 ? before.volumeUsd : 0n;
  const volumeAfter = after.organic === 1 ? after.volumeUsd : 0n;
  addToWide(pools, own, SUM.organicVolumeUsd, volumeAfter - volumeBefore);
  if (after.gapNs === before.gapNs) return;
  const gapWallets = (after.gapNs === null ? 0 : 1) - (before.gapNs === null ? 0 : 1);
  addToCount(pools, own, 'gapWallets', gapWallets);
  addToWide(pools, own, SUM.gapNs, (after.gapNs ?? 0n) - (before.gapNs ?? 0n));
}

/** Adds the hold time of a row, if it has one, to the sums of its pool, or subtracts it. */
export function countHold({ pools, rows }: PoolTables, row: number, times: 1 | -1): void {
  if ((rows.number(row, flags) & FLAG.hold) === 0) return;
  const own = rows.number(row, pool);
  const constantNs = rows.bigint(row, holdConstantNs);
  const slopeE15 = rows.bigint(row, holdSlopeE15);
  addToCount(pools, own, 'holdWallets', times);
  addToWide(pools, own, SUM.holdConstantNs, times === 1 ? constantNs : -constantNs);
  addToWide(pools, own, SUM.holdSlopeE15, times === 1 ? slopeE15 : -slopeE15);
}
