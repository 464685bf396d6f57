import { mkdtempSync, rmSync } from 'node:fs';
import type * as FileSystem from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { asSlot } from '../model/units.ts';
import { Snapshots } from './snapshots/snapshots.ts';

const calls = vi.hoisted(() => [] as string[]);

/** The file system, with a record of the calls that make data durable. */
vi.mock('node:fs/promises', async (original) => {
  const real = await original<typeof FileSystem>();
  return {
    ...real,
    open: async (...given: Parameters<typeof real.open>) => {
      const file = await real.open(...given);
      const sync = file.sync.bind(file);
      file.sync = async () => {
        calls.push(`sync ${basename(String(given[0]))}`);
        await sync();
      };
      return file;
    },
    rename: async (...given: Parameters<typeof real.rename>) => {
      calls.push('rename');
      await real.rename(...given);
    },
  };
});

test('H-07 a snapshot is durable before it gets its name, and its name before others are removed', async () => {
  const folder = join(mkdtempSync(join(tmpdir(), 'snapshot-sync-')), 'snapshots');
  const head = { rules: 'fold 1', epoch: 1, slot: asSlot(7), blockhash: null, olderSlots: 0 };
  await new Snapshots(folder).write(head, [Buffer.from('a state')]);
  expect(calls).toEqual(['sync unfinished.tmp', 'rename', 'sync snapshots']);
  rmSync(join(folder, '..'), { recursive: true });
});
