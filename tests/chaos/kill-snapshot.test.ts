import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Snapshots } from '../../src/store/snapshots/snapshots.ts';
import { copiedChunks } from '../support/copied-chunks.ts';

const WRITER = fileURLToPath(new URL('../support/write-snapshots.ts', import.meta.url));
const CONTENT_BYTES = 40 * 64 * 1_024;

describe('a process killed while it writes a snapshot (F-01)', () => {
  let folder: string;

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'kill-snapshot-'));
  });

  afterAll(() => {
    rmSync(folder, { recursive: true });
  });

  // All runs use one folder: each finds what the previous one left unfinished.
  test.each([
    [1, '0'],
    [11, '1'],
    [21, '20'],
    [31, '39'],
    [41, 'whole'],
  ])('from slot %i, at chunk %s of the third, leaves the two before it intact', (first, killAt) => {
    const { signal, stdout } = spawnSync(process.execPath, [WRITER, folder, `${first}`, killAt], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, NODE_NO_WARNINGS: '1' },
    });
    expect(signal).toBe('SIGKILL');
    expect(stdout).toBe(`kept ${first}\nkept ${first + 1}\n`);
    expect(readdirSync(folder)).toContain('unfinished.tmp');
    const snapshots = new Snapshots(folder);
    const slots = snapshots.names().map((name) => {
      const { head, chunks } = snapshots.open(name);
      const content = Buffer.concat(copiedChunks(chunks));
      expect(content.equals(Buffer.alloc(CONTENT_BYTES, head.slot))).toBe(true);
      return head.slot;
    });
    expect(slots).toEqual([first + 1, first]);
  });
});
