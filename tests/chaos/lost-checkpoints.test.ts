import {
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { dataFolderAt } from '../../src/store/data-folder.ts';
import { CalmFolder, reopen } from '../support/lost-folder.ts';
import { flipBits } from '../support/stored-fold.ts';
import { storedRows } from '../support/stored-rows.ts';

/** Files of the state whose names begin like this. */
function filesOf(dataDir: string, prefix: string): string[] {
  const { stateFolder } = dataFolderAt(dataDir);
  return readdirSync(stateFolder, { recursive: true, encoding: 'utf8' })
    .filter((name) => (name.split('/').at(-1) ?? '').startsWith(prefix))
    .map((name) => join(stateFolder, name));
}

const cut = (path: string) => truncateSync(path, statSync(path).size >> 1);
const flip = (path: string) => flipBits(path, { from: 40, every: 300 });

describe('checkpoints that are removed, cut or altered while the service is stopped (H-04)', () => {
  const calm = new CalmFolder(120, 2);

  beforeAll(() => calm.fill());

  test.each([
    ['manifests removed', 'checkpoint-', (path: string) => rmSync(path), /^$/],
    ['manifests cut', 'checkpoint-', cut, /it differs from what was written/],
    ['manifests flipped', 'checkpoint-', flip, /it differs from what was written/],
    ['segments removed', 'segment-', (path: string) => rmSync(path), /is missing or cut off/],
    ['segments cut', 'segment-', cut, /is missing or cut off/],
    ['segments flipped', 'segment-', flip, /is damaged/],
  ])(
    '%s: the state is computed from the log, and it is said why',
    async (_, prefix, damage, sentence) => {
      const dataDir = calm.copy();
      const files = filesOf(dataDir, prefix);
      expect(files.length).toBeGreaterThan(0);
      for (const path of files) damage(path);
      const { digest, missing, lost, refolds, stateProblems } = await reopen(dataDir);
      expect(digest).toBe(calm.digest);
      expect([missing, lost, refolds]).toEqual([[], [], 0]);
      expect(stateProblems.join('\n')).toMatch(sentence);
      expect(await storedRows(dataDir)).toEqual(calm.rows);
    },
    60_000,
  );

  test('of a version that stored snapshots: they are removed, and the log gives the state', async () => {
    const dataDir = calm.copy();
    const { stateFolder, snapshotFolder } = dataFolderAt(dataDir);
    rmSync(stateFolder, { recursive: true });
    mkdirSync(snapshotFolder);
    writeFileSync(
      join(snapshotFolder, 'snapshot-1119-00ff.bin'),
      'the state of an earlier version',
    );
    const first = await reopen(dataDir);
    expect(first.digest).toBe(calm.digest);
    expect(first.stateProblems).toEqual([
      expect.stringMatching(/^The snapshots of an earlier version in .* were removed: .* once\.$/),
    ]);
    expect(existsSync(snapshotFolder)).toBe(false);
    expect(await storedRows(dataDir)).toEqual(calm.rows);
    expect((await reopen(dataDir)).stateProblems).toEqual([]);
  });
});
