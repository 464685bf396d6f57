import type { AddressIds } from '../../lib/address-ids.ts';
import type { Address } from '../../model/units.ts';
import { POSITION_LAYOUT, type PositionRows } from './position-row.ts';

/** One wallet and one mint. */
export interface PositionKey {
  readonly mint: Address;
  readonly wallet: Address;
}

const { fields } = POSITION_LAYOUT;

/** The mint and the wallet of a row. */
export function positionKeyOf(
  rows: PositionRows,
  row: number,
  ids: AddressIds<Address>,
): PositionKey {
  const mint = ids.addressOf(rows.number(row, fields.mint));
  return { mint, wallet: ids.addressOf(rows.number(row, fields.wallet)) };
}
