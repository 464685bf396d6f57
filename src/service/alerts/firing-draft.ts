import { compareConditions } from '../../alerts/triggers/condition.ts';
import type { Fired } from '../../alerts/triggers/trigger-book.ts';
import type { StoredTrigger } from '../../model/trigger.ts';
import { asSlot, type Slot } from '../../model/units.ts';
import type { FiringDraft } from '../../store/control/firings.ts';

/** The firing to store for a trigger that became true in a slot. */
export function toDraft({ trigger, figures }: Fired, slot: Slot | null): FiringDraft {
  const comparisons = compareConditions(trigger.conditions, figures);
  return { ...nameOf(trigger), slot: slot ?? asSlot(0), figures, comparisons };
}

function nameOf({ accountId, triggerId, key, revision }: StoredTrigger) {
  return { accountId, triggerId, triggerKey: key, revision };
}
