import type { AddressIds } from '../../lib/address-ids.ts';
import { PairIndex } from '../../lib/pair-index.ts';
import { type Field, RowTable, rowLayout } from '../../lib/row-table.ts';
import type { UndoLog } from '../../lib/undo-log.ts';
import type { CasePayment } from '../../model/mint-case.ts';
import type { Address, Lamports } from '../../model/units.ts';
import { AgeQueue } from './age-queue.ts';
import { BoundedLogs } from './bounded-logs.ts';
import type { CaseBounds, CaseCounts } from './case-bounds.ts';
import { isWord, PAYMENT_LAYOUT, readPlace, writePlace } from './case-rows.ts';

/** Logs are numbers plus one, 0 for none. */
export const WALLET_LAYOUT = rowLayout({
  wallet: 'u32',
  older: 'u32',
  newer: 'u32',
  paid: 'u32',
  received: 'u32',
});
const WALLET = WALLET_LAYOUT.fields;
const PAYMENT = PAYMENT_LAYOUT.fields;

/**
 * What wallets paid and were paid, each direction bounded; the wallet that did neither for longest
 * makes room. A payment is one row of 120 bytes for both wallets.
 */
export class PaymentLogs {
  private readonly undo: UndoLog;
  private readonly ids: AddressIds<Address>;
  private readonly walletsMax: number;
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
    this.counts = counts;
    this.payments = new RowTable(PAYMENT_LAYOUT, undo);
    this.paid = new BoundedLogs(this.payments, PAYMENT.nextOfFrom, bounds.payments, undo);
    this.received = new BoundedLogs(this.payments, PAYMENT.nextOfTo, bounds.payments, undo);
    this.wallets = new RowTable(WALLET_LAYOUT, undo);
    this.index = new PairIndex(undo);
    this.queue = new AgeQueue(this.wallets, WALLET, undo);
  }

  /** False for an amount that 64 bits cannot hold, of which nothing is kept. */
  apply(payment: CasePayment): boolean {
    if (!isWord(payment.lamports)) return false;
    const { payments } = this;
    const from = this.ids.idOf(payment.from);
    const to = this.ids.idOf(payment.to);
    const entry = payments.add();
    writePlace(payments, entry, PAYMENT, payment);
    payments.setBigint(entry, PAYMENT.lamports, payment.lamports);
    payments.setNumber(entry, PAYMENT.from, from);
    payments.setNumber(entry, PAYMENT.to, to);
    payments.setNumber(entry, PAYMENT.logs, 2);
    this.undo.keep(this.progress);
    payments.setNumber(entry, PAYMENT.order, this.progress.payments++);
    this.append(this.paid, WALLET.paid, this.touch(from), entry);
    this.append(this.received, WALLET.received, this.touch(to), entry);
    while (this.queue.size > this.walletsMax) this.forgetOldest();
    return true;
  }

  /** What any of these paid or was paid, each payment once, in block order. */
  of(wallets: Iterable<Address>): CasePayment[] {
    const found = new Set<number>();
    for (const wallet of wallets) {
      const id = this.ids.find(wallet);
      const row = id === -1 ? -1 : this.index.get(0, id);
      if (row === -1) continue;
      for (const entry of this.listOf(this.paid, WALLET.paid, row)) found.add(entry);
      for (const entry of this.listOf(this.received, WALLET.received, row)) found.add(entry);
    }
    return [...found]
      .sort((one, other) => this.orderOf(one) - this.orderOf(other))
      .map((entry) => this.read(entry));
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
      yield `case wallet ${wallet}`;
      for (const entry of this.listOf(this.paid, WALLET.paid, row)) {
        yield `case paid ${wallet} ${this.describe(entry)}`;
      }
      for (const entry of this.listOf(this.received, WALLET.received, row)) {
        yield `case received ${wallet} ${this.describe(entry)}`;
      }
    }
  }

  /** The row of a wallet, which then is the last to make room. */
  private touch(id: number): number {
    const known = this.index.get(0, id);
    if (known !== -1) {
      this.queue.remove(known);
      this.queue.push(known);
      return known;
    }
    const row = this.wallets.add();
    this.wallets.setNumber(row, WALLET.wallet, id);
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

  private listOf(logs: BoundedLogs, field: Field<'u32'>, row: number): number[] {
    const log = this.wallets.number(row, field);
    return log === 0 ? [] : logs.list(log - 1);
  }

  private orderOf(entry: number): number {
    return this.payments.number(entry, PAYMENT.order);
  }

  private read(entry: number): CasePayment {
    const { payments, ids } = this;
    return {
      ...readPlace(payments, entry, PAYMENT),
      from: ids.addressOf(payments.number(entry, PAYMENT.from)),
      to: ids.addressOf(payments.number(entry, PAYMENT.to)),
      lamports: payments.bigint(entry, PAYMENT.lamports) as Lamports,
    };
  }

  private describe(entry: number): string {
    const { slot, txIndex, timeMs, signature, from, to, lamports } = this.read(entry);
    const place = `${this.orderOf(entry)} ${slot} ${txIndex} ${timeMs} ${signature}`;
    return `${place} ${from} ${to} ${lamports}`;
  }
}
