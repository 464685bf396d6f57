import type { MetricFamilies } from '../api/http/metrics.ts';
import { shareOf } from '../fold/venue-drift/drift-rule.ts';
import type { DriftWatch } from './drift-watch.ts';

/** Exposes the decoding shares of programs. */
export function exposeDrift(metrics: MetricFamilies, watch: Pick<DriftWatch, 'shares'>): void {
  const counted = () => watch.shares.filter(({ recent, past }) => recent.total + past.total > 0);
  metrics.exposeGauge({
    name: 'venue_drift_share',
    help:
      'Share of instructions (unknown, malformed) or swaps (quarantined) of a program that is ' +
      'undecoded, in the last 150 slots and in the day before.',
    labelNames: ['program', 'measure', 'window'],
    read: function* () {
      for (const { program, measure, recent, past } of counted()) {
        yield [{ program, measure, window: 'recent' }, shareOf(recent)];
        yield [{ program, measure, window: 'past' }, shareOf(past)];
      }
    },
  });
  metrics.exposeGauge({
    name: 'venue_drift_alarm',
    help: '1 while the undecoded share of a program is suddenly higher than before.',
    labelNames: ['program', 'measure'],
    read: () =>
      counted().map(({ program, measure, isAlarmed }) => [{ program, measure }, isAlarmed ? 1 : 0]),
  });
}
