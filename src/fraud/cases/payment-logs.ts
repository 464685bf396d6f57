import type { AddressIds } from '../../lib/address-ids.ts';
import { PairIndex } from '../../lib/pair-index.ts';

import type { Field } from '../../lib/row-layout.ts';
import { RowTable } from '../../lib/row-table.ts';
import type { UndoLog } from '../../lib/undo-log.ts';
import type { CasePayment } from '../../model/mint-case.ts';
import type { Address } from '../../model/units.ts';
import { AgeQueue } from './age-queue.ts';
import { BoundedLogs } from './bounded-logs.ts';
import type { CaseBounds, CaseCounts } from './case-bounds.ts';
import { isTransactionRef, isWord, PAYMENT_LAYOUT, writeTransactionRef } from './case-rows.ts';
import {
  describePayment,
  inBlockOrder,
  type PaymentFlow,
  readPayment,
  readPaymentFlow,
} from './payment-row.ts';
import { PaymentView } from './payment-view.ts';
import {
  countTransaction,
  type PaymentWallet,
  readPaymentWallet,
  WALLET_LAYOUT,
} from './payment-wallet.ts';

const WALLET = WALLET_LAYOUT.fields;
const PAYMENT = PAYMENT_LAYOUT.fields;

/** Shared: most wallets have no payments in one of the directions. */
const NOTHING: readonly number[] = [];

/**
 * Payments from and to wallets, with a bound per direction. The least recently active wallet is
 * evicted when there are too many wallets or payments. A payment is one row of 120 bytes that both
 * wallets share.
 */
export class PaymentLogs {
  private readonly undo: UndoLog;
  private readonly ids: AddressIds<Address>;
  private readonly walletsMax: number;
  private readonly paymentsMax: number;
  private readonly counts: CaseCounts;
  private readonly payments: RowTable;
  private readonly paid: BoundedLogs;
  private readonly received: BoundedLogs;
  private readonly wallets: RowTable;
  private readonly index: PairIndex;
  private readonly queue: AgeQueue;
  private readonly progress = { payments: 0 };

  /** Evictions are added to `counts`, which may be shared. */
  constructor(ids: AddressIds<Address>, bounds: CaseBounds, counts: CaseCounts, undo: UndoLog) {
    this.undo = undo;
    this.ids = ids;
    this.walletsMax = bounds.walletsMax;
    this.paymentsMax = bounds.paymentRowsMax;
    this.counts = counts;
    this.payments = new RowTable(PAYMENT_LAYOUT, undo);
    this.paid = new BoundedLogs(this.payments, PAYMENT.nextOfFrom, bounds.payments, undo);
    this.received = new BoundedLogs(this.payments, PAYMENT.nextOfTo, bounds.payments, undo);
    this.wallets = new RowTable(WALLET_LAYOUT, undo);
    this.index = new PairIndex(undo);
    this.queue = new AgeQueue(this.wallets, WALLET, undo);
  }

  /** Stores a payment; returns false for one that rows cannot store. */
  apply(payment: CasePayment): boolean {
    if (!isWord(payment.lamports) || !isTransactionRef(payment)) return false;
    const { payments } = this;
    const from = this.ids.idOf(payment.from);
    const to = this.ids.idOf(payment.to);
    const entry = payments.add();
    const { page, at } = writeTransactionRef(payments, entry, PAYMENT, payment);
    page.setBigUint64(at + PAYMENT.lamports.offset, payment.lamports, true);
    page.setUint32(at + PAYMENT.from.offset, from, true);
    page.setUint32(at + PAYMENT.to.offset, to, true);
    page.setUint8(at + PAYMENT.logs.offset, 2);
    this.undo.keep(this.progress);
    page.setFloat64(at + PAYMENT.order.offset, this.progress.payments++, true);
    const isPayerNew = this.index.get(0, from) === -1;
    this.append(this.paid, WALLET.paid, this.touch(from, payment), entry);
    if (isPayerNew) this.markOlder(payment.from);
    this.append(this.received, WALLET.received, this.touch(to, payment), entry);
    while (this.queue.size > this.walletsMax) this.forgetOldest();
    while (payments.size > this.paymentsMax && this.queue.size > 2) this.forgetOldest();
    return true;
  }

  /** Payments from or to any of the wallets, each once, in block order. */
  of(wallets: Iterable<Address>): CasePayment[] {
    const found = new Set<number>();
    for (const wallet of wallets) {
      for (const entry of this.paidBy(wallet)) found.add(entry);
      for (const entry of this.receivedBy(wallet)) found.add(entry);
    }
    return this.readAll(this.inOrder(found));
  }

  /** Rows of the payments from a wallet, oldest first. */
  paidBy(wallet: Address): readonly number[] {
    return this.paidById(this.ids.find(wallet));
  }

  /** Rows of the payments to a wallet, oldest first. */
  receivedBy(wallet: Address): readonly number[] {
    return this.receivedById(this.ids.find(wallet));
  }

  /** The number of a wallet, for repeated lookups; -1 when it has none. */
  idOf(wallet: Address): number {
    return this.ids.find(wallet);
  }

  /** Throws RangeError for an unknown number. */
  addressOf(id: number): Address {
    return this.ids.addressOf(id);
  }

  /** Same as `paidBy`, by the number of the wallet; empty for -1. */
  paidById(id: number): readonly number[] {
    const row = id === -1 ? -1 : this.index.get(0, id);
    return row === -1 ? NOTHING : this.listOf(this.paid, WALLET.paid, row);
  }

