import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { readConfig } from '../../src/config/config.ts';
import type { SlotFacts } from '../../src/model/slot-facts.ts';
import { asSlot } from '../../src/model/units.ts';
import { openService } from '../../src/service/app.ts';
import { makeBackup } from '../../src/store/backup/make-backup.ts';
import { restoreBackup } from '../../src/store/backup/restore-backup.ts';
import { dataFolderAt } from '../../src/store/data-folder.ts';
import { openDataPlane } from '../../src/store/data-plane.ts';
import { temporaryFolder } from '../support/command-line.ts';
import { marketFacts } from '../support/followed-market.ts';
import { itemSource } from '../support/item-source.ts';
import { alter } from '../support/lost-folder.ts';
import { finalSlots } from '../support/market-ingestion.ts';
import { storedRows } from '../support/stored-rows.ts';

const PART_SLOTS = 10;
const PARTS = 16;
/** So much chain time passes that a part is forty minutes. */
const SLOT_MS = 240_000;
const START_MS = Date.UTC(2026, 0, 1);
/** Left out while the chain is followed: less than an hour before its end. */
const LATE_INDEX = PARTS * PART_SLOTS - 12;

const facts: readonly SlotFacts[] = marketFacts(PARTS * PART_SLOTS).map((each, index) => {
  return { ...each, blockTimeMs: START_MS + index * SLOT_MS };
});
const late = facts.slice(LATE_INDEX, LATE_INDEX + 1);

interface Folder {
  readonly path: string;
  readonly digest: string;
  readonly logStart: number | null;
  /** Rows of all tables but the log. */
  readonly rows: Record<string, unknown>;
}

async function derivedRows(dataDir: string): Promise<Record<string, unknown>> {
  const { slot_log: _, ...rows } = await storedRows(dataDir);
  return rows;
}

/** Opens a folder as a service does, and runs `work`; returns what was found and the state after it. */
async function serve(
  dataDir: string,
  settings: Record<string, string> = {},
  work: (service: Awaited<ReturnType<typeof openService>>) => Promise<void> = async () => undefined,
) {
  const lost: string[] = [];
  const config = readConfig({}, { dataDir, solUsdFallback: '150', ...settings });
  const service = await openService(config, { onLost: (sentence) => lost.push(sentence) });
  try {
    await work(service);
    const { engine, gaps, status, logStart, problems } = service.ingestion;
    const missing = gaps.map(({ from, to }) => ({ from, to }));
    return { lost, missing, digest: engine.digest(), refolds: status.refolds, logStart, problems };
  } finally {
    await service.close();
  }
}

/** Follows the chain without the late slot. */
async function followed(settings: Record<string, string>): Promise<Folder> {
  const path = temporaryFolder();
  const { digest, logStart } = await serve(path, settings, async ({ ingestion }) => {
    for (let index = 0; index < PARTS; index++) {
      const part = facts.slice(index * PART_SLOTS, (index + 1) * PART_SLOTS);
      const known = part.filter((each) => !late.includes(each));
      const slot = known.at(-1)?.slot ?? asSlot(0);
      const items = known.map((each) => ({ kind: 'facts' as const, facts: each }));
      await ingestion.ingest(itemSource([...items, { kind: 'final', slot }], false));
    }
  });
  return { path, digest, logStart, rows: await derivedRows(path) };
}

