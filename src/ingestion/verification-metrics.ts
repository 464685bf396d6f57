import type { MetricFamilies } from '../api/http/metrics.ts';
import type { Store } from '../store/store.ts';

/** Exposes losses and damage of the store. */
export function exposeVerification(
  metrics: MetricFamilies,
  verification: Pick<Store['verification'], 'counts' | 'damaged'>,
): void {
  metrics.exposeCounter({
    name: 'store_losses_total',
    help: 'Lost or damaged data of the store found since the start, by kind.',
    labelNames: ['kind'],
    read: () => Object.entries(verification.counts).map(([kind, count]) => [{ kind }, count]),
  });
  metrics.exposeGauge({
    name: 'store_damaged_parts',
    help: 'Damaged parts of tables: a restart sets them aside and refills them.',
    read: () => [[{}, verification.damaged.length]],
  });
}
