import type { Landing, Order, Placement } from '../market/order.ts';
import type { World } from '../market/world.ts';
import type { Script } from './script.ts';

/** The result of an order; null if it was not included in a block. */
export type Outcome = Landing | null;

/** An order without callbacks: those are set by the function that waits. */
export type PlainOrder = Omit<Order, 'onLanded' | 'onDropped'>;

/** Maximum transactions per bundle. */
export const BUNDLE_SIZE_MAX = 5;

/** Sends an order and waits for its outcome. */
export function* land(world: World, order: PlainOrder, placement?: Placement): Script<Outcome> {
  const [outcome = null] = yield* landBundle(world, [order], placement);
  return outcome;
}

/** Sends orders as one bundle and waits for their outcomes. */
export function* landBundle(
  world: World,
  orders: readonly PlainOrder[],
  placement?: Placement,
): Script<readonly Outcome[]> {
  const outcomes: Outcome[] = orders.map(() => null);
  if (orders.length === 0) return outcomes;
  yield (resume) => {
    const { sent } = collectOutcomes(orders, outcomes, resume);
    world.sendBundle(sent, placement);
  };
  return outcomes;
}

/** Sends groups at the same time, each a bundle or a single order, and waits for all of them. */
export function* landGroups(
  world: World,
  groups: readonly (readonly PlainOrder[])[],
  placement?: Placement,
): Script<readonly Outcome[]> {
  const all = groups.flat();
  const outcomes: Outcome[] = all.map(() => null);
  if (all.length === 0) return outcomes;
  yield (resume) => {
    const { sent } = collectOutcomes(all, outcomes, resume);
    let start = 0;
    for (const { length } of groups) {
      if (length > 0) world.sendBundle(sent.slice(start, start + length), placement);
      start += length;
    }
  };
  return outcomes;
}

/** Like `land`, but repeats an order that failed or was not included, up to `tries` attempts. */
export function* landWithRetries(world: World, order: PlainOrder, tries = 3): Script<Outcome> {
  for (let left = tries; left > 0; left--) {
    const outcome = yield* land(world, order);
    if (outcome !== null && !outcome.isFailed) return outcome;
  }
  return null;
}

/** Fills `outcomes` as orders land or drop and calls `resume` after the last. */
export function collectOutcomes(
  orders: readonly PlainOrder[],
  outcomes: Outcome[],
  resume: () => void,
): { readonly sent: readonly Order[] } {
  let left = orders.length;
  const note = (index: number, outcome: Outcome): void => {
    outcomes[index] = outcome;
    left--;
    if (left === 0) resume();
  };
  const sent = orders.map((order, index) => ({
    ...order,
    onLanded: (landing: Landing) => note(index, landing),
    onDropped: () => note(index, null),
  }));
  return { sent };
}

/** The first slot of outcomes that succeeded; null if there are none. */
export function firstSlotOf(outcomes: readonly Outcome[]): number | null {
  const slots = succeeded(outcomes);
  return slots.length === 0 ? null : Math.min(...slots);
}

/** The last slot of outcomes that succeeded; null if there are none. */
export function lastSlotOf(outcomes: readonly Outcome[]): number | null {
  const slots = succeeded(outcomes);
  return slots.length === 0 ? null : Math.max(...slots);
}

function succeeded(outcomes: readonly Outcome[]): number[] {
  return outcomes.flatMap((outcome) =>
    outcome === null || outcome.isFailed ? [] : [outcome.slot],
  );
}
