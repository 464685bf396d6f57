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

/** What left a position. */
export interface Taken {
  /** Of the units with a known cost, and what they had cost. */
  readonly knownRaw: bigint;
  readonly costUsd: bigint;
  /** Units with a known cost that there were before. */
  readonly heldBeforeRaw: bigint;
}

/**
 * Whether units can come in at a cost. Not for nothing, since a cost of zero means that nothing is
 * held, and not beyond what a row can hold: whatever comes then has no known cost.
 */
export function canHold(rows: PositionRows, row: number, amountRaw: bigint, cost: bigint): boolean {
  return (
    cost > 0n &&
    amountRaw > 0n &&
    rows.bigint(row, costUsd) + cost <= I64_MAX &&
    rows.bigint(row, heldRaw) + amountRaw <= U64_MAX
  );
}

/** Adds units at a cost, acquired on average at `atS`; `canHold` must have said that it can be. */
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

/** Adds units of which nobody knows what they cost. */
export function addUnknown(rows: PositionRows, row: number, amountRaw: bigint): void {
  rows.setBigint(row, unknownRaw, atMostU64(rows.bigint(row, unknownRaw) + amountRaw));
}

/**
 * Takes units out, those with a known cost first, and of the cost their share: rounded down, so that
 * the last unit takes the rest. What is more than the position holds came before the held history.
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

/** Takes a fee out of units that stay: the rest keeps the cost, while there is a rest. */
export function takeFee(rows: PositionRows, row: number, feeRaw: bigint): Taken {
  const cost = rows.bigint(row, costUsd);
  const taken = takeOut(rows, row, feeRaw);
  if (rows.bigint(row, heldRaw) === 0n) return taken;
  rows.setBigint(row, costUsd, cost);
  return { ...taken, costUsd: 0n, knownRaw: 0n };
}

/**
 * Realises what was sold of the units with a known cost, and gives what it brought in nano-dollars:
 * `reportedUsd`, or where that is unknown or does not fit 64 bits the cost, so that nothing is won or lost.
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
