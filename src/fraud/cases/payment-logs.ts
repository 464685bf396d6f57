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
import { countTransaction, readSight, WALLET_LAYOUT, type WalletSight } from './wallet-sight.ts';

const WALLET = WALLET_LAYOUT.fields;
const PAYMENT = PAYMENT_LAYOUT.fields;

/** Most wallets paid nobody, or were paid by nobody. */
const NOTHING: readonly number[] = [];

/**
 * What wallets paid and were paid, each direction bounded; the wallet that did neither for longest
 * makes room, for another wallet and for payments beyond the bound of all. A payment is one row of 120
 * bytes for both wallets.
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

  /** Cuts are added to `counts`, which others may use too. */
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

  /** False for what rows cannot hold, of which nothing is kept. */
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

  /** What any of these paid or was paid, each payment once, in block order. */
  of(wallets: Iterable<Address>): CasePayment[] {
    const found = new Set<number>();
    for (const wallet of wallets) {
      for (const entry of this.paidBy(wallet)) found.add(entry);
      for (const entry of this.receivedBy(wallet)) found.add(entry);
    }
    return this.readAll(this.inOrder(found));
  }

  /** Rows of what a wallet paid, oldest first. */
  paidBy(wallet: Address): readonly number[] {
    return this.paidById(this.ids.find(wallet));
  }

  /** Rows of what a wallet was paid, oldest first. */
  receivedBy(wallet: Address): readonly number[] {
    return this.receivedById(this.ids.find(wallet));
  }

  /** The number that a wallet is known by here, for whoever asks for many; -1 when it has none. */
  idOf(wallet: Address): number {
    return this.ids.find(wallet);
  }

  /** Throws RangeError for a number that was not given. */
  addressOf(id: number): Address {
    return this.ids.addressOf(id);
  }

  /** As `paidBy`, of the wallet with a number; none of -1. */
  paidById(id: number): readonly number[] {
    const row = id === -1 ? -1 : this.index.get(0, id);
    return row === -1 ? NOTHING : this.listOf(this.paid, WALLET.paid, row);
  }

  /** As `receivedBy`, of the wallet with a number; none of -1. */
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

  /** The payments of rows, as plain objects in the order given. */
  readAll(entries: readonly number[]): CasePayment[] {
    return entries.map((entry) => readPayment(this.payments, entry, this.ids));
  }

  /** The same to be read now, before anything changes. */
  viewAll(entries: readonly number[]): CasePayment[] {
    return entries.map((entry) => new PaymentView(this.payments, entry, this.ids));
  }

  /** The same without their transactions, to write whose signatures costs most of it. */
  readFlows(entries: readonly number[]): PaymentFlow[] {
    return entries.map((entry) => readPaymentFlow(this.payments, entry, this.ids));
  }

  /** Rows in block order. */
  inOrder(entries: Iterable<number>): number[] {
    return inBlockOrder(this.payments, entries);
  }

  /** Whether payments of a wallet are kept. */
  has(wallet: Address): boolean {
    return this.find(wallet) !== -1;
  }

  /** Null for a wallet of which no payment is kept. */
  sightOf(wallet: Address): WalletSight | null {
    const row = this.find(wallet);
    return row === -1 ? null : readSight(this.wallets, row);
  }

  /** Notes that a wallet had a part in one transaction more, if payments of it are kept. */
  noteTransaction(wallet: Address): void {
    const row = this.find(wallet);
    if (row !== -1) countTransaction(this.wallets, row);
  }

  /** Notes that a wallet was there before its first payment, if payments of it are kept. */
  markOlder(wallet: Address): void {
    const row = this.find(wallet);
    if (row !== -1) this.wallets.setNumber(row, WALLET.isOlder, 1);
  }

  /** Wallets of which a payment is kept. */
  get size(): number {
    return this.queue.size;
  }

  get allocatedBytes(): number {
    const { payments, paid, received, wallets, index } = this;
    const logs = paid.table.allocatedBytes + received.table.allocatedBytes;
    return payments.allocatedBytes + logs + wallets.allocatedBytes + index.allocatedBytes;
  }

  /** Wallets as they make room, the next one first. */
  *digestRows(): Iterable<string> {
    for (const row of this.queue.all()) {
      const wallet = this.ids.addressOf(this.wallets.number(row, WALLET.wallet));
      const { slot, timeMs, isOlder, transactions } = readSight(this.wallets, row);
      yield `case wallet ${wallet} ${slot} ${timeMs} ${isOlder} ${transactions}`;
      for (const entry of this.listOf(this.paid, WALLET.paid, row)) {
        yield `case paid ${wallet} ${describePayment(this.payments, entry, this.ids)}`;
      }
      for (const entry of this.listOf(this.received, WALLET.received, row)) {
        yield `case received ${wallet} ${describePayment(this.payments, entry, this.ids)}`;
      }
    }
  }

  /** The row of a wallet, which then is the last to make room. */
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

  /** One of its logs has the payment no more. */
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
