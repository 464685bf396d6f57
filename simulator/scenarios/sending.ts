import type { Landing, Order, Placement } from '../market/order.ts';
import type { World } from '../market/world.ts';
import type { Script } from './script.ts';

/** What became of an order; null for one that no block took. */
export type Outcome = Landing | null;

/** An order without callbacks: those are for whoever waits. */
export type PlainOrder = Omit<Order, 'onLanded' | 'onDropped'>;

/** Most transactions that one bundle holds. */
export const BUNDLE_SIZE_MAX = 5;

/** Sends an order and waits for what becomes of it. */
export function* land(world: World, order: PlainOrder, placement?: Placement): Script<Outcome> {
  const [outcome = null] = yield* landBundle(world, [order], placement);
  return outcome;
}

/** Sends orders as one bundle and waits for what becomes of all. */
export function* landBundle(
  world: World,
  orders: readonly PlainOrder[],
  placement?: Placement,
): Script<readonly Outcome[]> {
  const outcomes: Outcome[] = orders.map(() => null);
  if (orders.length === 0) return outcomes;
  yield (resume) => {
    const { heard } = hear(orders, outcomes, resume);
    world.sendBundle(heard, placement);
  };
  return outcomes;
}

/** Sends groups at once, each a bundle or one order alone, and waits for all of them. */
export function* landGroups(
  world: World,
  groups: readonly (readonly PlainOrder[])[],
  placement?: Placement,
): Script<readonly Outcome[]> {
  const all = groups.flat();
  const outcomes: Outcome[] = all.map(() => null);
  if (all.length === 0) return outcomes;
  yield (resume) => {
    const { heard } = hear(all, outcomes, resume);
    let start = 0;
    for (const { length } of groups) {
      if (length > 0) world.sendBundle(heard.slice(start, start + length), placement);
      start += length;
    }
  };
  return outcomes;
}

/** As `land`, once more when it failed or no block took it, at most `tries` times. */
export function* landSurely(world: World, order: PlainOrder, tries = 3): Script<Outcome> {
  for (let left = tries; left > 0; left--) {
    const outcome = yield* land(world, order);
    if (outcome !== null && !outcome.isFailed) return outcome;
  }
  return null;
}

/** Fills `outcomes` as orders land or drop and calls `resume` behind the last. */
export function hear(
  orders: readonly PlainOrder[],
  outcomes: Outcome[],
  resume: () => void,
): { readonly heard: readonly Order[] } {
  let left = orders.length;
  const note = (index: number, outcome: Outcome): void => {
    outcomes[index] = outcome;
    left--;
    if (left === 0) resume();
  };
  const heard = orders.map((order, index) => ({
    ...order,
    onLanded: (landing: Landing) => note(index, landing),
    onDropped: () => note(index, null),
  }));
  return { heard };
}

/** The first slot of outcomes that succeeded; null without any. */
export function firstSlotOf(outcomes: readonly Outcome[]): number | null {
  const slots = succeeded(outcomes);
  return slots.length === 0 ? null : Math.min(...slots);
}

/** The last slot of outcomes that succeeded; null without any. */
export function lastSlotOf(outcomes: readonly Outcome[]): number | null {
  const slots = succeeded(outcomes);
  return slots.length === 0 ? null : Math.max(...slots);
}

function succeeded(outcomes: readonly Outcome[]): number[] {
  return outcomes.flatMap((outcome) =>
    outcome === null || outcome.isFailed ? [] : [outcome.slot],
  );
}
