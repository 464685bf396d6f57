import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { SlotFacts } from '../../src/model/slot-facts.ts';
import { deviceError, type FileOperation, interceptFiles } from '../support/file-operations.ts';
import { marketFacts } from '../support/followed-market.ts';
import { type StatePhase, statePhase } from '../support/state-phase.ts';
import { calmFold, StoredFold } from '../support/stored-fold.ts';

const SLOTS = 160;
const HALF = SLOTS / 2;
/** Slots of the second half during which the device fails: more than from one checkpoint to the next. */
const [FAULT_BEGIN, FAULT_END] = [10, 35];
const READING: readonly FileOperation['kind'][] = ['read'];
const CODES = ['ENOSPC', 'EROFS', 'EIO'];
/** What a checkpoint writes before it is completed, while slots are folded. */
const INCREMENTAL: readonly StatePhase[] = ['begin', 'portion', 'change'];
let facts: readonly SlotFacts[];
let calm: Awaited<ReturnType<typeof calmFold>>;
let endFault = () => undefined as unknown;

beforeAll(async () => {
  facts = marketFacts(SLOTS);
  calm = await calmFold(facts);
});

afterEach(() => endFault());

/** A fold that writes to its files whenever something leaves memory, and often stores its state. */
async function busyFold(): Promise<StoredFold> {
  const fold = new StoredFold();
  fold.sizes = { bufferBytes: 1_024, segmentBytes: 131_072 };
  fold.pace = { everySlots: 20, slotsBetweenMin: 10, writtenPerSlot: 40, writtenAtOnce: 10 };
  await fold.open({ pagesMax: 80, objectBytesMax: 30_000 });
  return fold;
}

function newestCheckpoint({ ingestion }: StoredFold) {
  return ingestion.stateStatus?.checkpoints.newest?.slot ?? null;
}

/** Opens what is stored with a device that works, as the next process does. */
async function expectStored(fold: StoredFold): Promise<void> {
  endFault();
  await fold.ingestion.close();
  fold.sentences.length = 0;
  await fold.open();
  expect(fold.ingestion.engine.digest()).toBe(calm.digest);
  expect(fold.rows.visibleRows()).toEqual(calm.rows);
  expect(fold.sentences).toEqual([]);
  await fold.ingestion.close();
  fold.close();
}

describe.each(CODES)('a device that fails with %s (F-15, H-03)', (code) => {
  test.each([
    ['what leaves memory is written', ['eviction'] as readonly StatePhase[]],
    ['a checkpoint is written beside the fold', INCREMENTAL],
  ])(
    'while %s: it is said, nothing is lost, and the state is stored later',
    async (_name, phases) => {
      const fold = await busyFold();
      let isFailing = false;
      const failed: StatePhase[] = [];
      endFault = interceptFiles(fold.path, ({ kind }) => {
        if (!isFailing || READING.includes(kind)) return;
        const phase = statePhase();
        if (!phases.includes(phase)) return;
        failed.push(phase);
        throw deviceError(code);
      });
      await fold.ingest(facts.slice(0, HALF));
      expect(fold.sentences).toEqual([]);
      await fold.follow(facts.slice(HALF), (index) => {
        isFailing = index >= FAULT_BEGIN && index < FAULT_END;
      });
      expect(new Set(failed)).toEqual(new Set(phases));
      expect(failed.length).toBeGreaterThan(5);
      const { ingestion, sentences } = fold;
      // Said again only after a checkpoint that succeeded meanwhile.
      expect([1, 2]).toContain(sentences.length);
      for (const sentence of sentences) {
        expect(sentence).toBe(
          `The state cannot be stored: Checkpoints cannot be written: ${code}: planned`,
        );
      }
      expect(ingestion.engine.digest()).toBe(calm.digest);
      expect(fold.rows.visibleRows()).toEqual(calm.rows);
      expect(ingestion.status.rebuilds).toBe(0);
      expect(newestCheckpoint(fold)).toBe(facts.at(-1)?.slot);
      await expectStored(fold);
    },
    300_000,
  );

  test('from the middle of the chain on: every page and object that left memory is still there', async () => {
    const fold = await busyFold();
    await fold.ingest(facts.slice(0, HALF));
    const before = newestCheckpoint(fold);
    const failed = new Set<StatePhase>();
    endFault = interceptFiles(fold.path, ({ kind }) => {
      if (READING.includes(kind)) return;
      failed.add(statePhase());
      throw deviceError(code);
    });
    await fold.follow(facts.slice(HALF));
    const { ingestion, sentences } = fold;
    expect([...failed]).toEqual(expect.arrayContaining(['eviction', 'commit']));
    expect(sentences).toEqual([expect.stringMatching(`^The state cannot be stored: .*${code}`)]);
    expect(ingestion.engine.digest()).toBe(calm.digest);
    expect(fold.rows.visibleRows()).toEqual(calm.rows);
    expect(newestCheckpoint(fold)).toBe(before);
    await expectStored(fold);
  }, 300_000);
});
