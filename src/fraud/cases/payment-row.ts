import type { AddressIds } from '../../lib/address-ids.ts';
import type { RowTable } from '../../lib/row-table.ts';
import type { CasePayment } from '../../model/mint-case.ts';
import { type Address, asLamports, asSlot } from '../../model/units.ts';
import { PAYMENT_LAYOUT, readTransactionRef } from './case-rows.ts';

const PAYMENT = PAYMENT_LAYOUT.fields;

/** A payment without its transaction. */
export type PaymentFlow = Omit<CasePayment, 'txIndex' | 'signature'>;

/** Reads the payment of a row as a plain object. */
export function readPayment(
  payments: RowTable,
  row: number,
  ids: AddressIds<Address>,
): CasePayment {
  return { ...readTransactionRef(payments, row, PAYMENT), ...readAmount(payments, row, ids) };
}

/** Reads a payment without its transaction: encoding the signature is the most expensive part. */
export function readPaymentFlow(
  payments: RowTable,
  row: number,
  ids: AddressIds<Address>,
): PaymentFlow {
  return {
    slot: asSlot(payments.number(row, PAYMENT.slot)),
    timeMs: payments.number(row, PAYMENT.timeMs),
    ...readAmount(payments, row, ids),
  };
}

/** Sorts rows of payments into block order. */
export function inBlockOrder(payments: RowTable, entries: Iterable<number>): number[] {
  const rows = [...entries];
  const orders = Float64Array.from(rows, (row) => orderOf(payments, row));
  const indexes = Uint32Array.from(rows, (_, index) => index);
  indexes.sort((one, other) => (orders[one] ?? 0) - (orders[other] ?? 0));
  return Array.from(indexes, (index) => rows[index] ?? 0);
}

function orderOf(payments: RowTable, row: number): number {
  return payments.number(row, PAYMENT.order);
}

function readAmount(
  payments: RowTable,
  row: number,
  ids: AddressIds<Address>,
): Pick<CasePayment, 'from' | 'to' | 'lamports'> {
  return {
    from: ids.addressOf(payments.number(row, PAYMENT.from)),
    to: ids.addressOf(payments.number(row, PAYMENT.to)),
    lamports: asLamports(payments.bigint(row, PAYMENT.lamports)),
  };
}
