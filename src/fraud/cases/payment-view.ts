import type { AddressIds } from '../../lib/address-ids.ts';
import type { RowTable } from '../../lib/row-table.ts';
import type { CasePayment } from '../../model/mint-case.ts';
import {
  type Address,
  asLamports,
  asSlot,
  type Lamports,
  type Signature,
  type Slot,
} from '../../model/units.ts';
import { PAYMENT_LAYOUT, readSignature } from './case-rows.ts';

const PAYMENT = PAYMENT_LAYOUT.fields;

/**
 * A view of a row as a payment. The signature is encoded on access, because encoding is expensive
 * and detectors rarely need it. Valid until the rows change.
 */
export class PaymentView implements CasePayment {
  readonly slot: Slot;
  readonly timeMs: number;
  readonly txIndex: number;
  readonly from: Address;
  readonly to: Address;
  readonly lamports: Lamports;
  readonly #table: RowTable;
  readonly #row: number;
  #signature: Signature | null = null;

  constructor(table: RowTable, row: number, ids: AddressIds<Address>) {
    const page = table.viewOf(row);
    const at = table.startOf(row);
    this.slot = asSlot(page.getUint32(at + PAYMENT.slot.offset, true));
    this.timeMs = page.getFloat64(at + PAYMENT.timeMs.offset, true);
    this.txIndex = page.getUint32(at + PAYMENT.txIndex.offset, true);
    this.from = ids.addressOf(page.getUint32(at + PAYMENT.from.offset, true));
    this.to = ids.addressOf(page.getUint32(at + PAYMENT.to.offset, true));
    this.lamports = asLamports(page.getBigUint64(at + PAYMENT.lamports.offset, true));
    this.#table = table;
    this.#row = row;
  }

  get signature(): Signature {
    this.#signature ??= readSignature(this.#table, this.#row, PAYMENT);
    return this.#signature;
  }
}
