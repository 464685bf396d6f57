import type { MetricFamilies } from '../api/http/metrics.ts';
import { buildCommit } from '../config/build-commit.ts';
import { VERSION } from '../config/version.ts';

/** Exposes which build runs, so that a change of figures can be compared with an upgrade. */
export function exposeBuild(metrics: MetricFamilies): void {
  const labels = {
    version: VERSION,
    commit: buildCommit() ?? 'unknown',
    node_version: process.version,
  };
  metrics.exposeGauge({
    name: 'build_info',
    help: 'Always 1; the labels say which build runs.',
    labelNames: Object.keys(labels),
    read: () => [[labels, 1]],
  });
}
