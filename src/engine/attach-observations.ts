import type { AccountObservation } from '../model/account-observation.ts';
import type { SlotFacts } from '../model/slot-facts.ts';

/**
 * Returns the slot with `added` merged into its observations: account states that were read
 * separately from the block. Each must show its account at the end of this slot or earlier. Returns
 * `facts` itself when there is nothing to add.
 */
export function attachObservations(
  facts: SlotFacts,
  added: readonly AccountObservation[] = [],
): SlotFacts {
  if (added.length === 0) return facts;
  const observations = [...(facts.observations ?? []), ...added].sort(compareObservations);
  return { ...facts, observations };
}

/** Orders by context slot, then by mint and kind. */
export function compareObservations(one: AccountObservation, other: AccountObservation): number {
  if (one.contextSlot !== other.contextSlot) return one.contextSlot - other.contextSlot;
  return compareTexts(one.mint, other.mint) || compareTexts(rankOf(one), rankOf(other));
}

function rankOf(observation: AccountObservation): string {
  return observation.kind === 'mintObserved' ? '' : observation.standard;
}

function compareTexts(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
