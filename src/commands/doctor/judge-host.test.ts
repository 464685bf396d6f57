import { describe, expect, test } from 'vitest';
import type { HostFacts } from './host-facts.ts';
import { judgeHost } from './judge-host.ts';

const GIB = 2 ** 30;
const GOOD: HostFacts = {
  dataDir: '/var/lib/mintscope',
  folder: 'new',
  freeBytes: 100 * GIB,
  memoryBytes: 8 * GIB,
  openFilesMax: 65_536,
  nodeVersion: '24.21.0',
};

describe('the judgement of a machine', () => {
  test('passes if nothing is wrong', () => {
    expect(judgeHost(GOOD).map(({ status }) => status)).toEqual(Array(5).fill('ok'));
  });

  test.each([
    [{ folder: 'empty' }, 'folder', 'ok'],
    [{ folder: 'ours' }, 'folder', 'ok'],
    [{ folder: 'used' }, 'folder', 'warn'],
    [{ folder: 'foreign' }, 'folder', 'fail'],
    [{ folder: 'unwritable' }, 'folder', 'fail'],
    [{ folder: 'of-others' }, 'folder', 'fail'],
    [{ freeBytes: 19 * GIB }, 'disk', 'warn'],
    [{ freeBytes: 0.9 * GIB }, 'disk', 'fail'],
    [{ freeBytes: null }, 'disk', 'warn'],
    [{ memoryBytes: 3 * GIB }, 'memory', 'warn'],
    [{ memoryBytes: GIB }, 'memory', 'fail'],
    [{ openFilesMax: 1_024 }, 'files', 'warn'],
    [{ openFilesMax: null }, 'files', 'ok'],
    [{ nodeVersion: '22.18.0' }, 'runtime', 'warn'],
  ] as const)('for %j says of %s: %s, and what to do unless it is ok', (facts, check, status) => {
    const found = judgeHost({ ...GOOD, ...facts }).find((finding) => finding.check === check);
    expect(found?.status).toBe(status);
    expect(found?.advice === null).toBe(status === 'ok');
  });
});