  /** Same as `receivedBy`, by the number of the wallet; empty for -1. */
  receivedById(id: number): readonly number[] {
    const row = id === -1 ? -1 : this.index.get(0, id);
    return row === -1 ? NOTHING : this.listOf(this.received, WALLET.received, row);
  }

  payerOf(entry: number): Address {
    return this.ids.addressOf(this.payerIdOf(entry));
  }

  payerIdOf(entry: number): number {
    return this.payments.number(entry, PAYMENT.from);
  }

  payeeIdOf(entry: number): number {
    return this.payments.number(entry, PAYMENT.to);
  }

  /** Reads the payments of rows as plain objects, in the given order. */
  readAll(entries: readonly number[]): CasePayment[] {
    return entries.map((entry) => readPayment(this.payments, entry, this.ids));
  }

  /** Views of the payments of rows, valid until the logs change. */
  viewAll(entries: readonly number[]): CasePayment[] {
    return entries.map((entry) => new PaymentView(this.payments, entry, this.ids));
  }

  /** Reads payments without their transactions: encoding signatures is the most expensive part. */
  readFlows(entries: readonly number[]): PaymentFlow[] {
    return entries.map((entry) => readPaymentFlow(this.payments, entry, this.ids));
  }

  /** Sorts rows into block order. */
  inOrder(entries: Iterable<number>): number[] {
    return inBlockOrder(this.payments, entries);
  }

  /** Whether a wallet has stored payments. */
  has(wallet: Address): boolean {
    return this.find(wallet) !== -1;
  }

  /** The first time a wallet was seen; null for a wallet without stored payments. */
  walletOf(wallet: Address): PaymentWallet | null {
    const row = this.find(wallet);
    return row === -1 ? null : readPaymentWallet(this.wallets, row);
  }

  /** Counts a transaction of a wallet, if it has stored payments. */
  noteTransaction(wallet: Address): void {
    const row = this.find(wallet);
    if (row !== -1) countTransaction(this.wallets, row);
  }

  /** Marks a wallet as older than its first payment, if it has stored payments. */
  markOlder(wallet: Address): void {
    const row = this.find(wallet);
    if (row !== -1) this.wallets.setNumber(row, WALLET.isOlder, 1);
  }

  /** Number of wallets with stored payments. */
  get size(): number {
    return this.queue.size;
  }

  get allocatedBytes(): number {
    const { payments, paid, received, wallets, index } = this;
    const logs = paid.table.allocatedBytes + received.table.allocatedBytes;
    return payments.allocatedBytes + logs + wallets.allocatedBytes + index.allocatedBytes;
  }

  /** Wallets in eviction order. */
  *digestRows(): Iterable<string> {
    for (const row of this.queue.all()) {
      const wallet = this.ids.addressOf(this.wallets.number(row, WALLET.wallet));
      const { slot, timeMs, isOlder, transactions } = readPaymentWallet(this.wallets, row);
      yield `case wallet ${wallet} ${slot} ${timeMs} ${isOlder} ${transactions}`;
      for (const entry of this.listOf(this.paid, WALLET.paid, row)) {
        yield `case paid ${wallet} ${describePayment(this.payments, entry, this.ids)}`;
      }
      for (const entry of this.listOf(this.received, WALLET.received, row)) {
        yield `case received ${wallet} ${describePayment(this.payments, entry, this.ids)}`;
      }
    }
  }

  /** The row of a wallet, which becomes the last to be evicted. */
  private touch(id: number, { slot, timeMs }: CasePayment): number {
    const known = this.index.get(0, id);
    if (known !== -1) {
      this.queue.renew(known);
      return known;
    }
    const row = this.wallets.add();
    this.wallets.setNumber(row, WALLET.wallet, id);
    this.wallets.setNumber(row, WALLET.firstSlot, slot);
    this.wallets.setNumber(row, WALLET.firstMs, timeMs);
    this.index.set(0, id, row);
    this.queue.push(row);
    return row;
  }

  private append(logs: BoundedLogs, field: Field<'u32'>, row: number, entry: number): void {
    let log = this.wallets.number(row, field);
    if (log === 0) {
      log = logs.open() + 1;
      this.wallets.setNumber(row, field, log);
    }
    const cut = logs.append(log - 1, entry);
    if (cut === -1) return;
    this.undo.keep(this.counts);
    this.counts.paymentsCut++;
    this.release(cut);
  }

  private forgetOldest(): void {
    const row = this.queue.oldest;
    for (const [logs, field] of [
      [this.paid, WALLET.paid],
      [this.received, WALLET.received],
    ] as const) {
      const log = this.wallets.number(row, field);
      if (log === 0) continue;
      for (const entry of logs.close(log - 1)) this.release(entry);
    }
    this.queue.remove(row);
    this.index.delete(0, this.wallets.number(row, WALLET.wallet));
    this.wallets.remove(row);
    this.undo.keep(this.counts);
    this.counts.walletsCut++;
  }

  /** Removes the payment from one of its logs; frees the row when no log contains it. */
  private release(entry: number): void {
    const left = this.payments.number(entry, PAYMENT.logs) - 1;
    if (left === 0) this.payments.remove(entry);
    else this.payments.setNumber(entry, PAYMENT.logs, left);
  }

  private find(wallet: Address): number {
    const id = this.ids.find(wallet);
    return id === -1 ? -1 : this.index.get(0, id);
  }

  private listOf(logs: BoundedLogs, field: Field<'u32'>, row: number): readonly number[] {
    const log = this.wallets.number(row, field);
    return log === 0 ? NOTHING : logs.list(log - 1);
  }
}
