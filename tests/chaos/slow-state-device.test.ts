import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { Engine } from '../../src/engine/engine.ts';
import type { SlotFacts } from '../../src/model/slot-facts.ts';
import type { Slot } from '../../src/model/units.ts';
import { temporaryFolder } from '../support/command-line.ts';
import { interceptFiles } from '../support/file-operations.ts';
import {
  type FoldedInMemory,
  foldInFolder,
  foldInMemory,
  WRITTEN_AT_ONCE,
} from '../support/fold-in-folder.ts';
import { marketFacts } from '../support/followed-market.ts';

const SLOTS = 90;
/** More than elsewhere: pages that are in memory are written in portions. */
const PAGES_MAX = 95;
/** So few that each page and object is written by itself. */
const BUFFER_BYTES = 64;
/** What reads and writes take in turn. */
const DELAYS_MS = [0.5, 0.5, 0.5, 1, 0.5, 5];
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
  const pause = new Int32Array(new SharedArrayBuffer(4));
  const waits = { read: 0, write: 0 };
  endDelays = interceptFiles(folder, ({ kind }) => {
    if (kind !== 'read' && kind !== 'write') return;
    addOperation();
    const delayMs = DELAYS_MS[(waits.read + waits.write) % DELAYS_MS.length];
    waits[kind]++;
    Atomics.wait(pause, 0, 0, delayMs);
  });
  const rows: (readonly [Slot, string])[] = [];
  const { digest, checkpoints, evictedPages, sentences } = await foldInFolder(folder, facts, {
    pagesMax: PAGES_MAX,
    bufferBytes: BUFFER_BYTES,
    onRows: (slot, hash) => rows.push([slot, hash]),
  });
  stop();
  endDelays();
  expect({ digest, sentences }).toEqual({ digest: calm.digest, sentences: [] });
  expect(rows).toEqual([...calm.rows]);
  expect(checkpoints.length).toBeGreaterThan(1);
  expect(evictedPages).toBeGreaterThan(100);
  expect(Math.min(waits.read, waits.write)).toBeGreaterThan(100);
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
