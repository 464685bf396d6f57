import type { TriggerOutcome } from '../../model/trigger.ts';
import type { StoredTriggers, TriggerChange } from '../../store/control/triggers.ts';

/** The answer to a change of triggers. */
export function outcomeOf(
  change: TriggerChange,
  { limits }: Pick<StoredTriggers, 'limits'>,
): TriggerOutcome {
  if ('trigger' in change) return { kind: 'done', trigger: change.trigger };
  return change.kind === 'full'
    ? { kind: 'full', triggersMax: limits.triggersMax }
    : { kind: change.kind };
}
