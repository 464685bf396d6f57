import type { TransactionRequest } from '../chain/run-transaction.ts';
import { log } from '../portable-math.ts';
import type { Random } from '../random.ts';
import type { Order, Placement, SentOrder } from './order.ts';

/** An order with the signed transaction it became. */
export interface SignedOrder {
  readonly order: Order;
  readonly request: TransactionRequest;
}

/** Orders that stand or fall together, in their order: a bundle, or one alone. */
export interface OrderGroup extends SentOrder {
  readonly members: readonly SignedOrder[];
  readonly behind: number | null;
  readonly sentSlot: number;
  readonly urgency: number;
}

/** How many slots an order waits for a place: what a recent blockhash is good for. */
const LIFETIME_SLOTS = 150;

/** What has been sent and stands in no block yet. */
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

  /** Throws RangeError for a bundle of nothing. */
  send(members: readonly SignedOrder[], slot: number, { behind }: Placement = {}): SentOrder {
    if (members.length === 0) throw new RangeError('nothing is sent');
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

  /** Takes out what one block has room for, in the order it stands there, and what came too late. */
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

  /** Puts back what stood in blocks that were taken back. */
  putBack(groups: readonly OrderGroup[]): void {
    this.groups.push(...groups);
  }
}

/** Moves groups that want to stand behind another one directly behind it, the more urgent first. */
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
  const place = (group: OrderGroup): void => {
    ordered.push(group);
    followers.get(group.id)?.forEach(place);
  };
  leading.forEach(place);
  return ordered;
}
