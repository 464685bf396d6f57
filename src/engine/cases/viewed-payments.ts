import type { PaymentLogs } from '../../fraud/cases/payment-logs.ts';
import { type IsService, paymentsAround, type WalkBounds } from '../../fraud/cases/payment-walk.ts';
import type { CasePayment } from '../../model/mint-case.ts';
import type { Address } from '../../model/units.ts';

/** Shared: most wallets paid nobody. */
const NOTHING: readonly CasePayment[] = [];

/** How payments are followed onward from the wallets of a case. */
export interface PaymentWalk extends WalkBounds {
  readonly isService: IsService;
}

/**
 * The payments of a viewed case, followed when they are read. Valid until the next slot is applied.
 */
export class ViewedPayments {
  private readonly logs: PaymentLogs;
  /** Numbers of the wallets named in the case, -1 for one without a number. */
  private readonly named: readonly number[];
  private readonly walk: PaymentWalk;
  #all: readonly CasePayment[] | null = null;
  #receivedByPayer: ReadonlyMap<number, readonly number[]> | null = null;

  constructor(logs: PaymentLogs, named: Iterable<Address>, walk: PaymentWalk) {
    this.logs = logs;
    this.named = Array.from(named, (wallet) => logs.idOf(wallet));
    this.walk = walk;
  }

  /** Payments to and from the named wallets and onward from their payees, in block order. */
  get all(): readonly CasePayment[] {
    const { logs, named, walk } = this;
    this.#all ??= logs.viewAll(paymentsAround(logs, named, walk, walk.isService));
    return this.#all;
  }

  /**
   * Payments from one wallet at a time or later, in block order: those in its own log, and those
   * that have left it but are still in the log of a named wallet that received them.
   */
  from(payer: Address, sinceMs: number): readonly CasePayment[] {
    const { logs } = this;
    const rows = this.rowsFrom(logs.idOf(payer)).filter((row) => logs.timeMsOf(row) >= sinceMs);
    return rows.length === 0 ? NOTHING : logs.viewAll(rows);
  }

  private rowsFrom(id: number): readonly number[] {
    const { logs } = this;
    const paid = logs.paidById(id);
    if (!logs.isPaidFull(id)) return paid;
    const received = this.receivedByPayer.get(id);
    return received === undefined ? paid : logs.inOrder(new Set([...paid, ...received]));
  }

  private get receivedByPayer(): ReadonlyMap<number, readonly number[]> {
    const { logs, named } = this;
    this.#receivedByPayer ??= Map.groupBy(
      named.flatMap((id) => logs.receivedById(id)),
      (entry) => logs.payerIdOf(entry),
    );
    return this.#receivedByPayer;
  }
}
