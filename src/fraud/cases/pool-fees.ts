import type { AddressIds } from '../../lib/address-ids.ts';
import { rowLayout } from '../../lib/row-layout.ts';
import type { UndoLog } from '../../lib/undo-log.ts';
import type { Swap } from '../../model/swap.ts';
import type { Address } from '../../model/units.ts';
import { AddressRows } from './address-rows.ts';

/** Fee of a pool whose trades did not show one. */
export const DEFAULT_FEE_BPS = 25;
const BPS = 10_000;

export const FEE_LAYOUT = rowLayout({ feeBps: 'u16' });
const FIELD = FEE_LAYOUT.fields;

/**
 * Fees of pools, from the last trade that shows one: 8 bytes for each pool.
 */
export class PoolFees {
  private readonly ids: AddressIds<Address>;
  private readonly rows: AddressRows;

  constructor(ids: AddressIds<Address>, undo: UndoLog) {
    this.ids = ids;
    this.rows = new AddressRows(FEE_LAYOUT, undo, 'fees of pools');
  }

  note({ pool, feeQuoteRaw, poolQuoteDelta }: Swap): void {
    const quoteRaw = poolQuoteDelta < 0n ? -poolQuoteDelta : poolQuoteDelta;
    if (feeQuoteRaw === null || feeQuoteRaw < 0n || quoteRaw === 0n) return;
    const feeBps = Math.min(BPS, Math.round((Number(feeQuoteRaw) / Number(quoteRaw)) * BPS));
    const row = this.rows.open(this.ids.idOf(pool));
    if (this.rows.table.number(row, FIELD.feeBps) === feeBps) return;
    this.rows.table.setNumber(row, FIELD.feeBps, feeBps);
  }

  of(pool: Address): number {
    const row = this.rows.rowOf(this.ids, pool);
    return row === -1 ? DEFAULT_FEE_BPS : this.rows.table.number(row, FIELD.feeBps);
  }

  get allocatedBytes(): number {
    return this.rows.allocatedBytes;
  }
}
