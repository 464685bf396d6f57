import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { StoreError } from '../../src/model/errors.ts';
import { EXPORT_FORMATS, type ExportFormat, type ExportPosition } from '../../src/model/export.ts';
import type { Store } from '../../src/store/store.ts';
import { temporaryFolder } from '../support/command-line.ts';
import { marketFacts } from '../support/followed-market.ts';
import { finalSlots, openMarketService } from '../support/market-ingestion.ts';
import { storedRows } from '../support/stored-rows.ts';

const SLOTS = 3_000;
const LEFT_BYTES = 600_000;
const disk = temporaryFolder();
const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=256m', 'tmpfs', disk]).status === 0;
if (!mounted)
  process.stderr.write('A full disk is not tested: no small disk can be mounted here.\n');

/** Fills the disk up to the last bytes, as another program would. */
function fill(path: string): void {
  const { bavail, bsize } = statfsSync(disk);
  writeFileSync(path, Buffer.alloc(Math.max(0, bavail * bsize - LEFT_BYTES)));
}

/** The number of exported trades, and the digest of their bytes, read to the end. */
async function exported({ exports }: Store, format: ExportFormat) {
  const query = {
    kind: 'trades',
    format,
    mint: null,
    authors: null,
    pool: null,
    fromMs: 0,
    toMs: 1e15,
  } as const;
  const { data } = await exports.begin(query);
  if (data.point === null) throw new Error('nothing is stored');
  const digest = createHash('sha256');
  let rows = 0;
  let after: ExportPosition | null = null;
  do {
    const portion = await exports.portion({ ...query, ...data.point, after });
    digest.update(portion.bytes);
    rows += portion.rows;
    after = portion.next;
  } while (after !== null);
  return { rows, sha256: digest.digest('hex') };
}

describe.skipIf(!mounted)('a disk that fills up (F-15)', () => {
  const dataDir = join(disk, 'data');
  const ballast = join(disk, 'ballast');

  beforeAll(() => {
    mkdirSync(dataDir);
  });

  afterAll(() => {
    rmSync(ballast, { force: true });
    spawnSync('umount', ['-l', disk]);
  });

  test('ends the run with one message, and the next run continues without loss once space is free', async () => {
    const facts = marketFacts(SLOTS);
    const service = await openMarketService(dataDir);
    fill(ballast);
    const ingesting = service.ingestion.ingest(finalSlots(facts));
    await expect(ingesting).rejects.toThrow(StoreError);
    await expect(ingesting).rejects.toThrow(/^(Writing slot|The cursor cannot be moved)/);
    expect(await service.store.health()).toMatchObject({ isWritable: false });
    // Later slots are refused too, so that nothing is written after a hole.
    await expect(service.ingestion.ingest(finalSlots(facts))).rejects.toThrow(StoreError);
    await service.close();

    rmSync(ballast);
    const again = await openMarketService(dataDir);
    await again.ingestion.ingest(finalSlots(facts));
    expect((await again.store.health()).isWritable).toBe(true);
    const digest = again.ingestion.engine.digest();
    await again.close();

    const calmDir = temporaryFolder();
    const calm = await openMarketService(calmDir);
    await calm.ingestion.ingest(finalSlots(facts));
    expect(digest).toBe(calm.ingestion.engine.digest());
    await calm.close();
    expect(await storedRows(dataDir)).toEqual(await storedRows(calmDir));
  }, 600_000);

  test.each(EXPORT_FORMATS)(
    'is no fault for an export as %s, which writes nothing',
    async (format) => {
      const service = await openMarketService(dataDir);
      await service.ingestion.ingest(finalSlots(marketFacts(SLOTS)));
      const whole = await exported(service.store, format);
      expect(whole.rows).toBeGreaterThan(100);
      fill(ballast);
      expect(await exported(service.store, format)).toEqual(whole);
      await service.close();
      rmSync(ballast);
    },
    600_000,
  );
});
