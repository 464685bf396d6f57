import { copyFileSync, rmSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { temporaryFolder } from '../support/command-line.ts';
import { marketFacts } from '../support/followed-market.ts';
import { finalSlots, openMarketService } from '../support/market-ingestion.ts';
import { storedRows } from '../support/stored-rows.ts';

const facts = marketFacts(60);
const FILES = ['control.sqlite', 'control.sqlite-wal'];

describe('a truncated write-ahead log of the control database (F-16)', () => {
  const dataDir = temporaryFolder();
  const copies = temporaryFolder();
  let rows: unknown;
  let digest: string;

  beforeAll(async () => {
    const service = await openMarketService(dataDir);
    await service.ingestion.ingest(finalSlots(facts), { writeAfterMs: 0 });
    // Copies as a kill leaves them: closing would move the log into the database.
    for (const file of FILES) copyFileSync(join(dataDir, file), join(copies, file));
    digest = service.ingestion.engine.digest();
    await service.close();
    rows = await storedRows(dataDir);
  });

  test.each([0, 0.2, 0.5, 0.9, 1])(
    'at %d of its length loses later moves of the cursor only, and never a row or a figure',
    async (part) => {
      for (const file of FILES) copyFileSync(join(copies, file), join(dataDir, file));
      rmSync(join(dataDir, 'control.sqlite-shm'), { force: true });
      const log = join(dataDir, 'control.sqlite-wal');
      const { size } = statSync(log);
      expect(size).toBeGreaterThan(10_000);
      truncateSync(log, Math.floor(size * part));
      const service = await openMarketService(dataDir);
      expect(service.ingestion.engine.digest()).toBe(digest);
      expect(service.ingestion.gaps).toEqual([]);
      await service.ingestion.ingest(finalSlots(facts));
      expect(service.ingestion.engine.digest()).toBe(digest);
      await service.close();
      expect(await storedRows(dataDir)).toEqual(rows);
    },
    60_000,
  );
});
