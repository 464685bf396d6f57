import type { MetricFamilies } from '../../api/http/metrics.ts';
import type { DetectorState } from '../../engine/fraud/detector-watch.ts';
import { ruleIdOf } from '../../model/rule-hit.ts';
import type { ShadowStatus } from './shadow-trial.ts';

export interface MeasuredDetectors {
  readonly published: readonly DetectorState[];
  readonly tried: readonly ShadowStatus[];
}

/** Exposes installed detectors; no samples without any. */
export function exposeDetectors(metrics: MetricFamilies, detectors: MeasuredDetectors): void {
  metrics.exposeGauge({
    name: 'detector_off',
    help: '1 if a published detector failed and is switched off, else 0.',
    labelNames: ['detector', 'failure'],
    read: () =>
      detectors.published.map((one) => [
        { detector: ruleIdOf(one), failure: one.off?.failure ?? 'none' },
        one.off === null ? 0 : 1,
      ]),
  });
  metrics.exposeCounter({
    name: 'detector_shadow_cases_total',
    help: 'Cases that a tried detector judged, by who reports them, and those it failed on.',
    labelNames: ['detector', 'reported_by'],
    read: () =>
      detectors.tried.flatMap(({ name: detector, counts }) => [
        [{ detector, reported_by: 'both' }, counts.both] as const,
        [{ detector, reported_by: 'detector' }, counts.onlyDetector] as const,
        [{ detector, reported_by: 'built_in' }, counts.onlyBuiltIn] as const,
        [{ detector, reported_by: 'neither' }, counts.neither] as const,
        [{ detector, reported_by: 'failed' }, counts.failed] as const,
      ]),
  });
  const ofTried = (value: (status: ShadowStatus) => number) => () =>
    detectors.tried.map((status) => [{ detector: status.name }, value(status)] as const);
  metrics.exposeCounter({
    name: 'detector_shadow_seconds_total',
    help: 'Time that a tried detector took for all its cases.',
    labelNames: ['detector'],
    read: ofTried(({ counts }) => counts.durationMs / 1_000),
  });
  metrics.exposeGauge({
    name: 'detector_shadow_case_seconds_max',
    help: 'Longest time that a tried detector took for a case.',
    labelNames: ['detector'],
    read: ofTried(({ counts }) => counts.durationMostMs / 1_000),
  });
  metrics.exposeGauge({
    name: 'detector_shadow_work_max',
    help: 'Most turns and calls of a tried detector for a case.',
    labelNames: ['detector'],
    read: ofTried(({ counts }) => counts.workMost),
  });
  metrics.exposeGauge({
    name: 'detector_shadow_stopped',
    help: '1 if a tried detector ended its thread and is not tried any more, else 0.',
    labelNames: ['detector'],
    read: ofTried(({ stopped }) => (stopped === null ? 0 : 1)),
  });
}
