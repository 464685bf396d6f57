import { readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { readConfig } from '../../src/config/config.ts';
import { openService } from '../../src/service/app.ts';
import { dataFolderAt } from '../../src/store/data-folder.ts';
import { CalmFolder, reopen } from '../support/lost-folder.ts';
import { storedRows } from '../support/stored-rows.ts';

function flip(file: string): void {
  const bytes = readFileSync(file);
  const index = bytes.length >> 1;
  bytes.writeUInt8((bytes[index] ?? 0) ^ 1, index);
  writeFileSync(file, bytes);
}

/** The findings of a full check about the snapshots of a folder. */
async function checkedSnapshots(dataDir: string): Promise<readonly string[]> {
  const { store, close } = await openService(readConfig({}, { dataDir, solUsdFallback: '150' }));
  try {
    const names = store.snapshots.names();
    return names.flatMap((name) => store.verification.verifySnapshot(name)).map(({ kind }) => kind);
  } finally {
    await close();
  }
}

describe('snapshots that are removed, cut or altered while the service is stopped (H-04)', () => {
  const calm = new CalmFolder(120, 2);

  beforeAll(() => calm.fill(), 120_000);

  test.each([
    ['removed', (file: string) => rmSync(file), []],
    [
      'cut',
      (file: string) => truncateSync(file, statSync(file).size - 10),
      ['snapshot-damaged', 'snapshot-damaged'],
    ],
    ['flipped', flip, ['snapshot-damaged', 'snapshot-damaged']],
  ])(
    '%s: the state is folded from the log, and a check reports each',
    async (_, damage, found) => {
      const dataDir = calm.copy();
      const { snapshotFolder } = dataFolderAt(dataDir);
      const names = readdirSync(snapshotFolder);
      expect(names).toHaveLength(2);
      for (const name of names) damage(join(snapshotFolder, name));
      expect(await checkedSnapshots(dataDir)).toEqual(found);
      const { digest, missing } = await reopen(dataDir, calm.facts);
      expect(digest).toBe(calm.digest);
      expect(missing).toEqual([]);
      expect(await storedRows(dataDir)).toEqual(calm.rows);
    },
    60_000,
  );
});
