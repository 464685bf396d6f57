import { basename } from 'node:path';
import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { Engine } from '../../src/engine/engine.ts';
import type { SlotFacts } from '../../src/model/slot-facts.ts';
import type { Slot } from '../../src/model/units.ts';
import { temporaryFolder } from '../support/command-line.ts';
import { type FileOperation, interceptFiles } from '../support/file-operations.ts';
import {
  type FoldedInMemory,
  foldInFolder,
  foldInMemory,
  WRITTEN_AT_ONCE,
} from '../support/fold-in-folder.ts';
import { marketFacts } from '../support/followed-market.ts';
import { calmFold, StoredFold } from '../support/stored-fold.ts';

const SLOTS = 90;
/** More than elsewhere: pages that are in memory are written in portions. */
const PAGES_MAX = 95;
/** So few that each page and object is written by itself. */
const BUFFER_BYTES = 64;
/** What reads and writes take in turn. */
const DELAYS_MS = [0.5, 0.5, 0.5, 1, 0.5, 5];
/** What an fsync takes, and turns of other tasks on any machine, so that slots are folded meanwhile. */
const SYNC_MS = 5;
const SYNC_TURNS = 4;
let facts: readonly SlotFacts[];
/** An engine that folded all slots in memory. */
let calm: FoldedInMemory;
let endDelays = () => undefined as unknown;

beforeAll(() => {
  facts = marketFacts(SLOTS);
  calm = foldInMemory(facts);
});

afterEach(() => {
  endDelays();
  vi.restoreAllMocks();
});

/** Makes reads, writes and syncs of a folder slow; counts them, and the syncs under way. */
function delayFiles(folder: string, onOperation: (operation: FileOperation) => void) {
  const pause = new Int32Array(new SharedArrayBuffer(4));
  const waits = { read: 0, write: 0, sync: 0, syncing: 0 };
  const before = (operation: FileOperation) => {
    const { kind } = operation;
    onOperation(operation);
    if (kind !== 'read' && kind !== 'write') return;
    const delayMs = DELAYS_MS[(waits.read + waits.write) % DELAYS_MS.length];
    waits[kind]++;
    Atomics.wait(pause, 0, 0, delayMs);
  };
  const delaySync = async () => {
    waits.sync++;
    waits.syncing++;
    await delay(SYNC_MS);
    for (let turn = 0; turn < SYNC_TURNS; turn++) await nextTurn();
    waits.syncing--;
  };
  endDelays = interceptFiles(folder, before, delaySync);
  return waits;
}

/** One call that stores a portion of a checkpoint. */
interface Portion {
  /** Turns of other tasks before it, since the beginning. */
  readonly turns: number;
  /** Reads and writes during which the thread waited. */
  operations: number;
}

/** Counts what portions of checkpoints do while slots are folded. */
function watchPortions() {
  const portions: Portion[] = [];
  let turns = 0;
  let isWatching = true;
  let current: Portion | null = null;
  const turn = () => {
    turns++;
    if (isWatching) setImmediate(turn);
  };
  setImmediate(turn);
  const writeSome = Engine.prototype.writeSome;
  vi.spyOn(Engine.prototype, 'writeSome').mockImplementation(function (this: Engine, count) {
    // At the end everything is written at once.
    if (count !== WRITTEN_AT_ONCE) return writeSome.call(this, count);
    const portion = { turns, operations: 0 };
    portions.push(portion);
    current = portion;
    try {
      return writeSome.call(this, count);
    } finally {
      current = null;
    }
  });
  const stop = () => {
    isWatching = false;
  };
  const addOperation = () => {
    if (current !== null) current.operations++;
  };
  return { portions, addOperation, stop };
}

test('on a slow device the fold is slower and nothing else, and a portion of a checkpoint stays one (H-03)', async () => {
  const folder = temporaryFolder();
  const { portions, addOperation, stop } = watchPortions();
  const waits = delayFiles(folder, ({ kind }) => {
    if (kind === 'read' || kind === 'write') addOperation();
  });
  let slotsDuringSync = 0;
  const rows: (readonly [Slot, string])[] = [];
  const { digest, checkpoints, evictedPages, sentences } = await foldInFolder(folder, facts, {
    pagesMax: PAGES_MAX,
    bufferBytes: BUFFER_BYTES,
    onRows: (slot, hash) => {
      rows.push([slot, hash]);
      if (waits.syncing > 0) slotsDuringSync++;
    },
  });
  stop();
  endDelays();
  expect({ digest, sentences }).toEqual({ digest: calm.digest, sentences: [] });
  expect(rows).toEqual([...calm.rows]);
  expect(checkpoints.length).toBeGreaterThan(1);
  expect(evictedPages).toBeGreaterThan(100);
  expect(Math.min(waits.read, waits.write)).toBeGreaterThan(100);
  expect(waits.sync).toBeGreaterThan(checkpoints.length);
  expect(slotsDuringSync).toBeGreaterThan(0);
  // One for each page or object at most, and other tasks run before the next portion.
  const operations = portions.map((each) => each.operations);
  expect(operations.length).toBeGreaterThan(5);
  expect(operations.reduce((sum, count) => sum + count, 0)).toBeGreaterThan(operations.length);
  expect(Math.max(...operations)).toBeLessThanOrEqual(WRITTEN_AT_ONCE);
  const turns = portions.map((each) => each.turns);
  expect(turns).toEqual([...new Set(turns)]);
  // What the slow device has is the state.
  const next = await foldInFolder(folder, facts);
  expect(next).toMatchObject({ digest: calm.digest, from: facts.at(-1)?.slot, sentences: [] });
}, 300_000);

test('a chain is followed on a slow device to equal rows and an equal state, which a start continues (H-03)', async () => {
  const fold = new StoredFold();
  fold.pace = { everySlots: 20, slotsBetweenMin: 10 };
  fold.sizes = { bufferBytes: 2_048, segmentBytes: 131_072 };
  const { digest, rows } = await calmFold(facts);
  await fold.open({ pagesMax: 60, objectBytesMax: 30_000 });
  let published = 0;
  const waits = delayFiles(fold.path, ({ kind, path }) => {
    if (kind === 'rename' && basename(path) === 'checkpoint.tmp') published++;
  });
  await fold.follow(facts);
  const publishedMeanwhile = published;
  expect(fold.ingestion.engine.digest()).toBe(digest);
  expect(fold.rows.visibleRows()).toEqual(rows);
  expect(fold.ingestion.status.rebuilds).toBe(0);
  await fold.ingestion.close();
  endDelays();
  expect(publishedMeanwhile).toBeGreaterThan(1);
  expect(waits.sync).toBeGreaterThan(published);
  expect(Math.min(waits.read, waits.write)).toBeGreaterThan(100);
  // A start reads what the slow device has.
  await fold.open();
  expect(fold.ingestion.engine.digest()).toBe(digest);
  expect({ sentences: fold.sentences, problems: fold.problems }).toEqual({
    sentences: [],
    problems: [],
  });
  await fold.ingestion.close();
  fold.close();
}, 300_000);
