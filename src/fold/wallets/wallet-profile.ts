import type { AddressIds } from '../../lib/address-ids.ts';
import type { RowTable } from '../../lib/row-table.ts';
import { type Address, asSlot, type Slot } from '../../model/units.ts';
import { readFeatures, type WalletFeatures } from './features/wallet-features.ts';
import { WALLET_FIELDS } from './features/wallet-row.ts';

/** The profile of a wallet: the features of the rules and further data. */
export interface WalletProfile {
  readonly features: WalletFeatures;
  readonly firstSlot: Slot;
  readonly firstMs: number;
  readonly lastSlot: Slot;
  readonly lastMs: number;
  readonly firstFunder: Address | null;
  /** Counts by powers of two of a second, from 0 s on. Only the shape is meaningful. */
  readonly gapHistogram: readonly number[];
  readonly holdHistogram: readonly number[];
  /** By hour of the UTC day: the number of the last eight days with a trade. */
  readonly activeHours: readonly number[];
}

const F = WALLET_FIELDS;

/** Reads a profile from a wallet's row; `ids` resolves the address ids in it. */
export function profileOf(rows: RowTable, row: number, ids: AddressIds<Address>): WalletProfile {
  const funder = rows.number(row, F.firstFunder);
  return {
    features: readFeatures(rows, row),
    firstSlot: asSlot(rows.number(row, F.firstSlot)),
    firstMs: rows.number(row, F.firstS) * 1_000,
    lastSlot: asSlot(rows.number(row, F.lastSlot)),
    lastMs: rows.number(row, F.lastS) * 1_000,
    firstFunder: funder === 0 ? null : ids.addressOf(funder - 1),
    gapHistogram: valuesOf(rows, row, F.gapHistogram),
    holdHistogram: valuesOf(rows, row, F.holdHistogram),
    activeHours: valuesOf(rows, row, F.activeHours).map(countBits),
  };
}

function valuesOf(
  rows: RowTable,
  row: number,
  field: typeof F.gapHistogram | typeof F.activeHours,
): number[] {
  return Array.from({ length: field.length }, (_, at) => rows.number(row, field, at));
}

function countBits(byte: number): number {
  let count = 0;
  for (let rest = byte; rest > 0; rest &= rest - 1) count++;
  return count;
}
