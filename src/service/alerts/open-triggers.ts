import type { MetricFamilies } from '../../api/http/metrics.ts';
import type { TriggerEvent } from '../../model/trigger.ts';
import type { Service } from '../app.ts';
import { serviceState } from '../service-state.ts';
import { TriggerService } from './trigger-service.ts';
import type { TriggerStore } from './trigger-writes.ts';

/** The triggers of a service, evaluated against the current engine. */
export function openTriggerService(
  service: Pick<Service, 'store' | 'ingestion'>,
  publish: (events: readonly TriggerEvent[]) => void,
  forward: NonNullable<TriggerStore['forward']>,
): TriggerService {
  const { triggers, firings, together } = service.store;
  return new TriggerService(
    serviceState(service),
    { triggers, firings, together, forward },
    publish,
  );
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
