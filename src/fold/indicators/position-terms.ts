import type { HoldTerm } from './hold-time.ts';
import { FLAG, POOL_WALLET_LAYOUT, type PoolWalletRows, setFlag } from './pool-wallet-row.ts';
import type { ProfitTerms } from './profit.ts';

const { holdConstantNs, holdSlopeE15, needUsd, heldRaw, flags } = POOL_WALLET_LAYOUT.fields;

/** Whether the row already contains these terms. */
export function hasTerms(
  rows: PoolWalletRows,
  row: number,
  hold: HoldTerm | null,
  profit: ProfitTerms | null,
): boolean {
  const bits = rows.number(row, flags);
  return (
    ((bits & FLAG.hold) !== 0) === (hold !== null) &&
    ((bits & FLAG.knownBuy) !== 0) === (profit !== null) &&
    rows.bigint(row, holdConstantNs) === (hold?.constantNs ?? 0n) &&
    rows.bigint(row, holdSlopeE15) === (hold?.slopeE15 ?? 0n) &&
    rows.bigint(row, needUsd) === (profit?.needUsd ?? 0n) &&
    rows.bigint(row, heldRaw) === (profit?.heldRaw ?? 0n)
  );
}

/** Writes a hold term to a row; the caller updates the pool's sums. */
export function setHoldTerm(rows: PoolWalletRows, row: number, hold: HoldTerm | null): void {
  setFlag(rows, row, FLAG.hold, hold !== null);
  rows.setBigint(row, holdConstantNs, hold?.constantNs ?? 0n);
  rows.setBigint(row, holdSlopeE15, hold?.slopeE15 ?? 0n);
}

/** The profit terms of a row; null for a wallet without a purchase of known cost. */
export function profitTermsIn(rows: PoolWalletRows, row: number): ProfitTerms | null {
  if ((rows.number(row, flags) & FLAG.knownBuy) === 0) return null;
  return { needUsd: rows.bigint(row, needUsd), heldRaw: rows.bigint(row, heldRaw) };
}

/** Writes profit terms to a row; the caller updates its profit level. */
export function setProfitTerms(
  rows: PoolWalletRows,
  row: number,
  profit: ProfitTerms | null,
): void {
  setFlag(rows, row, FLAG.knownBuy, profit !== null);
  rows.setBigint(row, needUsd, profit?.needUsd ?? 0n);
  rows.setBigint(row, heldRaw, profit?.heldRaw ?? 0n);
}
