import {
  atMostU64,
  FLAG,
  fitsI64,
  I64_MAX,
  POSITION_LAYOUT,
  type PositionRows,
  setFlags,
  U64_MAX,
} from './position-row.ts';

const { heldRaw, unknownRaw, maxHeldRaw, costUsd, realisedUsd, acquiredS } = POSITION_LAYOUT.fields;

/** Units that were removed from a position. */
export interface Taken {
  /** The removed units with a known cost, and their cost. */
  readonly knownRaw: bigint;
  readonly costUsd: bigint;
  /** Units with a known cost before the removal. */
  readonly heldBeforeRaw: bigint;
}

/**
 * Whether units can be added with a known cost. The cost must be above zero, because a zero cost
 * means that nothing is held, and the sums must fit the row; otherwise the units have unknown cost.
 */
export function canHold(rows: PositionRows, row: number, amountRaw: bigint, cost: bigint): boolean {
  return (
    cost > 0n &&
    amountRaw > 0n &&
    rows.bigint(row, costUsd) + cost <= I64_MAX &&
    rows.bigint(row, heldRaw) + amountRaw <= U64_MAX
  );
}

/** Adds units with a known cost, acquired at `atS` on average. Requires `canHold` to be true. */
export function addKnown(
  rows: PositionRows,
  row: number,
  amountRaw: bigint,
  cost: bigint,
  atS: number,
): void {
  const before = rows.bigint(row, heldRaw);
  const after = before + amountRaw;
  const [held, added] = [Number(before), Number(amountRaw)];
  const mean = (rows.number(row, acquiredS) * held + atS * added) / (held + added);
  rows.setNumber(row, acquiredS, mean);
  rows.setBigint(row, heldRaw, after);
  rows.setBigint(row, costUsd, rows.bigint(row, costUsd) + cost);
  if (after > rows.bigint(row, maxHeldRaw)) rows.setBigint(row, maxHeldRaw, after);
}

/** Adds units of unknown cost. */
export function addUnknown(rows: PositionRows, row: number, amountRaw: bigint): void {
  rows.setBigint(row, unknownRaw, atMostU64(rows.bigint(row, unknownRaw) + amountRaw));
}

/**
 * Removes units, those with a known cost first, together with their share of the cost. The share is
 * rounded down; the last unit takes the remainder. An excess over the held units was acquired
 * before the stored history.
 */
export function takeOut(rows: PositionRows, row: number, amountRaw: bigint): Taken {
  const heldBeforeRaw = rows.bigint(row, heldRaw);
  const cost = rows.bigint(row, costUsd);
  const knownRaw = amountRaw < heldBeforeRaw ? amountRaw : heldBeforeRaw;
  const released = knownRaw === heldBeforeRaw ? cost : (cost * knownRaw) / heldBeforeRaw;
  if (knownRaw > 0n) {
    rows.setBigint(row, heldRaw, heldBeforeRaw - knownRaw);
    rows.setBigint(row, costUsd, cost - released);
  }
  const restRaw = amountRaw - knownRaw;
  const unknown = rows.bigint(row, unknownRaw);
  if (restRaw > 0n && unknown > 0n) {
    rows.setBigint(row, unknownRaw, restRaw < unknown ? unknown - restRaw : 0n);
  }
  return { knownRaw, costUsd: released, heldBeforeRaw };
}

/** Removes a fee from units that stay. The remaining units keep the whole cost, if any remain. */
export function takeFee(rows: PositionRows, row: number, feeRaw: bigint): Taken {
  const cost = rows.bigint(row, costUsd);
  const taken = takeOut(rows, row, feeRaw);
  if (rows.bigint(row, heldRaw) === 0n) return taken;
  rows.setBigint(row, costUsd, cost);
  return { ...taken, costUsd: 0n, knownRaw: 0n };
}

/**
 * Realises the sale of units with a known cost. Returns the proceeds in nano-dollars:
 * `reportedUsd`, or the cost if that is unknown or does not fit 64 bits, so the sale makes neither
 * profit nor loss.
 */
export function realise(
  rows: PositionRows,
  row: number,
  cost: bigint,
  reportedUsd: bigint | null,
): bigint {
  const gained = rows.bigint(row, realisedUsd) + (reportedUsd ?? 0n) - cost;
  if (reportedUsd === null || !fitsI64(reportedUsd) || !fitsI64(gained)) {
    setFlags(rows, row, FLAG.unpricedSale);
    return cost;
  }
  rows.setBigint(row, realisedUsd, gained);
  return reportedUsd;
}
