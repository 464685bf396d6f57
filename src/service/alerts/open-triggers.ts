import type { MetricFamilies } from '../../api/http/metrics.ts';
import type { TriggerEvent } from '../../model/trigger.ts';
import type { Service } from '../app.ts';
import { serviceState } from '../service-state.ts';
import { TriggerService } from './trigger-service.ts';
import type { TriggerStore } from './trigger-writes.ts';
import { type MarketFigures, widerFiguresOf } from './wider-figures.ts';

/**
 * The triggers of a service, evaluated against the current engine and market. The market must see
 * each change before they do.
 */
export function openTriggerService(
  service: Pick<Service, 'store' | 'ingestion'>,
  market: { readonly ready: MarketFigures | null },
  publish: (events: readonly TriggerEvent[]) => void,
  forward: NonNullable<TriggerStore['forward']>,
): TriggerService {
  const { triggers, firings, together } = service.store;
  const state = serviceState(service);
  const own = { triggers, firings, together, forward };
  return new TriggerService(state, own, publish, {
    widerOf: (pool) => widerFiguresOf(state.engine, market.ready, pool),
    isMarketComplete: () => market.ready !== null,
  });
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
