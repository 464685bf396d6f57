import type { CasePayment, MintCase } from '../../model/mint-case.ts';
import type { Address } from '../../model/units.ts';
import { compareText } from './block-order.ts';
import { isTrader } from './traders.ts';

/** Maximum number of wallets in a search (METHODS §7.8). */
export const LOOP_NODES_MAX = 512;

/** Wallets among which SOL circulates. */
export interface PaymentLoop {
  /** By address. */
  readonly wallets: readonly Address[];
  /**
   * Smaller of paid and received divided by the larger, of the wallet where it is highest; 0 to 1.
   */
  readonly returned: number;
  /** Payments among these wallets, in the given order. */
  readonly payments: readonly CasePayment[];
}

/**
 * Strongly connected groups of payments with at least one of these wallets in each, the one with
 * the highest return first. Searches the wallets and those they pay or are paid by, at most 512.
 */
export function findPaymentLoops(
  mintCase: MintCase,
  wallets: ReadonlySet<Address>,
  payments: readonly CasePayment[],
): readonly PaymentLoop[] {
  const usable = payments.filter(
    ({ from, to }) => from !== to && isTrader(mintCase, from) && isTrader(mintCase, to),
  );
  const nodes = neighbourhood(wallets, usable);
  const inside = usable.filter(({ from, to }) => nodes.has(from) && nodes.has(to));
  return connectedGroups([...nodes].toSorted(compareText), inside)
    .filter((group) => group.length > 1 && group.some((wallet) => wallets.has(wallet)))
    .map((group) => toLoop(group, inside))
    .toSorted(
      (one, other) =>
        other.returned - one.returned || compareText(one.wallets[0] ?? '', other.wallets[0] ?? ''),
    );
}

function neighbourhood(
  wallets: ReadonlySet<Address>,
  payments: readonly CasePayment[],
): ReadonlySet<Address> {
  const near = new Set<Address>();
  for (const { from, to } of payments) {
    if (wallets.has(from)) near.add(to);
    if (wallets.has(to)) near.add(from);
  }
  const ordered = [
    ...[...wallets].toSorted(compareText),
    ...[...near].filter((wallet) => !wallets.has(wallet)).toSorted(compareText),
  ];
  return new Set(ordered.slice(0, LOOP_NODES_MAX));
}

function toLoop(group: readonly Address[], payments: readonly CasePayment[]): PaymentLoop {
  const members = new Set(group);
  const among = payments.filter(({ from, to }) => members.has(from) && members.has(to));
  const paid = new Map<Address, bigint>();
  const got = new Map<Address, bigint>();
  for (const { from, to, lamports } of among) {
    paid.set(from, (paid.get(from) ?? 0n) + lamports);
    got.set(to, (got.get(to) ?? 0n) + lamports);
  }
  const returned = Math.max(
    ...group.map((wallet) => evenness(paid.get(wallet) ?? 0n, got.get(wallet) ?? 0n)),
  );
  return { wallets: [...group].toSorted(compareText), returned, payments: among };
}

/** Smaller amount divided by the larger one; 1 if everything returns, 0 if either is zero. */
function evenness(one: bigint, other: bigint): number {
  const [less, more] = one < other ? [one, other] : [other, one];
  return more === 0n ? 0 : Number(less) / Number(more);
}

/** Tarjan's strongly connected components, with an explicit stack instead of recursion. */
function connectedGroups(
  nodes: readonly Address[],
  payments: readonly CasePayment[],
): readonly (readonly Address[])[] {
  const targets = new Map<Address, Set<Address>>();
  for (const { from, to } of payments) {
    const set = targets.get(from);
    if (set === undefined) targets.set(from, new Set([to]));
    else set.add(to);
  }
  const search = new ComponentSearch(targets);
  for (const node of nodes) search.visit(node);
  return search.groups;
}

interface Frame {
  readonly node: Address;
  readonly targets: readonly Address[];
  next: number;
}

class ComponentSearch {
  readonly groups: Address[][] = [];
  private readonly targets: ReadonlyMap<Address, ReadonlySet<Address>>;
  private readonly found = new Map<Address, number>();
  private readonly lowest = new Map<Address, number>();
  private readonly open: Address[] = [];
  private readonly isOpen = new Set<Address>();

  constructor(targets: ReadonlyMap<Address, ReadonlySet<Address>>) {
    this.targets = targets;
  }

  visit(start: Address): void {
    if (this.found.has(start)) return;
    const frames = [this.enter(start)];
    for (let frame = frames.at(-1); frame !== undefined; frame = frames.at(-1)) {
      const target = frame.targets[frame.next++];
      if (target === undefined) {
        this.leave(frame.node);
        frames.pop();
        const parent = frames.at(-1);
        if (parent !== undefined) this.lower(parent.node, this.lowestOf(frame.node));
      } else if (!this.found.has(target)) frames.push(this.enter(target));
      else if (this.isOpen.has(target)) this.lower(frame.node, this.found.get(target) ?? 0);
    }
  }

  private enter(node: Address): Frame {
    const index = this.found.size;
    this.found.set(node, index);
    this.lowest.set(node, index);
    this.open.push(node);
    this.isOpen.add(node);
    return { node, targets: [...(this.targets.get(node) ?? [])], next: 0 };
  }

  /** A node that reaches no older node closes a group with all nodes after it. */
  private leave(node: Address): void {
    if (this.lowestOf(node) !== this.found.get(node)) return;
    const group: Address[] = [];
    for (let last = this.open.pop(); last !== undefined; last = this.open.pop()) {
      this.isOpen.delete(last);
      group.push(last);
      if (last === node) break;
    }
    this.groups.push(group);
  }

  private lowestOf(node: Address): number {
    return this.lowest.get(node) ?? 0;
  }

  private lower(node: Address, index: number): void {
    if (index < this.lowestOf(node)) this.lowest.set(node, index);
  }
}
