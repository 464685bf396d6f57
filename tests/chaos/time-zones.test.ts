import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const FOLDER = fileURLToPath(new URL('../support/fold-in-zone.ts', import.meta.url));

function foldIn(zone: string) {
  const { stdout, status } = spawnSync(process.execPath, [FOLDER], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, NODE_NO_WARNINGS: '1', TZ: zone },
  });
  expect(status).toBe(0);
  return JSON.parse(stdout);
}

test('a machine in another time zone, in the hour that its clocks repeat, gives the same results (F-17)', () => {
  const { offsetMinutes, ...calm } = foldIn('UTC');
  expect(offsetMinutes).toBe(0);
  expect(calm.openTimes[0]).toBe('2025-11-02T05:58:30.000Z');
  expect(calm.read).toEqual([
    '2025-11-02T00:00:00.000Z',
    '2025-11-02T01:30:00.000Z',
    '2025-03-09T02:30:00.000Z',
    '2016-12-31T23:59:59.000Z',
  ]);
  // New York, five hours behind UTC from this moment on and four until then; and an unusual zone.
  for (const [zone, offset] of [
    ['America/New_York', 300],
    ['Asia/Kathmandu', -345],
  ] as const) {
    expect(foldIn(zone)).toEqual({ ...calm, offsetMinutes: offset });
  }
});
