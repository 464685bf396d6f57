import { rowLayout } from '../../lib/row-layout.ts';
import type { RowTable } from '../../lib/row-table.ts';
import { asRawAmount, type RawAmount } from '../../model/units.ts';

/**
 * One owner's balance of one mint, and its node in the tree of the mint's owners, in 56 bytes.
 *
 * Amounts are in raw units. They have 72 bits: an account holds at most 2^64 - 1, but with gaps in
 * the history the sum over an owner's accounts may exceed the supply.
 */
export const HOLDER_LAYOUT = rowLayout({
  /** The lower 64 bits of the balance. */
  balance: 'u64',
  /** The same of the part of the balance that is not in the owner's main token account. */
  aside: 'u64',
  /** -1 when unknown. */
  firstSeenMs: 'f64',
  /** Slot of the last change plus one, 0 before the first. */
  changedSlot: 'u32',
  /** The number of the owner's address. */
  owner: 'u32',
  /** The row of the mint. */
  mint: 'u32',
  /** Rows of the subtrees plus one, 0 for none. */
  left: 'u32',
  right: 'u32',
  /** Owners in this subtree, including this one, and those of them that are excluded. */
  size: 'u32',
  excludedSize: 'u32',
  /** The upper 8 bits of `balance` and `aside`. */
  balanceHigh: 'u8',
  asideHigh: 'u8',
  flags: 'u8',
});

export type HolderRows = RowTable;

export const HOLDER_FLAG = {
  /** The owner is a pool or a burn address. */
  excluded: 1,
  /** The balance is changing; the row is in no tree. */
  out: 2,
} as const;

const { fields } = HOLDER_LAYOUT;
const AMOUNT_HIGH_MAX = 0xff;
const U64_MAX = 2n ** 64n - 1n;

export function balanceOf(rows: HolderRows, row: number): RawAmount {
  const high = rows.number(row, fields.balanceHigh);
  return joined(high, rows.bigint(row, fields.balance));
}

/** Throws RangeError unless the balance is at least 0 and below 2^72. */
export function setBalance(rows: HolderRows, row: number, balanceRaw: bigint): void {
  rows.setBigint(row, fields.balance, BigInt.asUintN(64, balanceRaw));
  const high = highOf(balanceRaw);
  if (high !== rows.number(row, fields.balanceHigh)) {
    rows.setNumber(row, fields.balanceHigh, high);
  }
}

/** The part of the balance that is not in the owner's main token account. */
export function asideOf(rows: HolderRows, row: number): RawAmount {
  const high = rows.number(row, fields.asideHigh);
  return joined(high, rows.bigint(row, fields.aside));
}

/** Throws RangeError unless the amount is at least 0 and below 2^72. */
export function setAside(rows: HolderRows, row: number, asideRaw: bigint): void {
  rows.setBigint(row, fields.aside, BigInt.asUintN(64, asideRaw));
  rows.setNumber(row, fields.asideHigh, highOf(asideRaw));
}

/** Whether a balance has room for any further account. */
export function hasRoom(rows: HolderRows, row: number): boolean {
  return rows.number(row, fields.balanceHigh) < AMOUNT_HIGH_MAX;
}

/** Whether a token account can hold the amount. */
export function isAccountAmount(amountRaw: bigint): boolean {
  return amountRaw >= 0n && amountRaw <= U64_MAX;
}

export function hasFlag(rows: HolderRows, row: number, flag: number): boolean {
  return (rows.number(row, fields.flags) & flag) !== 0;
}

export function setFlag(rows: HolderRows, row: number, flag: number, isSet: boolean): void {
  const before = rows.number(row, fields.flags);
  const after = isSet ? before | flag : before & ~flag;
  if (after !== before) rows.setNumber(row, fields.flags, after);
}

function joined(high: number, low: bigint): RawAmount {
  return asRawAmount(high === 0 ? low : (BigInt(high) << 64n) | low);
}

/** Zero for nearly all amounts, without creating another bigint. */
function highOf(amountRaw: bigint): number {
  return amountRaw >= 0n && amountRaw <= U64_MAX ? 0 : Number(amountRaw >> 64n);
}
