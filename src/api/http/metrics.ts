import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from '@prometheus-io/client';
import type { MetricsText } from '../deps.ts';
import { RequestDurations, TRACE_LABEL } from './request-durations.ts';

/** One sample: its labels and its value at the time of the scrape. */
export type Sample = readonly [labels: Readonly<Record<string, string>>, value: number];

export interface ExposedMetric {
  /** Name without the prefix `mintscope_`; ends in the unit, and in `_total` for a counter. */
  readonly name: string;
  readonly help: string;
  readonly labelNames?: readonly string[];
  /** Called on each scrape, and at no other time. */
  readonly read: () => Iterable<Sample>;
}

/** A histogram whose observations name the trace that they were measured in. */
export interface TracedHistogram {
  readonly name: string;
  readonly help: string;
  /** Upper bounds, ascending. */
  readonly buckets: readonly number[];
}

/** Metrics that any part of the service can expose. */
export interface MetricFamilies {
  render(): Promise<string>;
  /** In the OpenMetrics format, with exemplars. Ends with `# EOF`. */
  renderOpen(): Promise<string>;
  /** Returns the function that records a value. */
  exposeTraced(histogram: TracedHistogram): (value: number, traceId: string) => void;
  exposeCounter(metric: ExposedMetric): void;
  exposeGauge(metric: ExposedMetric): void;
}

export interface Metrics extends MetricsText, MetricFamilies {
  /** Records a finished request together with its trace. */
  observeTraced(
    method: string,
    route: string,
    status: number,
    seconds: number,
    traceId: string,
  ): void;
}

/** Of the page that `render` returns. */
export const METRICS_TYPE = Registry.PROMETHEUS_CONTENT_TYPE;
export const OPEN_METRICS_TYPE = Registry.OPENMETRICS_CONTENT_TYPE;

const PREFIX = 'mintscope_';
const REQUEST_LABELS = ['method', 'route', 'status'] as const;

/** Creates the registry with the metrics of the process and of the API. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const families = familiesOf(registry);
  const requests = new RequestDurations(`${PREFIX}http_request_duration_seconds`);
  registry.registerMetric(requests.asMetric());
  families.exposeCounter({
    name: 'http_requests_total',
    help: 'Finished HTTP requests.',
    labelNames: REQUEST_LABELS,
    read: () => requests.counts(),
  });
  return {
    ...families,
    contentType: registry.contentType,
    observeRequest: (...request) => requests.observe(...request),
    observeTraced: (...request) => requests.observeTraced(...request),
  };
}

/** Creates a registry that contains only what is exposed, and metrics of the process if wanted. */
export function createMetricFamilies({ isOfProcess = false } = {}): MetricFamilies {
  const registry = new Registry();
  if (isOfProcess) collectDefaultMetrics({ register: registry });
  return familiesOf(registry);
}

/**
 * Pipeline stages keep their own counters and expose them as functions called on each scrape, which
 * makes counting cheap for the stages.
 */
function familiesOf(registry: Registry): MetricFamilies {
  const registers = [registry];
  return {
    render: () => registry.metrics(),
    renderOpen: () => openViewOf(registry).metrics(),
    exposeTraced({ name, help, buckets }) {
      const histogram = new Histogram<string>({
        name: PREFIX + name,
        help,
        buckets: [...buckets],
        registers: [],
        enableExemplars: true,
      });
      registry.registerMetric(histogram);
      return (value, traceId) =>
        histogram.observe({ labels: {}, value, exemplarLabels: { [TRACE_LABEL]: traceId } });
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

/**
 * The same metrics in the other format. The library renames counters for it, so that it is given
 * derived objects: the metrics themselves keep the names of the plain format.
 */
function openViewOf(registry: Registry): Registry<typeof OPEN_METRICS_TYPE> {
  const open = new Registry(OPEN_METRICS_TYPE);
  for (const metric of registry.getMetricsAsArray()) open.registerMetric(Object.create(metric));
  return open;
}
