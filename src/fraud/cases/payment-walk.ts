import type { Address } from '../../model/units.ts';
import type { PaymentLogs } from './payment-logs.ts';

/** How far money is followed from those who trade. */
export interface WalkBounds {
  /** Steps on from whom they paid. */
  readonly stepsMax: number;
  /** Once so many were found no further step is made. */
  readonly paymentsMax: number;
  /** Once so many wallets are known no further payers are looked for. */
  readonly walletsMax: number;
}

/** Money is not followed behind services: what came to them is everybody's. */
export type IsService = (address: Address) => boolean;

/**
 * Everybody of a case, each once, in the order of coming in. Wallets of which payments are kept go by
 * their number: a walk meets the same ones again and again, and to look an address up each time takes
 * longer than all else.
 */
export class CasePeople {
  readonly addresses: Address[] = [];
  /** Of each of them, in the same order; -1 for one that has no number. */
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

  /** `address` is that of the number, where it is known. */
  addId(id: number, address?: Address): void {
    if (this.numbered.has(id)) return;
    this.numbered.add(id);
    this.addresses.push(address ?? this.logs.addressOf(id));
    this.ids.push(id);
  }
}

/**
 * Rows of what these people were paid, what they paid, and what was paid on from there, in block order.
 * Who was paid or paid is added to `people`, in that order.
 */
export function paymentsAround(
  logs: PaymentLogs,
  people: CasePeople,
  bounds: WalkBounds,
  isService: IsService,
): readonly number[] {
  const named = people.ids.slice();
  const found = new Set<number>();
  for (const id of named) for (const entry of logs.receivedById(id)) found.add(entry);
  followPaid(logs, named, found, { ...bounds, isService });
  const rows = logs.inOrder(found);
  for (const entry of rows) {
    people.addId(logs.payerIdOf(entry));
    people.addId(logs.payeeIdOf(entry));
  }
  return rows;
}

/** Adds to `found` what wallets paid and what was paid on from there. */
function followPaid(
  logs: PaymentLogs,
  named: readonly number[],
  found: Set<number>,
  { stepsMax, paymentsMax, isService }: WalkBounds & { readonly isService: IsService },
): void {
  const seen = new Set(named);
  let level = named;
  for (let step = 0; step < stepsMax && level.length > 0 && found.size < paymentsMax; step++) {
    const next: number[] = [];
    for (const entry of level.flatMap((id) => logs.paidById(id))) {
      found.add(entry);
      const payee = logs.payeeIdOf(entry);
      if (seen.has(payee)) continue;
      seen.add(payee);
      if (!isService(logs.addressOf(payee))) next.push(payee);
    }
    level = next;
  }
}

/** Adds who paid these people, and who paid those, and so on; services' payers left out. */
export function addPayers(
  logs: PaymentLogs,
  people: CasePeople,
  { walletsMax }: WalkBounds,
  isService: IsService,
): void {
  // Grows while it is walked.
  for (const [place, address] of people.addresses.entries()) {
    if (people.size >= walletsMax) return;
    const id = people.ids[place] ?? -1;
    if (id === -1) continue;
    const received = logs.receivedById(id);
    if (received.length === 0 || isService(address)) continue;
    for (const entry of received) people.addId(logs.payerIdOf(entry));
  }
}
