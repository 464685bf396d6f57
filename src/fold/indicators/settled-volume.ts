import { addToWide } from '../../lib/wide-sum.ts';
import type { PriceE18, UsdNano } from '../../model/units.ts';
import { POOL_LAYOUT } from './pool-row.ts';
import { isOrganicRow, type PoolTables } from './pool-standing.ts';
import { POOL_WALLET_LAYOUT } from './pool-wallet-row.ts';
import { profitTermsIn } from './position-terms.ts';
import { isAlwaysProfitable, isProfitable, priceInUnits } from './profit.ts';

const SUM = POOL_LAYOUT.fields;
const { pool } = POOL_WALLET_LAYOUT.fields;

/**
 * Adds the value of a trade to what the pool's traders moved while they were organic, and while they
 * were profitable at `priceUsd`. Both sums only grow: a later change of the trader leaves them.
 */
export function countSettledVolume(
  tables: PoolTables,
  row: number,
  { valueUsd, priceUsd }: { readonly valueUsd: UsdNano; readonly priceUsd: PriceE18 | null },
): void {
  const { pools, rows } = tables;
  const own = rows.number(row, pool);
  if (isOrganicRow(rows, row)) addToWide(pools, own, SUM.tradedOrganicUsd, valueUsd);
  const terms = profitTermsIn(rows, row);
  if (terms === null) return;
  const isAhead =
    isAlwaysProfitable(terms) ??
    (priceUsd !== null &&
      isProfitable(terms, priceInUnits(priceUsd, pools.number(own, SUM.baseDecimals))));
  if (isAhead) addToWide(pools, own, SUM.tradedProfitableUsd, valueUsd);
}
