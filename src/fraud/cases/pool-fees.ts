import type { AddressIds } from '../../lib/address-ids.ts';
import { rowLayout } from '../../lib/row-layout.ts';
import type { UndoLog } from '../../lib/undo-log.ts';
import type { Swap } from '../../model/swap.ts';
import type { Address } from '../../model/units.ts';
import { AgedRows } from './aged-rows.ts';

/** Fee of a pool whose trades did not show one. */
export const DEFAULT_FEE_BPS = 25;
const BPS = 10_000;
const POOLS_MAX = 50_000;

export const FEE_LAYOUT = rowLayout({ id: 'u32', older: 'u32', newer: 'u32', feeBps: 'u16' });
const FIELD = FEE_LAYOUT.fields;

/**
 * Fees of pools, from the last trade that shows one: 16 bytes for each of 50,000 pools; the least
 * recently traded pool is evicted. 2.4 MB when full.
 */
export class PoolFees {
  private readonly ids: AddressIds<Address>;
  private readonly rows: AgedRows;

  constructor(ids: AddressIds<Address>, undo: UndoLog, poolsMax = POOLS_MAX) {
    this.ids = ids;
    this.rows = new AgedRows(FEE_LAYOUT, poolsMax, undo);
  }

  note({ pool, feeQuoteRaw, poolQuoteDelta }: Swap): void {
    const quoteRaw = poolQuoteDelta < 0n ? -poolQuoteDelta : poolQuoteDelta;
    if (feeQuoteRaw === null || feeQuoteRaw < 0n || quoteRaw === 0n) return;
    const feeBps = Math.min(BPS, Math.round((Number(feeQuoteRaw) / Number(quoteRaw)) * BPS));
    const row = this.rows.renew(this.ids.idOf(pool));
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

  *digestRows(): Iterable<string> {
    for (const [id, row] of this.rows.entries()) {
      yield `fee ${this.ids.addressOf(id)} ${this.rows.table.number(row, FIELD.feeBps)}`;
    }
  }
}
