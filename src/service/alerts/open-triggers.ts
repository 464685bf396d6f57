import type { MetricFamilies } from '../../api/http/metrics.ts';
import type { TriggerEvent } from '../../model/trigger.ts';
import type { Service } from '../app.ts';
import { TriggerService } from './trigger-service.ts';
import type { TriggerStore } from './trigger-writes.ts';

/** The triggers of a service, evaluated against the current engine. */
export function openTriggerService(
  { store, ingestion }: Pick<Service, 'store' | 'ingestion'>,
  publish: (events: readonly TriggerEvent[]) => void,
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
  return new TriggerService(state, { triggers, firings, together, forward }, publish);
}

export function exposeTriggers(metrics: MetricFamilies, service: TriggerService): void {
  metrics.exposeGauge({
    name: 'active_triggers',
    help: 'Triggers evaluated with each slot.',
    read: () => [[{}, service.size]],
  });
  metrics.exposeCounter({
    name: 'trigger_events_total',
    help: 'Trigger events, by kind.',
    labelNames: ['kind'],
    read: () => Object.entries(service.counts).map(([kind, count]) => [{ kind }, count]),
  });
}
