import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from '@prometheus-io/client';
import type { MetricsText } from './deps.ts';

/** One sample: its labels, and its value when the page is read. */
export type Sample = readonly [labels: Readonly<Record<string, string>>, value: number];

export interface ExposedMetric {
  /** Without the prefix `mintscope_`; ends in the unit, and in `_total` for a counter. */
  readonly name: string;
  readonly help: string;
  readonly labelNames?: readonly string[];
  /** Called each time the page is read, and at no other time. */
  readonly read: () => Iterable<Sample>;
}

export interface Metrics extends MetricsText {
  exposeCounter(metric: ExposedMetric): void;
  exposeGauge(metric: ExposedMetric): void;
}

const PREFIX = 'mintscope_';
const DURATION_BUCKETS_SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5];

/**
 * The metrics page. Stages keep their own counts; app.ts exposes them here as functions to be
 * called when the page is read, so that counting costs the stages nothing.
 */
export function createMetrics(): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const requests = new Counter({
    name: `${PREFIX}http_requests_total`,
    help: 'Finished HTTP requests.',
    labelNames: ['method', 'route', 'status'],
    registers,
  });
  const durations = new Histogram({
    name: `${PREFIX}http_request_duration_seconds`,
    help: 'Time from the request head to the end of the answer.',
    labelNames: ['method', 'route', 'status'],
    buckets: DURATION_BUCKETS_SECONDS,
    registers,
  });
  return {
    contentType: registry.contentType,
    render: () => registry.metrics(),
    observeRequest(method, route, status, seconds) {
      const labels = { method, route, status };
      requests.inc(labels);
      durations.observe(labels, seconds);
    },
    exposeCounter({ name, help, labelNames = [], read }) {
      new Counter({
        name: PREFIX + name,
        help,
        labelNames,
        registers,
        collect() {
          this.reset();
          for (const [labels, value] of read()) this.inc(labels, value);
        },
      });
    },
    exposeGauge({ name, help, labelNames = [], read }) {
      new Gauge({
        name: PREFIX + name,
        help,
        labelNames,
        registers,
        collect() {
          this.reset();
          for (const [labels, value] of read()) this.set(labels, value);
        },
      });
    },
  };
}
