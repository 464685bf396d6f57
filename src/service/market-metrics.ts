import type { MetricFamilies } from '../api/http/metrics.ts';
import type { MarketService } from './market-service.ts';

/** Publishes the size of the lists of pools and tokens; nothing until they are complete. */
export function exposeMarket(metrics: MetricFamilies, market: MarketService): void {
  metrics.exposeGauge({
    name: 'market_rows',
    help: 'Rows of the lists of pools and tokens, by kind; buckets and traders are of 24 hours.',
    labelNames: ['kind'],
    read: () =>
      Object.entries(market.ready?.counts ?? {}).map(([kind, count]) => [{ kind }, count]),
  });
  metrics.exposeGauge({
    name: 'market_bytes',
    help: 'Memory of the lists of pools and tokens, by part, approximate as to names. It is beside --state-memory; windows are of 24 hours, all else grows with the tokens.',
    labelNames: ['part'],
    read: () =>
      Object.entries(market.ready?.allocatedBytes ?? {}).map(([part, bytes]) => [{ part }, bytes]),
  });
}