describe('a folder whose log was dropped beyond its retention', () => {
  let whole: Folder;
  let dropped: Folder;

  beforeAll(async () => {
    whole = await followed({});
    dropped = await followed({ logRetention: '6h' });
  });

  afterAll(() => {
    for (const { path } of [whole, dropped]) rmSync(path, { recursive: true, force: true });
  });

  function copy({ path }: Folder): string {
    const to = temporaryFolder();
    cpSync(path, to, { recursive: true });
    return to;
  }

  test('has the state and the rows of one with the whole log', () => {
    expect(whole.logStart).toBeNull();
    expect(dropped.logStart).toBeGreaterThan(facts[0]?.slot ?? 0);
    expect(dropped.digest).toBe(whole.digest);
    expect(dropped.rows).toEqual(whole.rows);
  });

  test('is backed up while slots are dropped, and restored as it was then (H-11)', async () => {
    const [path, root] = [temporaryFolder(), temporaryFolder()];
    const made: { target: string; digest: string; logStart: number | null }[] = [];
    await serve(path, { logRetention: '6h' }, async ({ ingestion }) => {
      for (let index = 0; index < PARTS; index++) {
        const part = facts.slice(index * PART_SLOTS, (index + 1) * PART_SLOTS);
        const slot = part.at(-1)?.slot ?? asSlot(0);
        const items = part.map((each) => ({ kind: 'facts' as const, facts: each }));
        await ingestion.ingest(itemSource([...items, { kind: 'final', slot }], false));
        if (index < PARTS - 2) continue;
        const target = join(root, `backup-${index}`);
        const { engine, logStart } = ingestion;
        made.push({ target, digest: engine.digest(), logStart });
        await makeBackup({ dataDir: path, target, version: '1.0.0', nowMs: Date.now });
      }
    });
    expect(made.map(({ logStart }) => logStart)).not.toContain(null);
    const [{ target, digest, logStart } = { target: '', digest: '', logStart: null }] = made;
    const dataDir = join(root, 'restored');
    restoreBackup({ backup: target, dataDir, version: '1.0.0' });
    const again = await serve(dataDir);
    expect(again).toMatchObject({ lost: [], missing: [], refolds: 0, digest, logStart });
    for (const folder of [path, root]) rmSync(folder, { recursive: true });
  });

  test('is opened again without a finding or a refold, and has the removed slots no more', async () => {
    const dataDir = copy(dropped);
    const { logStart } = dropped;
    const again = await serve(dataDir);
    const late = facts[LATE_INDEX]?.slot;
    expect(again).toMatchObject({ lost: [], refolds: 0, digest: whole.digest, logStart });
    expect(again.missing).toEqual([{ from: late, to: late }]);
    expect(await derivedRows(dataDir)).toEqual(whole.rows);
    await vi.waitFor(async () => {
      expect(await countBefore(dataDir, logStart ?? 0)).toBe(0);
    });
  });

  test('applies a slot that is an hour late, and refuses one before its oldest state', async () => {
    const [dataDir, calm] = [copy(dropped), copy(whole)];
    const expected = await serve(calm, {}, ({ ingestion }) => take(ingestion, late));
    const before = [{ ...facts[0], slot: asSlot(990), parentSlot: asSlot(989) } as SlotFacts];
    const found = await serve(dataDir, {}, async ({ ingestion }) => {
      await take(ingestion, late);
      await take(ingestion, before);
    });
    expect(found).toMatchObject({ refolds: 1, missing: [], problems: { 'too-late': 1 } });
    expect(found.digest).toBe(expected.digest);
    expect(await derivedRows(dataDir)).toEqual(await derivedRows(calm));
  });

  test('is taken up after a kill between the note of its start and the removal', async () => {
    const dataDir = copy(whole);
    const start = facts[60]?.slot ?? asSlot(0);
    await alter(dataDir, [`INSERT INTO log_starts (slot, version) VALUES (${start}, 1)`]);
    // A source that is followed is asked for slots, and the removal is completed between two.
    const last = facts.at(-1)?.slot ?? asSlot(0);
    const found = await serve(dataDir, {}, async ({ ingestion }) => {
      await ingestion.ingest(itemSource([{ kind: 'final', slot: last }], false));
    });
    expect(found).toMatchObject({ lost: [], refolds: 0, digest: whole.digest, logStart: start });
    await vi.waitFor(async () => expect(await countBefore(dataDir, start)).toBe(0), 20_000);
    expect((await serve(dataDir)).lost).toEqual([]);
  });

  test('marks a slot that is lost after its start as missing, and keeps its rows', async () => {
    const dataDir = copy(dropped);
    const lost = facts.at(-40)?.slot;
    await alter(dataDir, [
      `ALTER TABLE slot_log DELETE WHERE slot = ${lost} SETTINGS mutations_sync = 2`,
    ]);
    const found = await serve(dataDir);
    expect(found.lost.join()).toContain(`slot ${lost} of the log are lost`);
    expect(found.missing).toContainEqual({ from: lost, to: lost });
    expect(found.digest).toBe(whole.digest);
    expect(await derivedRows(dataDir)).toEqual(whole.rows);
  });

  test('folds the end of its log again when that is lost', async () => {
    const dataDir = copy(dropped);
    const lost = facts.at(-1)?.slot;
    await alter(dataDir, [
      `ALTER TABLE slot_log DELETE WHERE slot = ${lost} SETTINGS mutations_sync = 2`,
    ]);
    const found = await serve(dataDir, {}, ({ ingestion }) => take(ingestion, facts.slice(-1)));
    expect(found.refolds).toBe(1);
    expect(found.digest).toBe(whole.digest);
    expect(await derivedRows(dataDir)).toEqual(whole.rows);
  });

  describe('refuses to compute everything again, with the way out', () => {
    const WAY_OUT = /begins at slot \d+.*--log-retention.*restore a backup.*mintscope backfill/s;
    const controlFiles = (dataDir: string) =>
      ['', '-wal', '-shm'].map((end) => `${dataFolderAt(dataDir).controlFile}${end}`);

    async function expectAsBefore(dataDir: string): Promise<void> {
      const again = await serve(dataDir);
      expect(again).toMatchObject({ lost: [], refolds: 0, digest: whole.digest });
      expect(await derivedRows(dataDir)).toEqual(whole.rows);
    }

    test('without its control database, and is served again once that was restored', async () => {
      const dataDir = copy(dropped);
      for (const file of controlFiles(dataDir)) rmSync(file, { force: true });
      await expect(serve(dataDir)).rejects.toThrow(WAY_OUT);
      await expect(serve(dataDir)).rejects.toThrow(WAY_OUT);
      for (const file of controlFiles(dataDir)) rmSync(file, { force: true });
      cpSync(dataFolderAt(dropped.path).controlFile, dataFolderAt(dataDir).controlFile);
      await expectAsBefore(dataDir);
    });

    test('under a setting that decides figures, and is served again under the earlier one', async () => {
      const dataDir = copy(dropped);
      await expect(serve(dataDir, { solUsdFallback: '151' })).rejects.toThrow(WAY_OUT);
      await expectAsBefore(dataDir);
    });

    test('when rows of a table are lost', async () => {
      const dataDir = copy(dropped);
      await alter(dataDir, ['TRUNCATE TABLE candles']);
      await expect(serve(dataDir)).rejects.toThrow(/Stored rows of candles are lost.*/);
      await expect(serve(dataDir)).rejects.toThrow(WAY_OUT);
    });

    test('without its states', async () => {
      const dataDir = copy(dropped);
      rmSync(dataFolderAt(dataDir).stateFolder, { recursive: true });
      await expect(serve(dataDir)).rejects.toThrow(WAY_OUT);
      cpSync(dataFolderAt(dropped.path).stateFolder, dataFolderAt(dataDir).stateFolder, {
        recursive: true,
      });
      await expectAsBefore(dataDir);
    });
  });
});

async function take(
  ingestion: Awaited<ReturnType<typeof openService>>['ingestion'],
  slots: readonly SlotFacts[],
): Promise<void> {
  await ingestion.ingest(finalSlots(slots));
}

async function countBefore(dataDir: string, slot: number): Promise<number> {
  const plane = await openDataPlane({ dataDir: dataFolderAt(dataDir).engineFolder });
  try {
    const [row] = await plane.heavy.rows<{ rows: string }>(
      'SELECT count() AS rows FROM slot_log WHERE slot < {slot:UInt64}',
      { slot },
    );
    return Number(row?.rows);
  } finally {
    await plane.close();
  }
}
