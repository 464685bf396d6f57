import { attachObservations } from '../engine/attach-observations.ts';
import type { AccountObservation } from '../model/account-observation.ts';
import type { SlotFacts } from '../model/slot-facts.ts';
import type { Address, Slot } from '../model/units.ts';
import type { FoldedSlot } from './fold.ts';

/**
 * Reads accounts during ingestion of a followed chain. Account states read at the end of a slot are
 * folded after that slot or a later one and stored with it, so a refold of the log requires no
 * requests.
 */
export interface AccountObserver {
  /** Takes the states read at the end of `slot` or before, to be folded after that slot. */
  take(slot: Slot): readonly AccountObservation[];
  /**
   * Offers mints that were traded in `slot` and whose creation is not in the log. `isAgain` is true
   * if a state of the mint was folded after this very slot without success. Mints may be offered
   * repeatedly.
   */
  offer(mints: readonly Address[], slot: Slot, isAgain: boolean): void;
  /**
   * The slots after `toSlot` were reverted, and with them `observations`, which had been folded
   * after them. Observations that do not depend on the reverted slots must be returned by `take`
   * again.
   */
  revert(toSlot: Slot, observations: readonly AccountObservation[]): void;
}

/** The facts of a slot with its observations, before folding. */
export function observedFacts(facts: SlotFacts, observer: AccountObserver | undefined): SlotFacts {
  return observer === undefined ? facts : attachObservations(facts, observer.take(facts.slot));
}

/** After folding a slot: offers the mints whose supply is still unknown. */
export function offerUnborn(
  observer: AccountObserver | undefined,
  { facts, changes }: Pick<FoldedSlot, 'facts' | 'changes'>,
): void {
  if (observer === undefined) return;
  const observed = new Set(facts.observations?.map(({ mint }) => mint));
  const unborn = changes.tokens.filter(({ supplyRaw }) => supplyRaw === null);
  for (const isAgain of [false, true]) {
    const mints = unborn.map(({ mint }) => mint).filter((mint) => observed.has(mint) === isAgain);
    if (mints.length > 0) observer.offer(mints, changes.slot, isAgain);
  }
}

/** Returns the observations of slots that were reverted permanently; `taken` in any order. */
export function returnObservations(
  observer: AccountObserver | undefined,
  toSlot: Slot,
  taken: readonly Pick<FoldedSlot, 'facts'>[],
): void {
  if (observer === undefined || taken.length === 0) return;
  const observations = taken.flatMap(({ facts }) => facts.observations ?? []);
  observer.revert(toSlot, observations);
}
