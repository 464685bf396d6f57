import type { Histogram } from '@prometheus-io/client';

const BUCKETS_SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5] as const;
/** As Grafana expects it, which leads from an exemplar to its trace. */
export const TRACE_LABEL = 'trace_id';

type Labels = Readonly<Record<string, string>>;

/** A request that was measured in a trace. */
interface Exemplar {
  readonly labelSet: Labels;
  readonly value: number;
  /** Seconds since 1970. */
  readonly timestamp: number;
}

/** The requests of one route with one method and status. */
interface Series {
  readonly method: string;
  readonly status: number;
  readonly labels: Labels;
  count: number;
  sumSeconds: number;
  /** By bucket; the last one is that of longer requests. Each request counts in one. */
  readonly counts: Float64Array;
  readonly exemplars: (Exemplar | null)[];
}

/**
 * Counts and times requests by method, route and status. A histogram of the library makes and hashes
 * the labels at each request, which takes several times as long.
 */
export class RequestDurations {
  private readonly routes = new Map<string, Series[]>();
  private readonly name: string;

  constructor(name: string) {
    this.name = name;
  }

  observe(method: string, route: string, status: number, seconds: number): void {
    const series = this.seriesOf(method, route, status);
    count(series, seconds);
  }

  /** The same for a request with a trace, which its bucket names until the next one. */
  observeTraced(
    method: string,
    route: string,
    status: number,
    seconds: number,
    traceId: string,
  ): void {
    const series = this.seriesOf(method, route, status);
    const exemplar = { [TRACE_LABEL]: traceId };
    series.exemplars[count(series, seconds)] = {
      labelSet: exemplar,
      value: seconds,
      timestamp: Date.now() / 1_000,
    };
  }

  /** The number of requests of each series. */
  *counts(): Iterable<readonly [labels: Labels, requests: number]> {
    for (const { labels, count: requests } of this.all()) yield [labels, requests];
  }

  /** For a registry of the library, which reads nothing else of a metric. */
  asMetric(): Histogram<string> {
    const { name } = this;
    const metric = {
      name,
      type: 'histogram',
      get: async () => ({
        name,
        help: 'Time from the request head to the end of the response.',
        type: 'histogram',
        aggregator: 'sum',
        values: [...this.values()],
      }),
    };
    return metric as unknown as Histogram<string>;
  }

  private *values() {
    const { name } = this;
    for (const { labels, counts, exemplars, ...series } of this.all()) {
      let below = 0;
      for (const [at, bucket] of counts.entries()) {
        below += bucket;
        yield {
          metricName: `${name}_bucket`,
          labels: { le: BUCKETS_SECONDS[at] ?? '+Inf', ...labels },
          value: below,
          exemplar: exemplars[at],
        };
      }
      yield { metricName: `${name}_sum`, labels, value: series.sumSeconds };
      yield { metricName: `${name}_count`, labels, value: series.count };
    }
  }

  private *all(): Iterable<Series> {
    for (const ofRoute of this.routes.values()) yield* ofRoute;
  }

  private seriesOf(method: string, route: string, status: number): Series {
    let ofRoute = this.routes.get(route);
    if (ofRoute === undefined) {
      ofRoute = [];
      this.routes.set(route, ofRoute);
    }
    for (const series of ofRoute) {
      if (series.status === status && series.method === method) return series;
    }
    const series: Series = {
      method,
      status,
      labels: { method, route, status: String(status) },
      count: 0,
      sumSeconds: 0,
      counts: new Float64Array(BUCKETS_SECONDS.length + 1),
      exemplars: Array.from({ length: BUCKETS_SECONDS.length + 1 }, () => null),
    };
    ofRoute.push(series);
    return series;
  }
}

/** Counts a request and returns the number of its bucket. */
function count(series: Series, seconds: number): number {
  let bucket = 0;
  while (bucket < BUCKETS_SECONDS.length && seconds > (BUCKETS_SECONDS[bucket] as number)) bucket++;
  series.counts[bucket] = (series.counts[bucket] as number) + 1;
  series.count++;
  series.sumSeconds += seconds;
  return bucket;
}
