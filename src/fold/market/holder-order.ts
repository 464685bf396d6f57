import type { AddressIds } from '../../lib/address-ids.ts';
import type { HolderCursor } from '../../model/holder-page.ts';
import type { Address } from '../../model/units.ts';
import { HOLDER_LAYOUT, type HolderRows } from './holder-row.ts';

/**
 * A position in the order of a mint's owners: balance, largest first, then address. The balance is
 * split into numbers because comparing bigints read from rows would allocate one for each row.
 */
export interface OrderKey {
  /** The balance divided by 2^64, its next 32 bits, and its last 32 bits. */
  readonly high: number;
  readonly middle: number;
  readonly low: number;
  /** The number of the owner's address; -1 if it is not known. */
  readonly owner: number;
  /** The text of the address. Null until a comparison needs it, if the number is known. */
  address: string | null;
}

const { balance, balanceHigh, owner } = HOLDER_LAYOUT.fields;
/** Every base58 text is before this one. */
const AFTER_ADDRESSES = '~';

/** The position of a row. */
export function keyOfRow(rows: HolderRows, row: number): OrderKey {
  const view = rows.viewOf(row);
  const start = rows.startOf(row);
  return {
    high: view.getUint8(start + balanceHigh.offset),
    middle: view.getUint32(start + balance.offset + 4, true),
    low: view.getUint32(start + balance.offset, true),
    owner: view.getUint32(start + owner.offset, true),
    address: null,
  };
}

/** The position that the owner of a row would have with another balance. */
export function keyWithBalance(rows: HolderRows, row: number, balanceRaw: bigint): OrderKey {
  return { ...wordsOf(balanceRaw), owner: rows.number(row, owner), address: null };
}

/** The position of a cursor, which may be any address with any balance. */
export function keyOfCursor({ balanceRaw, owner: address }: HolderCursor): OrderKey {
  return { ...wordsOf(balanceRaw), owner: -1, address };
}

/** The position after all owners with at least a balance. */
export function keyAfterBalance(balanceRaw: bigint): OrderKey {
  return { ...wordsOf(balanceRaw), owner: -1, address: AFTER_ADDRESSES };
}

/** Whether a position is before that of a row. */
export function comesBefore(
  key: OrderKey,
  { rows, ids }: { readonly rows: HolderRows; readonly ids: AddressIds<Address> },
  row: number,
): boolean {
  const view = rows.viewOf(row);
  const start = rows.startOf(row);
  const high = view.getUint8(start + balanceHigh.offset);
  if (key.high !== high) return key.high > high;
  const middle = view.getUint32(start + balance.offset + 4, true);
  if (key.middle !== middle) return key.middle > middle;
  const low = view.getUint32(start + balance.offset, true);
  if (key.low !== low) return key.low > low;
  const ownerOfRow = view.getUint32(start + owner.offset, true);
  if (key.owner === ownerOfRow) return false;
  key.address ??= ids.addressOf(key.owner);
  return key.address < ids.addressOf(ownerOfRow);
}

/** Right for any bigint: a negative balance has a negative upper part and is below all others. */
function wordsOf(balanceRaw: bigint): Pick<OrderKey, 'high' | 'middle' | 'low'> {
  return {
    high: Number(balanceRaw >> 64n),
    middle: Number(BigInt.asUintN(32, balanceRaw >> 32n)),
    low: Number(BigInt.asUintN(32, balanceRaw)),
  };
}
