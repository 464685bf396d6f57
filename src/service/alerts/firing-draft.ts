import { compareConditions } from '../../alerts/triggers/condition.ts';
import type { FiredForHits } from '../../alerts/triggers/hit-book.ts';
import type { Fired } from '../../alerts/triggers/trigger-book.ts';
import type { StoredTrigger } from '../../model/trigger.ts';
import { asSlot, type Slot } from '../../model/units.ts';
import type { FiringDraft } from '../../store/control/firings.ts';

/** The firing to store for a trigger that became true in a slot. */
export function toDraft(fired: Fired | FiredForHits, slot: Slot | null): FiringDraft {
  const { trigger, figures } = fired;
  const hits = 'hits' in fired ? fired.hits : [];
  const comparisons = [...compareConditions(trigger.conditions, figures), ...hits];
  return { ...nameOf(trigger), slot: slot ?? asSlot(0), figures, comparisons };
}

function nameOf({ accountId, triggerId, key, revision }: StoredTrigger) {
  return { accountId, triggerId, triggerKey: key, revision };
}
