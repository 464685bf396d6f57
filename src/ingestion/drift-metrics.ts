import type { MetricFamilies } from '../api/http/metrics.ts';
import { shareOf } from '../fold/venue-drift/drift-rule.ts';
import type { DriftWatch } from './drift-watch.ts';

/** Shows what is watched of programs on the metrics page. */
export function exposeDrift(metrics: MetricFamilies, watch: Pick<DriftWatch, 'shares'>): void {
  const counted = () => watch.shares.filter(({ recent, past }) => recent.total + past.total > 0);
  metrics.exposeGauge({
    name: 'venue_drift_share',
    help: 'Share of a program that was not understood: of instructions (unknown, malformed) or swaps (quarantined), in the last 150 slots and in the day before.',
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
    help: '1 while suddenly more of a program is not understood than before.',
    labelNames: ['program', 'measure'],
    read: () =>
      counted().map(({ program, measure, isAlarmed }) => [{ program, measure }, isAlarmed ? 1 : 0]),
  });
}
