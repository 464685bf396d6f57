import type { MetricFamilies } from '../api/http/metrics.ts';
import type { TriggerEvent } from '../model/trigger.ts';
import type { Service } from '../service/app.ts';
import type { CallHandlers } from './call-desk.ts';
import { TriggerDesk } from './trigger-desk.ts';
import type { TriggerStore } from './trigger-writes.ts';

type TriggerCall = 'triggerAdd' | 'triggerUpdate' | 'triggerRemove' | 'triggers' | 'triggerEvents';

/** The triggers of a service, judged by whichever fold answers. */
export function openTriggerDesk(
  { store, ingestion }: Pick<Service, 'store' | 'ingestion'>,
  tell: (events: readonly TriggerEvent[]) => void,
  forward: NonNullable<TriggerStore['forward']>,
): TriggerDesk {
  const state = {
    get engine() {
      return ingestion.engine;
    },
    get finalSlot() {
      return ingestion.status.finalSlot ?? -1;
    },
  };
  const { triggers, firings, together } = store;
  return new TriggerDesk(state, { triggers, firings, together, forward }, tell);
}

/** What answers the calls about triggers. */
export function triggerCalls(desk: TriggerDesk): Pick<CallHandlers, TriggerCall> {
  return {
    triggerAdd: (request) => desk.add(request),
    triggerUpdate: ({ conditions, ...name }) => desk.update(name, conditions),
    triggerRemove: (name) => desk.remove(name),
    triggers: (query) => desk.page(query),
    triggerEvents: (query) => desk.events(query),
  };
}

export function exposeTriggers(metrics: MetricFamilies, desk: TriggerDesk): void {
  metrics.exposeGauge({
    name: 'active_triggers',
    help: 'Triggers that are judged with each slot.',
    read: () => [[{}, desk.size]],
  });
  metrics.exposeCounter({
    name: 'trigger_events_total',
    help: 'What triggers told their accounts, by kind.',
    labelNames: ['kind'],
    read: () => Object.entries(desk.counts).map(([kind, count]) => [{ kind }, count]),
  });
}
