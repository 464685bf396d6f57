import type { MetricFamilies } from '../api/http/metrics.ts';
import type { Ingestion } from '../ingestion/ingestion.ts';

/** Exposes counts of what was decoded. */
export function exposeDecoding(metrics: MetricFamilies, ingestion: Ingestion): void {
  const counters = () => ingestion.engine.counters;
  metrics.exposeCounter({
    name: 'events_total',
    help: 'Folded canonical events, by kind.',
    labelNames: ['kind'],
    read: () => Object.entries(counters().events).map(([kind, count]) => [{ kind }, count]),
  });
  metrics.exposeCounter({
    name: 'instructions_total',
    help: 'Instructions of known programs, by program and outcome.',
    labelNames: ['program', 'outcome'],
    read: function* () {
      for (const [program, outcomes] of Object.entries(counters().outcomes)) {
        for (const [outcome, count] of Object.entries(outcomes))
          yield [{ program, outcome }, count];
      }
    },
  });
  metrics.exposeCounter({
    name: 'transactions_total',
    help: 'Transactions, by result.',
    labelNames: ['result'],
    read: () => {
      const { transactions, failedTransactions, votes } = counters();
      return [
        [{ result: 'succeeded' }, transactions - failedTransactions],
        [{ result: 'failed' }, failedTransactions],
        [{ result: 'vote' }, votes],
      ];
    },
  });
}
