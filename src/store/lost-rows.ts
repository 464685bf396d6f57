import type {
  BundledTransaction,
  Candle,
  HolderBalance,
  PricedSwap,
  SolPrice,
} from '../model/derived.ts';
import { hasTrader } from '../model/derived.ts';
import type { Classification } from '../model/fraud.ts';
import type { IndicatorMinute } from '../model/indicators.ts';
import type { PoolRecord } from '../model/pool-record.ts';
import type { Outcome } from '../model/signal.ts';
import type { TokenRecord } from '../model/token-record.ts';
import type { Slot } from '../model/units.ts';
import type { LayerPair, Layers } from './layers.ts';
import type { Table } from './sql/table.ts';
import { bundleTable } from './tables/bundle-table.ts';
import { candleTable } from './tables/candle-table.ts';
import {
  classificationTable,
  classificationWalletTable,
  involvedWalletRows,
  newestClassificationTable,
} from './tables/classification-tables.ts';
import { indicatorMinuteTable, newestIndicatorTable } from './tables/indicator-tables.ts';
import { signalOutcomeTable } from './tables/signal-tables.ts';
import { balanceTable, poolTable, solPriceTable, tokenTable } from './tables/state-tables.ts';
import { swapByTokenTable, swapByWalletTable, swapTable } from './tables/swap-tables.ts';
import type { RestoredRows } from './writes/slot-writer.ts';

/**
 * Rows of keys that a replaced fold changed after a slot and the new fold did not write: by table,
 * as the replaced fold left them. Rows that are written once, and only by their own slot or minute,
 * are not among them: the new fold has none, and neither had the state as of the slot.
 */
export interface LostRows {
  readonly swaps: readonly PricedSwap[];
  readonly candles: readonly Candle[];
  readonly tokens: readonly TokenRecord[];
  readonly pools: readonly PoolRecord[];
  readonly balances: readonly HolderBalance[];
  readonly bundles: readonly BundledTransaction[];
  readonly solPrices: readonly SolPrice[];
  readonly classifications: readonly Classification[];
  readonly outcomes: readonly Outcome[];
  /** As of the slot: taken from the rows that keep every minute or version. */
  readonly newestIndicators: readonly IndicatorMinute[];
  readonly newestClassifications: readonly Classification[];
}

/** Rows per table; with more, folding the whole log is better. */
const LOST_MAX = 200_000;

/** The lost rows; null if there are too many. */
export async function readLostRows(
  layers: Pick<Layers, 'lost' | 'lastShown'>,
  pair: LayerPair,
): Promise<LostRows | null> {
  let isTooMany = false;
  const lost = async <Read>({ name, columns, read }: Table<never, Read>): Promise<Read[]> => {
    const rows = await layers.lost(name, columns, pair, LOST_MAX);
    isTooMany ||= rows.length >= LOST_MAX;
    return rows.map(read);
  };
  const lastOf = async <Read>(
    { name, columns, read }: Table<never, Read>,
    [key, order]: readonly [string, string],
    keys: readonly string[],
  ): Promise<Read[]> => {
    if (keys.length === 0) return [];
    const rows = await layers.lastShown({ table: name, columns, key, order, keys }, pair);
    return rows.map(read);
  };
  const pools = (await lost(newestIndicatorTable)).map(({ record }) => record.pool);
  const ids = (await lost(newestClassificationTable)).map(({ id }) => id);
  const rows = {
    swaps: await lost(swapTable),
    candles: await lost(candleTable),
    tokens: await lost(tokenTable),
    pools: await lost(poolTable),
    balances: await lost(balanceTable),
    bundles: await lost(bundleTable),
    solPrices: await lost(solPriceTable),
    classifications: await lost(classificationTable),
    outcomes: await lost(signalOutcomeTable),
    newestIndicators: await lastOf(indicatorMinuteTable, ['pool', 'minute_ms'], pools),
    newestClassifications: await lastOf(classificationTable, ['id', 'slot'], ids),
  };
  return isTooMany ? null : rows;
}

/** The rows to write for records as of the end of `slot`, as rows of the fold `epoch`. */
export function restoredRows(rows: LostRows, epoch: number, slot: Slot): RestoredRows[] {
  const of = <Stored>(table: Table<Stored>, stored: readonly Stored[]): RestoredRows => {
    return { table: table as Table<unknown>, stored, epoch, slot };
  };
  return [
    of(swapTable, rows.swaps),
    of(swapByTokenTable, rows.swaps),
    of(swapByWalletTable, rows.swaps.filter(hasTrader)),
    of(candleTable, rows.candles),
    of(tokenTable, rows.tokens),
    of(poolTable, rows.pools),
    of(balanceTable, rows.balances),
    of(bundleTable, rows.bundles),
    of(solPriceTable, rows.solPrices),
    of(newestIndicatorTable, rows.newestIndicators),
    of(classificationTable, rows.classifications),
    of(newestClassificationTable, rows.newestClassifications),
    of(classificationWalletTable, rows.newestClassifications.flatMap(involvedWalletRows)),
    of(signalOutcomeTable, rows.outcomes),
  ].filter(({ stored }) => stored.length > 0);
}
