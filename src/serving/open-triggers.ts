import type { MetricFamilies } from '../api/http/metrics.ts';
import type { TriggerEvent } from '../model/trigger.ts';
import type { Service } from '../service/app.ts';
import { TriggerService } from './trigger-service.ts';
import type { TriggerStore } from './trigger-writes.ts';

/** The triggers of a service, judged by whichever fold answers. */
export function openTriggerService(
  { store, ingestion }: Pick<Service, 'store' | 'ingestion'>,
  tell: (events: readonly TriggerEvent[]) => void,
  forward: NonNullable<TriggerStore['forward']>,
): TriggerService {
  const state = {
    get engine() {
      return ingestion.engine;
    },
    get finalSlot() {
      return ingestion.status.finalSlot ?? -1;
    },
  };
  const { triggers, firings, together } = store;
  return new TriggerService(state, { triggers, firings, together, forward }, tell);
}

export function exposeTriggers(metrics: MetricFamilies, service: TriggerService): void {
  metrics.exposeGauge({
    name: 'active_triggers',
    help: 'Triggers that are judged with each slot.',
    read: () => [[{}, service.size]],
  });
  metrics.exposeCounter({
    name: 'trigger_events_total',
    help: 'What triggers told their accounts, by kind.',
    labelNames: ['kind'],
    read: () => Object.entries(service.counts).map(([kind, count]) => [{ kind }, count]),
  });
}
