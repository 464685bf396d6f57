import { describe, expect, it } from 'vitest';
import { codeFailure, statusFailure } from './rpc-failure.ts';

// Meanings from agave's rpc-client-api/src/custom_error.rs and the JSON-RPC 2.0 specification, § 5.1.
describe('the classification of an error', () => {
  it.each([
    [-32001, 'pruned', 'none', 'the block was cleaned up: here never again'],
    [-32004, 'absent', 'none', 'not available: proves nothing'],
    [-32005, 'elsewhere', 'busy', 'the node is behind'],
    [-32007, 'absent', 'none', 'skipped, or missing: proves nothing'],
    [-32009, 'absent', 'none', 'the same of long-term storage'],
    [-32011, 'refused', 'none', 'no history on this node'],
    [-32014, 'retry', 'none', 'status not yet available'],
    [-32015, 'elsewhere', 'none', 'a newer version: another node, and an alarm'],
    [-32016, 'retry', 'none', 'the context slot will be reached'],
    [-32019, 'elsewhere', 'none', 'long-term storage is out of reach'],
    [-32601, 'refused', 'none', 'no such method'],
    [-32602, 'refused', 'none', 'not with these parameters'],
    [-32603, 'retry', 'fault', 'internal'],
    [-39999, 'elsewhere', 'fault', 'unknown'],
  ])('%i: %s, harm %s (%s)', (code, action, harm) => {
    expect(codeFailure(code, 'words')).toMatchObject({ action, harm, name: `rpc ${code}` });
  });

  it('reports a problem for an unknown version and for no other code', () => {
    const codes = [-32001, -32004, -32005, -32007, -32009, -32011, -32014, -32015, -32016, -32603];
    const alarming = codes.filter((code) => codeFailure(code, '').problem !== null);
    expect(alarming).toEqual([-32015]);
  });

  it.each([
    [429, 'retry', 'busy'],
    [503, 'retry', 'busy'],
    [500, 'retry', 'fault'],
    [504, 'retry', 'fault'],
    [401, 'elsewhere', 'fault'],
    [404, 'elsewhere', 'fault'],
  ])('HTTP %i: %s, harm %s', (status, action, harm) => {
    expect(statusFailure(status, 5)).toMatchObject({ action, harm, retryAfterMs: 5 });
  });
});
