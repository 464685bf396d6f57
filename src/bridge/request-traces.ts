import { type Metrics, OPEN_METRICS_TYPE } from '../api/http/metrics.ts';
import type { Tracing } from '../tracing/open-tracing.ts';
import { exposeRequestTraces } from './slot-traces.ts';

/** Traces of requests, and the connection that sends them. */
export interface RequestTraces {
  /** Makes the span of a request and returns the ID of its trace. */
  readonly observe: (method: string, route: string, status: number, seconds: number) => string;
  readonly tracing: Tracing;
}

/** Metrics whose requests are traced, too, and show traces as exemplars. */
export function tracedMetrics(metrics: Metrics, traces: RequestTraces | undefined): Metrics {
  if (traces === undefined) return metrics;
  exposeRequestTraces(metrics, traces.tracing);
  return {
    ...metrics,
    openMetrics: { contentType: OPEN_METRICS_TYPE, render: () => metrics.renderOpen() },
    observeRequest(...request) {
      metrics.observeTraced(...request, traces.observe(...request));
    },
  };
}

/** Opens the traces of requests; the packages for them are loaded only here. */
export async function openRequestTraces(endpoint: string, version: string): Promise<RequestTraces> {
  const { openTracing } = await import('../tracing/open-tracing.ts');
  const { requestSpans } = await import('../tracing/request-spans.ts');
  const tracing = await openTracing({ endpoint, version });
  return { observe: requestSpans(tracing.tracer), tracing };
}
