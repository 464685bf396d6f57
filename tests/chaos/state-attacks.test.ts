import { rmSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { Engine } from '../../src/engine/engine.ts';
import { PagePool } from '../../src/lib/pages/page-pool.ts';
import type { SlotFacts } from '../../src/model/slot-facts.ts';
import { StateFolders } from '../../src/store/checkpoints/state-folders.ts';
import { statePages } from '../../src/store/checkpoints/state-pages.ts';
import { temporaryFolder } from '../support/command-line.ts';
import { fallbackSolUsd } from '../support/master-fixture.ts';
import { deadMints, manyHolders } from '../support/state-attacks.ts';

/**
 * Holders of the mint, and dead mints. MINTSCOPE_TEST_STATE_ATTACK=1000000 is the size of an attack: a
 * million of each, for which it takes many minutes and some GB of disk.
 */
const SIZE = process.env.MINTSCOPE_TEST_STATE_ATTACK;
const HOLDERS = Number(SIZE ?? 4_000);
const MINTS = Number(SIZE ?? 1_000);
const isLarge = SIZE !== undefined;
/** Most of the state is in files. */
const PAGES_MAX = Math.min(Math.ceil(HOLDERS / 4), 100_000);
/** The state of the engine that is compared is too large for memory as well; its bound is another. */
const OTHER_PAGES_MAX = PAGES_MAX * 2;

/** Applies an attack to a state of which only so many pages may be in memory. */
function attacked(slots: Iterable<SlotFacts>, pagesMax: number) {
  const folder = temporaryFolder();
  const { records } = new StateFolders(folder).create(1, { rules: 'attack' });
  const memory = { pagesMax, objectBytesMax: pagesMax * 500 };
  const pages = new PagePool({ ...memory, store: statePages(records) });
  const engine = new Engine({ fallbackSolUsd, pages });
  let [residentMax, rssMax, transactions, foldMs, processorMs, slowestMs] = [0, 0, 0, 0, 0, 0];
  for (const facts of slots) {
    const before = process.cpuUsage();
    const beganMs = performance.now();
    engine.apply(facts);
    const used = process.cpuUsage(before);
    processorMs += (used.user + used.system) / 1_000;
    const slotMs = performance.now() - beganMs;
    foldMs += slotMs;
    slowestMs = Math.max(slowestMs, slotMs);
    transactions += facts.transactions.length;
    residentMax = Math.max(residentMax, pages.residentPages);
    if (facts.slot % 50 === 0) rssMax = Math.max(rssMax, process.memoryUsage.rss());
  }
  const digest = engine.digest();
  const { recordCount, fileBytes } = records.sizes();
  records.close();
  rmSync(folder, { recursive: true });
  const figures = {
    ...{ transactions, pagesMax, residentMax, recordCount },
    seconds: Number((foldMs / 1_000).toFixed(1)),
    perSecond: Math.round(transactions / (foldMs / 1_000)),
    // What the rate would be on a machine that has nothing else to do.
    perProcessorSecond: Math.round(transactions / (processorMs / 1_000)),
    slowestMs: Math.round(slowestMs),
    fileMiB: Math.round(fileBytes / 2 ** 20),
    rssMiB: Math.round(Math.max(rssMax, process.memoryUsage.rss()) / 2 ** 20),
  };
  process.stdout.write(`${JSON.stringify(figures)}\n`);
  return { digest, residentMax, recordCount };
}

/** The digest of an engine with another bound, of none where all of it fits into memory. */
function otherDigest(slots: Iterable<SlotFacts>): string {
  if (isLarge) return attacked(slots, OTHER_PAGES_MAX).digest;
  const engine = new Engine({ fallbackSolUsd });
  for (const facts of slots) engine.apply(facts);
  return engine.digest();
}

describe('memory of the state stays bounded', () => {
  test.each([
    [`by a mint with ${HOLDERS} holders`, () => manyHolders(HOLDERS)],
    [`by purchases of ${MINTS} dead mints`, () => deadMints(MINTS)],
  ])(
    '%s',
    (_name, slots) => {
      const { digest, residentMax, recordCount } = attacked(slots(), PAGES_MAX);
      expect(residentMax).toBeLessThanOrEqual(PAGES_MAX);
      // Much more than may be in memory was written.
      expect(recordCount).toBeGreaterThan(PAGES_MAX);
      expect(digest).toBe(otherDigest(slots()));
    },
    isLarge ? 7_200_000 : 300_000,
  );
});
