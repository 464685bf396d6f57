import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Engine } from '../../src/engine/engine.ts';
import type { CheckpointPace } from '../../src/ingestion/checkpoint-pace.ts';
import { EngineStates } from '../../src/ingestion/engine-states.ts';
import { Fold } from '../../src/ingestion/fold.ts';
import type { SlotChanges } from '../../src/model/derived.ts';
import type { SlotFacts } from '../../src/model/slot-facts.ts';
import type { Slot } from '../../src/model/units.ts';
import { StateFolders } from '../../src/store/checkpoints/state-folders.ts';
import type { Cell } from '../../src/store/sql/cell.ts';
import { DERIVED_ROWS } from '../../src/store/tables/derived-rows.ts';
import { fallbackSolUsd } from './master-fixture.ts';

/** Number of the fold, and thus of its folder of checkpoints. */
export const FOLD = 1;
const ENGINE = { fallbackSolUsd, undoSlotsMax: 64 };
/** So little memory and so small files that evictions and portions of checkpoints write at once. */
const MEMORY = { pagesMax: 80, objectBytesMax: 30_000 };
const SIZES = {
  bufferBytes: 2_048,
  segmentBytes: 131_072,
  leavesPerTurn: 8,
};
/** Pages and objects in a portion of a checkpoint. */
export const WRITTEN_AT_ONCE = 4;
const PACE: Partial<CheckpointPace> = {
  everySlots: 40,
  slotsBetweenMin: 20,
  writtenPerSlot: 16,
  writtenAtOnce: WRITTEN_AT_ONCE,
};

export interface FoldInFolderOptions {
  /** Called with the hash of a slot's rows once the slot is folded. */
  readonly onRows?: (slot: Slot, rows: string) => void;
  /** Whether a checkpoint that is being committed must be waited for before the next slot. */
  readonly isCommitAwaited?: () => boolean;
  /** Pages in memory, and bytes that are written at once, where they differ from elsewhere. */
  readonly pagesMax?: number;
  readonly bufferBytes?: number;
}

/** What a fold came to, and what happened to its state meanwhile. */
export interface FoldedInFolder {
  readonly digest: string;
  /** The checkpoint that it continued from; null if it began with the first slot. */
  readonly from: Slot | null;
  readonly evictedPages: number;
  /** Checkpoints that this fold completed, by their slots. */
  readonly checkpoints: readonly Slot[];
  /** What was said about the state. */
  readonly sentences: readonly string[];
}

/** The states of a folder, with so little memory that most of them is in files. */
function statesIn(
  folder: string,
  facts: readonly SlotFacts[],
  { pagesMax = MEMORY.pagesMax, bufferBytes = SIZES.bufferBytes }: FoldInFolderOptions,
): EngineStates {
  return new EngineStates({
    folders: new StateFolders(folder, undefined, { ...SIZES, bufferBytes }),
    log: { find: async (slot) => facts.find((each) => each.slot === slot) ?? null },
    rules: 'rules',
    engine: ENGINE,
    memory: { ...MEMORY, pagesMax },
    pace: PACE,
  });
}

/**
 * Folds slots from the newest checkpoint of a folder on, storing a checkpoint every 40 slots and one
 * at the end.
 */
export async function foldInFolder(
  folder: string,
  facts: readonly SlotFacts[],
  options: FoldInFolderOptions = {},
): Promise<FoldedInFolder> {
  const { onRows = () => undefined, isCommitAwaited = () => false } = options;
  const sentences: string[] = [];
  const report = (sentence: string) => sentences.push(sentence);
  const states = statesIn(folder, facts, options);
  const restored = await states.restore({ epoch: FOLD, slot: facts.at(-1)?.slot ?? null }, report);
  const from = restored?.end.slot ?? null;
  const engine = restored?.engine ?? states.create(FOLD);
  const fold = new Fold(engine, FOLD, () => 0, restored?.end ?? null);
  fold.listener = {
    onApplied: (changes) => onRows(changes.slot, rowsHash(changes)),
    onReverted: () => undefined,
    onReplaced: () => undefined,
    onStep: () => undefined,
  };
  const checkpoints = states.checkpointsOf(engine, report);
  if (checkpoints === null) throw new Error('the state is not stored');
  const known = new Set(checkpoints.retained.map(({ slot }) => slot));
  const completed = new Set<Slot>();
  const progressAt = (slot: Slot) => ({ fold, cursor: { slot, isDirty: false }, olderSlots: 0 });
  const note = () => {
    for (const { slot } of checkpoints.retained) if (!known.has(slot)) completed.add(slot);
  };
  for (const each of facts) {
    if (each.slot <= (from ?? -1)) continue;
    await fold.addWritten(each);
    await checkpoints.step(progressAt(each.slot));
    // A commit goes on while later slots are folded.
    if (isCommitAwaited()) await checkpoints.settled();
    else await nextTurn();
    note();
  }
  const last = fold.end?.slot;
  if (last !== undefined) await checkpoints.complete(progressAt(last));
  note();
  const digest = engine.digest();
  const { evictedPages } = checkpoints.status.memory;
  engine.close();
  return { digest, from, evictedPages, checkpoints: [...completed], sentences };
}

/** What one engine finds that folds all slots in memory. */
export interface FoldedInMemory {
  readonly digest: string;
  /** Hashes of the rows and digests after each slot. */
  readonly rows: ReadonlyMap<Slot, string>;
  readonly digests: ReadonlyMap<Slot, string>;
}

/** Folds all slots in one go without a store: nothing is evicted. */
export function foldInMemory(facts: readonly SlotFacts[]): FoldedInMemory {
  const engine = new Engine(ENGINE);
  const rows = new Map<Slot, string>();
  const digests = new Map<Slot, string>();
  for (const each of facts) {
    rows.set(each.slot, rowsHash(engine.apply(each)));
    digests.set(each.slot, engine.digest());
  }
  return { digest: engine.digest(), rows, digests };
}

/** A hash of all rows that are stored of a slot. */
function rowsHash(changes: SlotChanges): string {
  const hash = createHash('sha256');
  for (const { table, storedOf } of DERIVED_ROWS) {
    for (const stored of storedOf(changes)) {
      const cells: Cell[] = [];
      table.write(stored, cells);
      hash.update(`${table.name} ${JSON.stringify(cells)}\n`);
    }
  }
  return hash.digest('hex');
}
