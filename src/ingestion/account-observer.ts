import { attachObservations } from '../engine/attach-observations.ts';
import type { AccountObservation } from '../model/account-observation.ts';
import type { SlotFacts } from '../model/slot-facts.ts';
import type { Address, Slot } from '../model/units.ts';
import type { FoldedSlot } from './fold.ts';

/**
 * Reads accounts beside the blocks of a chain that is followed. What it has read of the end of a slot
 * is folded behind that slot or a later one, and stored with it, so that folding the log again needs
 * nobody to be asked.
 */
export interface AccountObserver {
  /** Takes out what was read of the end of `slot` or before: it is folded behind that slot. */
  take(slot: Slot): readonly AccountObservation[];
  /**
   * Mints that were traded in `slot` and of whose birth the log does not tell. `isAgain`: what was
   * read of them stood behind that very slot, and did not help. Mints may be offered many times.
   */
  offer(mints: readonly Address[], slot: Slot, isAgain: boolean): void;
  /**
   * The slots after `toSlot` were taken back, and with them `observations`, which stood behind them.
   * Those that show none of these slots are to be handed out again.
   */
  takeBack(toSlot: Slot, observations: readonly AccountObservation[]): void;
}

/** The slot with what was read of it, before it is folded. */
export function observedFacts(facts: SlotFacts, observer: AccountObserver | undefined): SlotFacts {
  return observer === undefined ? facts : attachObservations(facts, observer.take(facts.slot));
}

/** After a slot was folded: offers the mints whose supply it left unknown. */
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

/** After slots were taken back for good; `taken` in any order. */
export function returnObservations(
  observer: AccountObserver | undefined,
  toSlot: Slot,
  taken: readonly Pick<FoldedSlot, 'facts'>[],
): void {
  if (observer === undefined || taken.length === 0) return;
  const observations = taken.flatMap(({ facts }) => facts.observations ?? []);
  observer.takeBack(toSlot, observations);
}
