import type { Address } from '../../model/units.ts';
import type { PaymentLogs } from './payment-logs.ts';

/** Limits for following money from the wallets of a case. */
export interface WalkBounds {
  /** Maximum number of outgoing payment steps. */
  readonly stepsMax: number;
  /**
   * No further wallet is followed once this many payments are found; those of the wallets where a
   * walk begins are all found.
   */
  readonly paymentsMax: number;
  /** No further payers are added once this many wallets are known. */
  readonly walletsMax: number;
}

/**
 * Whether the wallet of a number is a service. Money is not followed beyond them, because they mix
 * the money of all their users.
 */
export type IsService = (wallet: number) => boolean;

/**
 * The wallets of a case, each once, in order of addition. Wallets with a number are identified by
 * it: a walk visits the same wallets many times, and address lookups would dominate its cost.
 */
export class CaseWallets {
  readonly addresses: Address[] = [];
  /** Numbers of the wallets, in the same order; -1 for one without a number. */
  readonly ids: number[] = [];
  private readonly numbered = new Set<number>();
  private readonly others = new Set<Address>();
  private readonly logs: PaymentLogs;

  constructor(logs: PaymentLogs) {
    this.logs = logs;
  }

  get size(): number {
    return this.addresses.length;
  }

  add(address: Address): void {
    const id = this.logs.idOf(address);
    if (id !== -1) {
      this.addId(id, address);
      return;
    }
    if (this.others.has(address)) return;
    this.others.add(address);
    this.addresses.push(address);
    this.ids.push(-1);
  }

  /** `address` is the address of the number, if the caller knows it. */
  addId(id: number, address?: Address): void {
    if (this.numbered.has(id)) return;
    this.numbered.add(id);
    this.addresses.push(address ?? this.logs.addressOf(id));
    this.ids.push(id);
  }
}

/**
 * Rows of the payments to these wallets, from them, and onward from their payees, in block order.
 * `named` are the numbers of the wallets, -1 for one without a number.
 */
export function paymentsAround(
  logs: PaymentLogs,
  named: readonly number[],
  bounds: WalkBounds,
  isService: IsService,
): readonly number[] {
  const found = new Set<number>();
  for (const id of named) for (const entry of logs.receivedById(id)) found.add(entry);
  followPaid(logs, named, found, { ...bounds, isService });
  return logs.inOrder(found);
}

/** Adds the payers and payees of payments, in that order, payment by payment. */
export function addParties(
  logs: PaymentLogs,
  caseWallets: CaseWallets,
  rows: readonly number[],
): void {
  for (const entry of rows) {
    caseWallets.addId(logs.payerIdOf(entry));
    caseWallets.addId(logs.payeeIdOf(entry));
  }
}

/** Adds to `found` the payments from these wallets and onward from their payees. */
function followPaid(
  logs: PaymentLogs,
  named: readonly number[],
  found: Set<number>,
  { stepsMax, paymentsMax, isService }: WalkBounds & { readonly isService: IsService },
): void {
  const seen = new Set(named);
  let level = addPaid(logs, named, { found, seen, foundMax: Number.POSITIVE_INFINITY });
  for (let step = 1; step < stepsMax && level.length > 0; step++) {
    const wallets = level.filter((id) => !isService(id));
    level = addPaid(logs, wallets, { found, seen, foundMax: paymentsMax });
  }
}

interface Walked {
  readonly found: Set<number>;
  readonly seen: Set<number>;
  readonly foundMax: number;
}

/** Adds the payments from these wallets, and returns the payees that were not seen before. */
function addPaid(logs: PaymentLogs, payers: readonly number[], walked: Walked): number[] {
  const { found, seen, foundMax } = walked;
  const payees: number[] = [];
  for (const id of payers) {
    if (found.size >= foundMax) return [];
    for (const entry of logs.paidById(id)) {
      found.add(entry);
      const payee = logs.payeeIdOf(entry);
      if (seen.has(payee)) continue;
      seen.add(payee);
      payees.push(payee);
    }
  }
  return payees;
}

/** Adds the payers of these wallets, their payers, and so on, except payers of services. */
export function addPayers(
  logs: PaymentLogs,
  caseWallets: CaseWallets,
  { walletsMax }: WalkBounds,
  isService: IsService,
): void {
  // The list grows during the iteration.
  for (const id of caseWallets.ids) {
    if (caseWallets.size >= walletsMax) return;
    if (id === -1) continue;
    const received = logs.receivedById(id);
    if (received.length === 0 || isService(id)) continue;
    for (const entry of received) caseWallets.addId(logs.payerIdOf(entry));
  }
}
