import { createHash } from 'node:crypto';
import { MemorySpill } from '../aggregates/wallets/memory-spill.ts';
import { ByteReader } from '../lib/byte-reader.ts';
import { GraphReader } from '../lib/graph-reader.ts';
import { describeTypes, GraphError } from '../lib/graph-types.ts';
import { GraphWriter } from '../lib/graph-writer.ts';
import { UndoLog } from '../lib/undo-log.ts';
import type { RowSpill } from '../model/row-spill.ts';
import type { PriceE18 } from '../model/units.ts';
import type { EngineCounters } from './engine-counters.ts';
import type { EngineState } from './engine-state.ts';
import { readProfiles, writeProfiles } from './spilled-profiles.ts';
import { stateTypes } from './state-types.ts';

/** Outcomes are an object with a key for each program that was met; in bytes they are a Map. */
type StoredState = Omit<EngineState, 'counters'> & {
  readonly counters: Omit<EngineCounters, 'outcomes'>;
  readonly outcomes: ReadonlyMap<string, unknown>;
};

/**
 * A name for the fields of all books: bytes are read by the layout they were written in and by no
 * other. What the fields mean is the fold's version, which the caller keeps beside the bytes.
 */
export const STATE_LAYOUT: string = createHash('sha256')
  .update(describeTypes(stateTypes(null, new UndoLog(), new MemorySpill())))
  .update('then profiles that are spilled')
  .digest('hex')
  .slice(0, 16);

/** What the books of a state are given that is no part of it. */
export interface StateSurroundings {
  readonly fallbackSolUsd: PriceE18 | null;
  readonly undo: UndoLog;
  /** Empty. */
  readonly spill: RowSpill;
}

/**
 * The state as bytes, in chunks made as they are asked for: all that is in memory, then the profiles
 * that lie in the spill. Throws GraphError.
 */
export function* writeState(
  state: EngineState,
  undo: UndoLog,
  spill: RowSpill,
): Generator<Uint8Array> {
  const { outcomes, ...counters } = state.counters;
  const stored: StoredState = { ...state, counters, outcomes: new Map(Object.entries(outcomes)) };
  yield* new GraphWriter(stateTypes(null, undo, spill)).write(stored);
  yield* writeProfiles(spill);
}

/** Reads what `writeState` wrote. Throws GraphError for anything else. */
export function readState(
  chunks: Iterable<Uint8Array>,
  { fallbackSolUsd, undo, spill }: StateSurroundings,
): EngineState {
  const bytes = new ByteReader(chunks);
  const root = new GraphReader(stateTypes(fallbackSolUsd, undo, spill), bytes).readFirst();
  if (!isStoredState(root)) throw new GraphError('the bytes are no state of an engine');
  readProfiles(bytes, root.who.wallets, spill);
  bytes.assertEnd();
  const { clock, books, who, minutes, progress, counters, outcomes } = root;
  return {
    clock,
    books,
    who,
    minutes,
    counters: { ...counters, outcomes: Object.fromEntries(outcomes) },
    progress,
  };
}

/** Every kind in a graph is checked as it is read, so that its fields tell the state. */
function isStoredState(root: unknown): root is StoredState {
  return typeof root === 'object' && root !== null && 'books' in root && 'outcomes' in root;
}
