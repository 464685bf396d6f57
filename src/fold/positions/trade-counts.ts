import { fitsI64, POSITION_LAYOUT, type PositionRows } from './position-row.ts';

const { fields } = POSITION_LAYOUT;

/** Counts one trade as a purchase or a sale, with its network cost. */
export function countTrade(
  rows: PositionRows,
  row: number,
  count: typeof fields.buys,
  netCostLamports: bigint,
  timeMs: number,
): void {
  rows.setNumber(row, count, rows.number(row, count) + 1);
  rows.setNumber(row, fields.lastTradeMs, timeMs);
  if (netCostLamports === 0n) return;
  const netCost = rows.bigint(row, fields.netCostLamports) + netCostLamports;
  if (fitsI64(netCost)) rows.setBigint(row, fields.netCostLamports, netCost);
}

/** Counts the hold time of units sold `atS` seconds after the mint's origin. */
export function addHold(rows: PositionRows, row: number, soldRaw: bigint, atS: number): void {
  const sold = Number(soldRaw);
  const heldS = atS - rows.number(row, fields.acquiredS);
  rows.setNumber(row, fields.closedHold, rows.number(row, fields.closedHold) + sold * heldS);
  rows.setNumber(row, fields.closedRaw, rows.number(row, fields.closedRaw) + sold);
}
