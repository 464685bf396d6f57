import type { AddressIds } from '../../lib/address-ids.ts';
import { IdRows } from '../../lib/id-rows.ts';
import type { RecentById } from '../../lib/recent-by-id.ts';
import type { Field } from '../../lib/row-layout.ts';
import { RowTable } from '../../lib/row-table.ts';
import { StateValue } from '../../lib/state-value.ts';
import type { UndoLog } from '../../lib/undo-log.ts';
import type { CasePayment } from '../../model/mint-case.ts';
import type { Address } from '../../model/units.ts';
import { BoundedLogs } from './bounded-logs.ts';
import type { CaseBounds, CaseCounts } from './case-bounds.ts';
import { isTransactionRef, isWord, PAYMENT_LAYOUT, writeTransactionRef } from './case-rows.ts';
import { inBlockOrder, type PaymentFlow, readPayment, readPaymentFlow } from './payment-row.ts';
import { PaymentView } from './payment-view.ts';
import {
  countTransaction,
  type PaymentWallet,
  readPaymentWallet,
  WALLET_LAYOUT,
} from './payment-wallet.ts';
import { type ReceivedFlow, ReceivedPayments } from './received-payments.ts';

const WALLET = WALLET_LAYOUT.fields;
const PAYMENT = PAYMENT_LAYOUT.fields;

/** Shared: most wallets have no payments in one of the directions. */
const NOTHING: readonly number[] = [];
const NOTHING_RECEIVED = new ReceivedPayments([]);
/** Wallets whose payments are kept in each direction: those of some hundred cases, in some 10 MB. */
const RECENT_WALLETS_MAX = 2 ** 15;

/**
 * Payments from and to wallets, with a bound per direction. A payment is one row of 120 bytes that
 * both wallets share.
 */
export class PaymentLogs {
  private readonly undo: UndoLog;
  private readonly ids: AddressIds<Address>;
  private readonly counts: CaseCounts;
  private readonly payments: RowTable;
  private readonly paid: BoundedLogs;
  private readonly received: BoundedLogs;
  private readonly wallets: RowTable;
  /** Row by wallet. */
  private readonly index: IdRows;
  private readonly progress: StateValue<{ payments: number }>;
  readonly #paid: RecentById<readonly number[]>;
  readonly #received: RecentById<ReceivedPayments>;

  /** Payments that leave a list are added to `counts`, which may be shared. */
  constructor(ids: AddressIds<Address>, bounds: CaseBounds, counts: CaseCounts, undo: UndoLog) {
    this.undo = undo;
    this.ids = ids;
    this.counts = counts;
    const bound = bounds.payments;
    this.payments = new RowTable(PAYMENT_LAYOUT, undo, 'payments');
    const paid = { next: PAYMENT.nextOfFrom, bound, name: 'payments by payer' };
    this.paid = new BoundedLogs(this.payments, paid, undo);
    const received = { next: PAYMENT.nextOfTo, bound, name: 'payments by payee' };
    this.received = new BoundedLogs(this.payments, received, undo);
    this.wallets = new RowTable(WALLET_LAYOUT, undo, 'wallets of payments');
    this.index = new IdRows(undo, 'wallets of payments by wallet');
    this.progress = new StateValue({ payments: 0 }, undo, 'payment count');
    this.#paid = ids.createRecent(RECENT_WALLETS_MAX);
    this.#received = ids.createRecent(RECENT_WALLETS_MAX);
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
    const progress = this.progress.now;
    this.undo.keep(progress);
    page.setFloat64(at + PAYMENT.order.offset, progress.payments++, true);
    const isPayerNew = this.index.get(from) === -1;
    this.append(this.paid, WALLET.paid, this.rowOf(from, payment), entry);
    if (isPayerNew) this.markOlder(payment.from);
    this.append(this.received, WALLET.received, this.rowOf(to, payment), entry);
    this.#paid.change(this.undo, from);
    this.#received.change(this.undo, to);
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
    const known = this.#paid.get(id);
    if (known !== undefined) return known;
    const row = this.index.get(id);
    const entries = row === -1 ? NOTHING : this.listOf(this.paid, WALLET.paid, row);
    if (id !== -1) this.#paid.set(id, entries);
    return entries;
  }

  /** Same as `receivedBy`, by the number of the wallet; empty for -1. */
  receivedById(id: number): readonly number[] {
    const row = this.index.get(id);
    return row === -1 ? NOTHING : this.listOf(this.received, WALLET.received, row);
  }

  /** The payments to a wallet, given by its number, without their transactions. */
  receivedPayments(id: number): ReceivedPayments {
    const known = this.#received.get(id);
    if (known !== undefined) return known;
    const entries = this.receivedById(id);
    const received =
      entries.length === 0
        ? NOTHING_RECEIVED
        : new ReceivedPayments(entries.map((entry) => this.readReceived(entry)));
    if (id !== -1) this.#received.set(id, received);
    return received;
  }

  /** Whether payments from a wallet, given by its number, may have left its log. */
  isPaidFull(id: number): boolean {
    const row = this.index.get(id);
    const log = row === -1 ? 0 : this.wallets.number(row, WALLET.paid);
    return log !== 0 && this.paid.isFull(log - 1);
  }

  timeMsOf(entry: number): number {
    return this.payments.number(entry, PAYMENT.timeMs);
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

  /**
   * The first time a wallet, given by its number, was seen; null for one without stored payments,
   * and for -1.
   */
  walletById(id: number): PaymentWallet | null {
    const row = this.index.get(id);
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
    return this.wallets.size;
  }

  get allocatedBytes(): number {
    const { payments, paid, received, wallets, index } = this;
    const logs = paid.table.allocatedBytes + received.table.allocatedBytes;
    return payments.allocatedBytes + logs + wallets.allocatedBytes + index.allocatedBytes;
  }

  private readReceived(entry: number): ReceivedFlow {
    const flow = readPaymentFlow(this.payments, entry, this.ids);
    return { ...flow, payer: this.payerIdOf(entry) };
  }

  /** The row of a wallet, which is added if there is none. */
  private rowOf(id: number, { slot, timeMs }: CasePayment): number {
    const known = this.index.get(id);
    if (known !== -1) return known;
    const row = this.wallets.add();
    this.wallets.setNumber(row, WALLET.wallet, id);
    this.wallets.setNumber(row, WALLET.firstSlot, slot);
    this.wallets.setNumber(row, WALLET.firstMs, timeMs);
    this.index.set(id, row);
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

  /** Removes the payment from one of its logs; frees the row when no log contains it. */
  private release(entry: number): void {
    const left = this.payments.number(entry, PAYMENT.logs) - 1;
    if (left === 0) this.payments.remove(entry);
    else this.payments.setNumber(entry, PAYMENT.logs, left);
  }

  private find(wallet: Address): number {
    return this.index.get(this.ids.find(wallet));
  }

  private listOf(logs: BoundedLogs, field: Field<'u32'>, row: number): readonly number[] {
    const log = this.wallets.number(row, field);
    return log === 0 ? NOTHING : logs.list(log - 1);
  }
}
