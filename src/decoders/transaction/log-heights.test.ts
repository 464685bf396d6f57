import { describe, expect, test } from 'vitest';
import { address, buildTransaction } from '../../../tests/support/build-transaction.ts';
import { heightsOfLogs } from './log-heights.ts';

const ROUTER = address('router');
const POOL = address('pool');
const ED25519 = 'Ed25519SigVerify111111111111111111111111111';

describe('call depths from the log', () => {
  test('are the numbers of the invocation lines, in order', () => {
    expect(
      heights(
        `Program ${ROUTER} invoke [1]`,
        'Program log: Instruction: Route',
        `Program ${POOL} invoke [2]`,
        `Program ${POOL} consumed 4000 of 200000 compute units`,
        `Program ${POOL} success`,
        `Program ${ROUTER} success`,
      ),
    ).toEqual([1, 1, 2]);
  });

  test('are not taken from a program that logs an invocation itself', () => {
    const forged = `Program log: Program ${POOL} invoke [2]`;
    expect(heights(`Program ${ROUTER} invoke [1]`, forged)).toBeNull();
    expect(heights(`Program ${ROUTER} invoke [1]`, forged, `Program ${POOL} invoke [2]`)).toEqual([
      1, 1, 2,
    ]);
  });

  test.each([
    ['nothing', []],
    ['a truncated log', [`Program ${ROUTER} invoke [1]`, 'Log truncated']],
    ['another program', [`Program ${ROUTER} invoke [1]`, `Program ${ROUTER} invoke [2]`]],
    [
      'an inner instruction at depth 1',
      [`Program ${ROUTER} invoke [1]`, `Program ${POOL} invoke [1]`],
    ],
    [
      'an outer instruction at depth 2',
      [`Program ${ROUTER} invoke [2]`, `Program ${POOL} invoke [2]`],
    ],
    ['depth 0', [`Program ${ROUTER} invoke [1]`, `Program ${POOL} invoke [0]`]],
    [
      'an impossible depth',
      [`Program ${ROUTER} invoke [1]`, `Program ${POOL} invoke [99999999999]`],
    ],
    [
      'one call too many',
      [`Program ${ROUTER} invoke [1]`, `Program ${POOL} invoke [2]`, `Program ${POOL} invoke [2]`],
    ],
  ])('are unknown from %s', (_, lines) => {
    expect(heights(...lines)).toBeNull();
  });
});

/** A signature check, which logs nothing, then a router that calls a pool. */
function heights(...logMessages: readonly string[]): number[] | null {
  const { instructions } = buildTransaction({
    signers: [address('signer')],
    instructions: [{ program: ED25519 }, { program: ROUTER, inner: [{ program: POOL }] }],
  });
  const found = heightsOfLogs(instructions, logMessages);
  return found === null ? null : [...found];
}
