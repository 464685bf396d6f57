import type { Tracer } from '@opentelemetry/api';
import { SPAN_QUEUE_LIMITS, type SpanCounts, SpanQueue } from './span-queue.ts';

/** Spans of one thread, sent to a collector. */
export interface Tracing {
  readonly tracer: Tracer;
  readonly counts: SpanCounts;
  /** Sends what waits, for at most some seconds. */
  close(): Promise<void>;
}

export interface TracingOptions {
  /** Address of the collector; `/v1/traces` is added. */
  readonly endpoint: string;
  /** Version of the service. */
  readonly version: string;
  readonly limits?: typeof SPAN_QUEUE_LIMITS;
}

/**
 * Opens the connection to an OpenTelemetry collector (OTLP over HTTP). The packages are loaded here:
 * without an endpoint none of them is.
 */
export async function openTracing({
  endpoint,
  version,
  limits = SPAN_QUEUE_LIMITS,
}: TracingOptions): Promise<Tracing> {
  const [{ TracerProvider }, { OTLPTraceExporter }, { resourceFromAttributes }] = await Promise.all(
    [
      import('@opentelemetry/sdk-trace'),
      import('@opentelemetry/exporter-trace-otlp-http'),
      import('@opentelemetry/resources'),
    ],
  );
  const exporter = new OTLPTraceExporter({
    url: `${endpoint.replace(/\/+$/, '')}/v1/traces`,
    timeoutMillis: limits.timeoutMs,
  });
  const queue = new SpanQueue(exporter, limits);
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': 'mintscope', 'service.version': version }),
    spanProcessors: [queue],
  });
  return {
    tracer: provider.getTracer('mintscope', version),
    get counts() {
      return queue.counts;
    },
    close: () => queue.shutdown(),
  };
}
