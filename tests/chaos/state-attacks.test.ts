import { describe, expect, test } from 'vitest';
import { Engine } from '../../src/engine/engine.ts';
import { PagePool } from '../../src/lib/pages/page-pool.ts';
import type { SlotFacts } from '../../src/model/slot-facts.ts';
import { StateFolders } from '../../src/store/checkpoints/state-folders.ts';
import { statePages } from '../../src/store/checkpoints/state-pages.ts';
import { temporaryFolder } from '../support/command-line.ts';
import { fallbackSolUsd } from '../support/master-fixture.ts';
import { deadMints, manyHolders } from '../support/state-attacks.ts';

/** MINTSCOPE_STATE_ATTACK=1000000 is the size of an attack; it takes some minutes and 2 GB of disk. */
const SIZE = Number(process.env.MINTSCOPE_STATE_ATTACK ?? 4_000);
/** Without the figures of a state that is in memory as a whole. */
const isLarge = SIZE > 50_000;
const PAGES_MAX = isLarge ? 100_000 : 1_000;
/** Applies an attack to a state of which most must be in files. */
function attacked(slots: () => Iterable<SlotFacts>) {
  const { records } = new StateFolders(temporaryFolder()).create(1, { rules: 'attack' });
  const memory = { pagesMax: PAGES_MAX, objectBytesMax: PAGES_MAX * 500 };
  const pages = new PagePool({ ...memory, store: statePages(records) });
  const engine = new Engine({ fallbackSolUsd, pages });
  let residentMax = 0;
  let slowestMs = 0;
  const startMs = performance.now();
  for (const facts of slots()) {
    const slotMs = performance.now();
    engine.apply(facts);
    slowestMs = Math.max(slowestMs, performance.now() - slotMs);
    residentMax = Math.max(residentMax, pages.residentPages);
  }
  const seconds = (performance.now() - startMs) / 1_000;
  const digest = engine.digest();
  const { recordCount, fileBytes } = records.sizes();
  records.close();
  const rssMiB = Math.round(process.memoryUsage.rss() / 2 ** 20);
  const figures = { SIZE, PAGES_MAX, residentMax, recordCount, fileBytes, rssMiB };
  const times = { seconds: seconds.toFixed(1), slowestMs: slowestMs.toFixed(0) };
  process.stdout.write(`${JSON.stringify({ ...figures, ...times })}\n`);
  return { digest, residentMax, recordCount };
}

function calmDigest(slots: () => Iterable<SlotFacts>): string {
  const engine = new Engine({ fallbackSolUsd });
  for (const facts of slots()) engine.apply(facts);
  return engine.digest();
}

describe('memory of the state stays bounded', () => {
  test.each([
    ['by a mint with any number of holders', () => manyHolders(SIZE)],
    ['by purchases of any number of dead mints', () => deadMints(Math.ceil(SIZE / 4))],
  ])(
    '%s',
    (_name, slots) => {
      const { digest, residentMax, recordCount } = attacked(slots);
      expect(residentMax).toBeLessThanOrEqual(PAGES_MAX);
      // Much more than may be in memory was written.
      expect(recordCount).toBeGreaterThan(PAGES_MAX);
      if (!isLarge) expect(digest).toBe(calmDigest(slots));
    },
    isLarge ? 3_600_000 : 30_000,
  );
});
