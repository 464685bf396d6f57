import { expect, test } from 'vitest';
import { describeFailure, failureAdvice } from './failure-advice.ts';
import { statusFailure, transportFailure } from './rpc-failure.ts';

const connection = (code: string) =>
  transportFailure('connection', `the connection failed (${code})`);

test.each([
  [statusFailure(401, null), /requires a key/],
  [statusFailure(404, null), /check the address/],
  [statusFailure(405, null), /takes no RPC requests/],
  [connection('CERT_HAS_EXPIRED'), /has expired/],
  [connection('DEPTH_ZERO_SELF_SIGNED_CERT'), /NODE_EXTRA_CA_CERTS/],
  [connection('ENOTFOUND'), /check its spelling/],
  [connection('ECONNREFUSED'), /check host and port/],
  [transportFailure('time-out', 'no answer within 5 ms'), /firewall/],
])('%j has a way out', (failure, advice) => {
  expect(failureAdvice(failure)).toMatch(advice);
});

test('a failure without a known way out is described by itself', () => {
  expect(describeFailure(statusFailure(500, null))).toBe('the node answered with HTTP status 500.');
});
