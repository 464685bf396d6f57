import type { MetricFamilies } from '../api/http/metrics.ts';
import type { Store } from '../store/store.ts';

/** Shows on the metrics page what the store was found to have lost. */
export function exposeVerification(
  metrics: MetricFamilies,
  verification: Pick<Store['verification'], 'counts' | 'damaged'>,
): void {
  metrics.exposeCounter({
    name: 'store_losses_total',
    help: 'Things that the store held and does not hold any more, or holds damaged, found since the start, by kind.',
    labelNames: ['kind'],
    read: () => Object.entries(verification.counts).map(([kind, count]) => [{ kind }, count]),
  });
  metrics.exposeGauge({
    name: 'store_damaged_parts',
    help: 'Parts of tables that cannot be read as they were written: a restart sets them aside and fills them again.',
    read: () => [[{}, verification.damaged.length]],
  });
}
