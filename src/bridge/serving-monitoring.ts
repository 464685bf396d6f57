import type { MonitoredPart } from '../model/monitoring.ts';

/** Routes that stay open, or send files, for as long as a client wants. */
const LONG_ROUTES = 'route!~".*(ws|sse|export).*"';

/**
 * What is watched of the answers. The metrics are in serving-metrics.ts, api/http/metrics.ts,
 * service/alerts and service/open-gathering.ts.
 */
export const SERVING_MONITORING: MonitoredPart = {
  id: 'serving',
  title: 'Answers, webhooks and gathering',
  panels: [
    {
      title: 'Requests by status',
      description: '429 and 503 are refusals that clients repeat.',
      unit: 'reqps',
      queries: [
        {
          expression:
            'sum by (status) (rate(mintscope_http_requests_total{instance=~"$instance"}[5m]))',
          legend: '{{status}}',
        },
      ],
    },
    {
      title: 'Duration of requests',
      description: 'Without streams and exports.',
      unit: 's',
      queries: ['0.5', '0.95', '0.99'].map((quantile) => ({
        expression: `histogram_quantile(${quantile}, sum by (le) (rate(mintscope_http_request_duration_seconds_bucket{instance=~"$instance", ${LONG_ROUTES}}[5m])))`,
        legend: quantile,
      })),
    },
    {
      title: 'Slowest routes (99th percentile)',
      description: 'Ten routes.',
      unit: 's',
      queries: [
        {
          expression: `topk(10, histogram_quantile(0.99, sum by (le, route) (rate(mintscope_http_request_duration_seconds_bucket{instance=~"$instance", ${LONG_ROUTES}}[5m]))))`,
          legend: '{{route}}',
        },
      ],
    },
    {
      title: 'Delay of the threads',
      description: '99th percentile of the event loop of each thread.',
      unit: 's',
      queries: [
        {
          expression: 'mintscope_event_loop_lag_seconds{instance=~"$instance"}',
          legend: '{{thread}} {{instance}}',
        },
      ],
    },
    {
      title: 'Open streams',
      description: 'Clients that read a stream, and subscriptions of the filtered stream.',
      unit: 'short',
      queries: [
        {
          expression: 'sum by (stream) (mintscope_stream_readers{instance=~"$instance"})',
          legend: '{{stream}}',
        },
        {
          expression: 'mintscope_topic_subscriptions{instance=~"$instance"}',
          legend: 'subscriptions',
        },
      ],
    },
    {
      title: 'Refused work',
      description: 'Accounts with too many requests, and calls that were too late.',
      unit: 'ops',
      queries: [
        {
          expression:
            'sum by (lane, reason) (rate(mintscope_lane_refused_requests_total{instance=~"$instance"}[5m]))',
          legend: '{{lane}} {{reason}}',
        },
        {
          expression:
            'sum by (reason) (rate(mintscope_refused_calls_total{instance=~"$instance"}[5m]))',
          legend: 'call {{reason}}',
        },
      ],
    },
    {
      title: 'Webhook deliveries',
      description: 'Attempts by outcome, and what waits.',
      unit: 'short',
      queries: [
        {
          expression:
            'sum by (outcome) (rate(mintscope_webhook_attempts_total{instance=~"$instance"}[5m]))',
          legend: '{{outcome}} per second',
        },
        {
          expression: 'mintscope_webhook_pending_deliveries{instance=~"$instance"}',
          legend: 'waiting',
        },
      ],
    },
  ],
  alerts: [
    {
      name: 'MintscopeErrors',
      expression:
        'sum by (instance) (rate(mintscope_http_requests_total{status=~"5.."}[5m])) > 0.01 * sum by (instance) (rate(mintscope_http_requests_total[5m]))',
      holds: '10m',
      severity: 'warning',
      summary: 'More than one of a hundred answers is an error of the service.',
      actions: [
        'The log has each 500 with its `x-request-id`. 503 are refusals under load or while something fails: `/readyz` says what, `mintscope_lane_refused_requests_total` and `mintscope_refused_calls_total` say where.',
      ],
      tests: {
        atMinute: 16,
        firing: {
          'mintscope_http_requests_total{instance="a", status="200"}': '0+980x16',
          'mintscope_http_requests_total{instance="a", status="500"}': '0+20x16',
        },
        labels: { instance: 'a' },
        quiet: {
          'mintscope_http_requests_total{instance="a", status="200"}': '0+995x16',
          'mintscope_http_requests_total{instance="a", status="500"}': '0+5x16',
        },
      },
    },
    {
      name: 'MintscopeAnswersSlow',
      expression: `histogram_quantile(0.99, sum by (instance, le) (rate(mintscope_http_request_duration_seconds_bucket{${LONG_ROUTES}}[5m]))) > 1`,
      holds: '10m',
      severity: 'warning',
      summary: 'One of a hundred answers takes longer than a second.',
      actions: [
        'The dashboard shows the slowest routes. If all are slow, a thread is busy (`mintscope_event_loop_lag_seconds`) or the disk is; if some are, they read long ranges: look for one account that asks for many.',
      ],
      tests: {
        atMinute: 16,
        firing: {
          'mintscope_http_request_duration_seconds_bucket{instance="a", route="/r", le="1"}':
            '0+90x16',
          'mintscope_http_request_duration_seconds_bucket{instance="a", route="/r", le="5"}':
            '0+100x16',
          'mintscope_http_request_duration_seconds_bucket{instance="a", route="/r", le="+Inf"}':
            '0+100x16',
        },
        labels: { instance: 'a' },
        quiet: {
          'mintscope_http_request_duration_seconds_bucket{instance="a", route="/v1/triggers/ws", le="1"}':
            '0+90x16',
          'mintscope_http_request_duration_seconds_bucket{instance="a", route="/v1/triggers/ws", le="+Inf"}':
            '0+100x16',
          'mintscope_http_request_duration_seconds_bucket{instance="a", route="/r", le="1"}':
            '0+100x16',
          'mintscope_http_request_duration_seconds_bucket{instance="a", route="/r", le="+Inf"}':
            '0+100x16',
        },
      },
    },
    {
      name: 'MintscopeThreadBusy',
      expression: 'mintscope_event_loop_lag_seconds > 0.5',
      holds: '5m',
      severity: 'warning',
      summary: 'A thread is delayed by more than half a second.',
      actions: [
        'The machine is too slow or shared: compare the processor time of the process with the number of processors. `service` delays slots and reads, `api` all answers.',
      ],
      tests: {
        atMinute: 6,
        firing: { 'mintscope_event_loop_lag_seconds{instance="a", thread="service"}': '0.6x6' },
        labels: { instance: 'a', thread: 'service' },
        quiet: { 'mintscope_event_loop_lag_seconds{instance="a", thread="service"}': '0.5x6' },
      },
    },
    {
      name: 'MintscopeWebhooksWaiting',
      expression: 'mintscope_webhook_pending_deliveries > 1000',
      holds: '15m',
      severity: 'warning',
      summary: 'More than a thousand webhook deliveries are waiting.',
      actions: [
        '`mintscope_webhook_attempts_total` has the outcomes. Receivers that fail are retried with growing pauses and disabled after many failures; `GET /v1/webhooks/{id}/deliveries` shows every attempt.',
        'If none is attempted, the log says whether the thread that sends them has stopped.',
      ],
      tests: {
        atMinute: 16,
        firing: { 'mintscope_webhook_pending_deliveries{instance="a"}': '1001x16' },
        labels: { instance: 'a' },
        quiet: { 'mintscope_webhook_pending_deliveries{instance="a"}': '1000x16' },
      },
    },
    {
      name: 'MintscopeGatheringRestarts',
      expression: 'increase(mintscope_gathering_restarts_total[1h]) > 2',
      holds: '0m',
      severity: 'warning',
      summary: 'The thread that gathers metadata and posts ends again and again.',
      actions: [
        'The log names the reason of each end. Nothing else is affected; `--offchain off` runs the service without it.',
      ],
      tests: {
        atMinute: 50,
        firing: { 'mintscope_gathering_restarts_total{instance="a"}': '0x10 1x10 2x10 4x20' },
        labels: { instance: 'a' },
        quiet: { 'mintscope_gathering_restarts_total{instance="a"}': '4x30 5x20' },
      },
    },
    {
      name: 'MintscopePastThreadStops',
      expression: 'increase(mintscope_past_thread_stops_total[1h]) > 2',
      holds: '0m',
      severity: 'warning',
      summary: 'The thread that computes states of earlier slots ends again and again.',
      actions: [
        'The log names the reason. Only requests with `as_of_slot` are affected: they are answered with 503.',
      ],
      tests: {
        atMinute: 50,
        firing: { 'mintscope_past_thread_stops_total{instance="a"}': '0x10 1x10 2x10 4x20' },
        labels: { instance: 'a' },
        quiet: { 'mintscope_past_thread_stops_total{instance="a"}': '4x30 5x20' },
      },
    },
  ],
};
