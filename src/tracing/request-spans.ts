import { ROOT_CONTEXT, SpanKind, SpanStatusCode, type Tracer } from '@opentelemetry/api';
import { preciseNowMs } from './slot-spans.ts';

const SERVER_ERROR = 500;

/**
 * Makes a span of each finished request: method, route and status, never the URL itself. Returns the
 * ID of its trace.
 */
export function requestSpans(
  tracer: Tracer,
  nowMs: () => number = preciseNowMs,
): (method: string, route: string, status: number, seconds: number) => string {
  return (method, route, status, seconds) => {
    const endMs = nowMs();
    const span = tracer.startSpan(
      `${method} ${route}`,
      {
        kind: SpanKind.SERVER,
        startTime: endMs - seconds * 1_000,
        attributes: {
          'http.request.method': method,
          'http.route': route,
          'http.response.status_code': status,
        },
      },
      ROOT_CONTEXT,
    );
    if (status >= SERVER_ERROR) span.setStatus({ code: SpanStatusCode.ERROR });
    span.end(endMs);
    return span.spanContext().traceId;
  };
}
