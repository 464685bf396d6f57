import { expect, test } from 'vitest';
import { prefersOpenMetrics } from './accepted-metrics.ts';

/** What Prometheus 3 sends, and 2.42. */
const PROMETHEUS_3 =
  'application/openmetrics-text;version=1.0.0;escaping=allow-utf-8;q=0.6,' +
  'application/openmetrics-text;version=0.0.1;q=0.5,text/plain;version=1.0.0;q=0.4,' +
  'text/plain;version=0.0.4;q=0.3,*/*;q=0.2';
const PROMETHEUS_2 =
  'application/openmetrics-text;version=1.0.0,application/openmetrics-text;version=0.0.1;q=0.75,' +
  'text/plain;version=0.0.4;q=0.5,*/*;q=0.1';

test.each([
  [PROMETHEUS_3, true],
  [PROMETHEUS_2, true],
  ['application/openmetrics-text', true],
  ['APPLICATION/OpenMetrics-Text; version=1.0.0 ; Q=0.1', true],
  [undefined, false],
  ['', false],
  ['*/*', false],
  ['text/plain', false],
  ['text/plain, application/openmetrics-text;q=0.5', false],
  ['application/openmetrics-text;q=0', false],
  ['application/openmetrics-text;q=many', false],
])('OpenMetrics is preferred only by who names it first: %s', (accept, isPreferred) => {
  expect(prefersOpenMetrics(accept)).toBe(isPreferred);
});
