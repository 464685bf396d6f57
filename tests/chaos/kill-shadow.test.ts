import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../support/command-line.ts';
import { marketDigest, openFollowed } from '../support/followed-market.ts';

const FOLLOWER = fileURLToPath(new URL('../support/follow-until-killed.ts', import.meta.url));

describe('a process killed while it follows a chain and writes snapshots (F-01)', () => {
  test.each([
    ['folding', false, 1],
    ['whole', true, 1],
    ['named', false, 2],
  ])(
    'at "%s" starts from the newest named snapshot, and folds only the final slots after it',
    async (moment, isDraftLeft, kept) => {
      const dataDir = temporaryFolder();
      const { signal } = spawnSync(process.execPath, [FOLLOWER, dataDir, moment], {
        stdio: 'inherit',
        env: { ...process.env, NODE_NO_WARNINGS: '1' },
      });
      expect(signal).toBe('SIGKILL');
      expect(existsSync(join(dataDir, 'snapshots', 'shadow.tmp'))).toBe(isDraftLeft);

      let folded = 0;
      const problems: string[] = [];
      const { store, snapshots, ingestion } = await openFollowed(
        dataDir,
        {},
        {
          onFold: () => folded++,
          onSnapshotProblem: (sentence) => problems.push(sentence),
        },
      );
      const slots = snapshots.names().map((name) => Number(name.split('-')[1]));
      const { slot } = store.cursor.read();
      expect(slots).toHaveLength(kept);
      expect(folded).toBe(Number(slot) - Number(slots[0]));
      expect(problems).toEqual([]);
      expect(ingestion.engine.lastSlot).toBe(slot);
      expect(ingestion.engine.digest()).toBe(marketDigest(Number(slot)));
      await store.close();
    },
    120_000,
  );
});
