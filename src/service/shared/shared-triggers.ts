import type { TriggerConditions, TriggerName, TriggerRequest } from '../../model/trigger.ts';
import type { StoredTriggers } from '../../store/control/triggers.ts';
import { outcomeOf } from '../alerts/trigger-outcome.ts';
import type { TriggerService } from '../alerts/trigger-service.ts';
import type { ControlWrites } from './control-writes.ts';

type Stored = Pick<StoredTriggers, 'add' | 'update' | 'remove' | 'limits'>;

/**
 * The triggers of several replicas. Each begins to judge a change where it is stored
 * (`TriggerService.adopt`), not where it was asked for.
 */
export function sharedTriggers(service: TriggerService, stored: Stored, control: ControlWrites) {
  const rowsOf = ({ accountId, triggerId }: TriggerName) => [
    { table: 'triggers', where: { account_id: accountId, trigger_id: triggerId } },
  ];
  return {
    add: async (request: TriggerRequest) =>
      outcomeOf(await control.write(rowsOf(request), () => stored.add(request)), stored),
    update: async (name: TriggerName, given: TriggerConditions) =>
      outcomeOf(await control.write(rowsOf(name), () => stored.update(name, given)), stored),
    remove: async (name: TriggerName) =>
      outcomeOf(await control.write(rowsOf(name), () => stored.remove(name)), stored),
    page: service.page.bind(service),
    events: service.events.bind(service),
  };
}
