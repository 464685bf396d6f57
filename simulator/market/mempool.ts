import type { TransactionRequest } from '../chain/run-transaction.ts';
import { log } from '../random/portable-math.ts';
import type { Random } from '../random/random.ts';
import type { Order, Placement, SentOrder } from './order.ts';

/** An order with its signed transaction. */
export interface SignedOrder {
  readonly order: Order;
  readonly request: TransactionRequest;
}

/** Orders that are included all or none, in sequence: a bundle, or a single order. */
export interface OrderGroup extends SentOrder {
  readonly members: readonly SignedOrder[];
  readonly behind: number | null;
  readonly sentSlot: number;
  readonly urgency: number;
}

/** Number of slots for which an order stays valid: the lifetime of a recent blockhash. */
const LIFETIME_SLOTS = 150;

/** Orders that have been sent and are not in a block yet. */
export class Mempool {
  private readonly random: Random;
  private groups: OrderGroup[] = [];
  private nextId = 0;

  constructor(random: Random) {
    this.random = random;
  }

  get size(): number {
    return this.groups.length;
  }

  /** Throws RangeError for an empty bundle. */
  send(members: readonly SignedOrder[], slot: number, { behind }: Placement = {}): SentOrder {
    if (members.length === 0) throw new RangeError('a bundle must not be empty');
    const highest = Math.max(...members.map(({ order }) => order.priority ?? 0));
    const group: OrderGroup = {
      id: this.nextId++,
      members,
      behind: behind?.id ?? null,
      sentSlot: slot,
      urgency: log(1 + highest) + this.random.unit(),
    };
    this.groups.push(group);
    return group;
  }

  /** Removes the groups that fit into one block, in block order, and the expired ones. */
  take(slot: number, capacity: number): { placed: OrderGroup[]; expired: OrderGroup[] } {
    const isLate = (group: OrderGroup): boolean => group.sentSlot + LIFETIME_SLOTS < slot;
    const expired = this.groups.filter(isLate);
    const waiting = this.groups.filter((group) => !isLate(group));
    waiting.sort((a, b) => b.urgency - a.urgency || a.id - b.id);
    const ordered = withFollowers(waiting);
    const placed: OrderGroup[] = [];
    const left: OrderGroup[] = [];
    let count = 0;
    for (const group of ordered) {
      const fits = count + group.members.length <= capacity;
      (fits ? placed : left).push(group);
      if (fits) count += group.members.length;
    }
    this.groups = left;
    return { placed, expired };
  }

  /** Returns the groups of undone blocks. */
  putBack(groups: readonly OrderGroup[]): void {
    this.groups.push(...groups);
  }
}

/** Moves groups with `behind` directly after the group they follow, the more urgent first. */
function withFollowers(sorted: readonly OrderGroup[]): OrderGroup[] {
  const present = new Set(sorted.map(({ id }) => id));
  const followers = new Map<number, OrderGroup[]>();
  const leading: OrderGroup[] = [];
  for (const group of sorted) {
    const { behind } = group;
    if (behind === null || !present.has(behind)) leading.push(group);
    else followers.set(behind, [...(followers.get(behind) ?? []), group]);
  }
  const ordered: OrderGroup[] = [];
  const append = (group: OrderGroup): void => {
    ordered.push(group);
    followers.get(group.id)?.forEach(append);
  };
  leading.forEach(append);
  return ordered;
}
