import type { Slot } from '../model/units.ts';

/** A state that was computed again because a majority of replicas had another one. */
export interface Rebuild {
  /** The slot after which the state differed. */
  readonly contradictedSlot: Slot;
  /** The slot of the checkpoint that it began with; null: the start of the log. */
  readonly fromSlot: Slot | null;
}

/** What is known when a majority of replicas has another state. */
export interface Contradiction {
  readonly slot: Slot;
  /** The last slot after which the present state was that of a majority; null: none is known. */
  readonly agreedSlot: Slot | null;
  /** Slots of the stored checkpoints, newest first. */
  readonly checkpoints: readonly Slot[];
  /** Whether the log can be applied from its first slot. */
  readonly isLogWhole: boolean;
  /** Earlier ones of this replica, oldest first. */
  readonly rebuilds: readonly Rebuild[];
}

/**
 * - `rebuild`: the log is applied again after the checkpoint of a slot; null: from its start.
 * - `exhausted`: that was tried as often as it may be.
 * - `wrong-log`: the whole log was applied already, so that the log itself is wrong.
 * - `nothing-left`: there is no checkpoint to trust, and the log is not whole.
 */
export type RebuildPlan =
  | { readonly kind: 'rebuild'; readonly fromSlot: Slot | null }
  | { readonly kind: 'exhausted' | 'wrong-log' | 'nothing-left' };

/** A machine that needs more within `REBUILD_WINDOW_SLOTS` is not to be trusted at all. */
export const REBUILDS_MAX = 3;
/** About a day of the chain. */
export const REBUILD_WINDOW_SLOTS = 216_000;

/** The rebuilds that count at a slot. */
export function recentRebuilds(rebuilds: readonly Rebuild[], slot: Slot): readonly Rebuild[] {
  return rebuilds.filter((one) => one.contradictedSlot > slot - REBUILD_WINDOW_SLOTS);
}

/**
 * Decides what a contradicted replica does. It begins with the newest checkpoint up to the last slot
 * on which it agreed. If it is contradicted again before it has agreed on a later slot, that
 * checkpoint had the damage too, in a part of the state that no slot had changed: then an older one
 * is taken, and at last the whole log.
 */
export function planRebuild(contradiction: Contradiction): RebuildPlan {
  const { slot, agreedSlot, checkpoints, isLogWhole } = contradiction;
  const rebuilds = recentRebuilds(contradiction.rebuilds, slot);
  if (rebuilds.length >= REBUILDS_MAX) return { kind: 'exhausted' };
  const last = rebuilds.at(-1);
  const isProven = last === undefined || (agreedSlot ?? -1) > last.contradictedSlot;
  if (!isProven && last.fromSlot === null) return { kind: 'wrong-log' };
  const trustedMax = isProven ? Math.min(agreedSlot ?? -1, slot - 1) : (last.fromSlot ?? 0) - 1;
  const fromSlot = checkpoints.find((checkpoint) => checkpoint <= trustedMax);
  if (fromSlot !== undefined) return { kind: 'rebuild', fromSlot };
  return isLogWhole ? { kind: 'rebuild', fromSlot: null } : { kind: 'nothing-left' };
}
