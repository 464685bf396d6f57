import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const OPENER = fileURLToPath(new URL('../support/migrate-until-killed.ts', import.meta.url));

interface Opened {
  readonly steps: number;
  readonly schema: { readonly tables: readonly unknown[] };
}

describe('a process killed while it migrates a data folder (F-01)', () => {
  let folder: string;
  let calm: Opened;

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'kill-migration-'));
    calm = opened('calm');
    expect(calm.steps).toBeGreaterThan(20);
    expect(calm.schema.tables.length).toBeGreaterThan(10);
  });

  afterAll(() => {
    rmSync(folder, { recursive: true });
  });

  /** Step 0 kills no process. Each runs in its own process: the engine opens only one folder. */
  function open(name: string, killAt: number) {
    return spawnSync(process.execPath, [OPENER, join(folder, name), String(killAt)], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, NODE_NO_WARNINGS: '1' },
    });
  }

  function opened(name: string): Opened {
    const { status, stdout } = open(name, 0);
    expect(status).toBe(0);
    return JSON.parse(stdout);
  }

  test('continues after each kill, up to the schema of a folder made without kills', () => {
    // All runs use one folder: each continues what the previous one left unfinished.
    const ends = [0.02, 0.2, 0.45, 0.7, 0.9].map(
      (share) => open('killed', Math.max(1, Math.floor(share * calm.steps))).signal,
    );
    // A run with most steps done takes fewer, and may not reach the step of its kill.
    expect(ends.slice(0, 3)).toEqual(['SIGKILL', 'SIGKILL', 'SIGKILL']);
    expect(opened('killed').schema).toEqual(calm.schema);
  });

  test.each([0.1, 0.3, 0.5, 0.6, 0.8])('at %f of all steps too, in an empty folder', (share) => {
    const name = `at-${share}`;
    expect(open(name, Math.ceil(share * calm.steps)).signal).toBe('SIGKILL');
    expect(opened(name).schema).toEqual(calm.schema);
  });
});
