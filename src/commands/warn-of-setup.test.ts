import { describe, expect, test } from 'vitest';
import { judgeGrowth } from './doctor/judge-growth.ts';
import { warnOfSetup } from './warn-of-setup.ts';

const GIB = 2 ** 30;
const SETUP = { grpcTlsCertFile: null, rpcUrl: null };

/** The warnings about memory of a start on a machine of 64 GiB. */
function warningsOf(stateMemoryBytes: number | null): string[] {
  const lines: string[] = [];
  const logger = { warn: (line: string) => lines.push(line) };
  warnOfSetup({ ...SETUP, stateMemoryBytes }, {}, logger as never, 64 * GIB);
  return lines.filter((line) => line.includes('--state-memory'));
}

describe('the memory of the state', () => {
  test.each([999_999 * GIB, 64 * GIB, 30 * GIB])(
    '%d bytes: a start warns as doctor does',
    (bytes) => {
      const facts = { memoryBytes: 64 * GIB, stateMemoryBytes: bytes };
      const findings = judgeGrowth({ ...facts, freeBytes: null, logDaysMax: null });
      const found = findings.find(({ check }) => check === 'state memory');
      expect(found?.status).toBe('warn');
      expect(warningsOf(bytes)).toEqual([`${found?.message}. ${found?.advice}`]);
    },
  );

  test('that the machine has is not warned of, nor that of a process without a state', () => {
    expect(warningsOf(21 * GIB)).toEqual([]);
    expect(warningsOf(null)).toEqual([]);
  });
});
