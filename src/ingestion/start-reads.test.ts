import { statSync } from 'node:fs';
import { afterEach, expect, test } from 'vitest';
import { slotFacts, swapEvent, transactionFacts } from '../../tests/support/build-facts.ts';
import { address } from '../../tests/support/build-transaction.ts';
import { interceptFiles } from '../../tests/support/file-operations.ts';
import { launch, SOL, TOKEN } from '../../tests/support/master-fixture.ts';
import { StoredFold } from '../../tests/support/stored-fold.ts';
import type { SlotFacts } from '../model/slot-facts.ts';

const START_MS = Date.UTC(2026, 0, 1);
const SLOTS = 25;
const TIMES = 4;
const SWAPS_PER_SLOT = 40;
/** So much memory that the files contain each record of the only checkpoint once. */
const MEMORY = { pagesMax: 100_000, objectBytesMax: 100_000_000 };
let endCount = () => undefined as unknown;

afterEach(() => endCount());

/** A slot in which each swap is of a wallet that is new. */
function slotAt(slot: number): SlotFacts {
  const swaps = Array.from({ length: SWAPS_PER_SLOT }, (_, txIndex) => {
    const trader = address(`wallet ${slot} ${txIndex}`);
    const buy = { trader, side: 'buy', baseRaw: TOKEN, quoteRaw: SOL } as const;
    return transactionFacts({ txIndex, events: [swapEvent(buy)] });
  });
  return slotFacts(slot, START_MS + slot * 400, slot === 0 ? [launch()] : swaps);
}

/** What a start reads of the state after some slots. */
async function startAfter(slots: number) {
  const fold = new StoredFold();
  // Only the end has a checkpoint, since a start reads the manifest of each that is retained.
  fold.pace = { everySlots: 1_000_000 };
  await fold.open(MEMORY);
  await fold.ingest(Array.from({ length: slots }, (_, slot) => slotAt(slot)));
  const digest = fold.ingestion.engine.digest();
  await fold.ingestion.close();
  const [manifests, segments] = [fold.files('checkpoint-'), fold.files('segment-')];
  expect(manifests).toHaveLength(1);
  const sizeBytes = [...manifests, ...segments].reduce((sum, path) => sum + statSync(path).size, 0);
  const read = { reads: 0, bytes: 0 };
  endCount = interceptFiles(fold.path, ({ kind, sizeBytes: length }) => {
    if (kind !== 'read') return;
    read.reads++;
    read.bytes += length;
  });
  await fold.open();
  endCount();
  expect(fold.ingestion.engine.digest()).toBe(digest);
  expect(fold.sentences).toEqual([]);
  await fold.ingestion.close();
  fold.close();
  return { ...read, sizeBytes };
}

test('a start reads a few kilobytes of the newest checkpoint, and hardly more of a larger state', async () => {
  const small = await startAfter(SLOTS);
  const large = await startAfter(SLOTS * TIMES);
  const addedBytes = large.sizeBytes - small.sizeBytes;
  expect(addedBytes).toBeGreaterThan(small.sizeBytes * 2);
  expect(small.reads).toBeGreaterThan(0);
  expect(large.reads).toBe(small.reads);
  // The manifest has eight bytes for each leaf of the index, of 512 pages.
  expect(large.bytes - small.bytes).toBeLessThan(addedBytes / 1_000);
  expect(large.bytes).toBeLessThan(large.sizeBytes / 50);
}, 120_000);
