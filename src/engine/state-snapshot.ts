import { createHash } from 'node:crypto';
import { MemorySpill } from '../aggregates/wallets/memory-spill.ts';
import type { RowSpill } from '../aggregates/wallets/row-spill.ts';
import { GraphReader } from '../lib/graph-reader.ts';
import { describeTypes, GraphError } from '../lib/graph-types.ts';
import { GraphWriter } from '../lib/graph-writer.ts';
import { UndoLog } from '../lib/undo-log.ts';
import type { PriceE18 } from '../model/units.ts';
import type { EngineCounters } from './engine-counters.ts';
import type { EngineState } from './engine-state.ts';
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
  .digest('hex')
  .slice(0, 16);

/** The state as bytes, in chunks made as they are asked for. Throws GraphError. */
export function writeState(state: EngineState, undo: UndoLog): Iterable<Uint8Array> {
  const { outcomes, ...counters } = state.counters;
  const stored: StoredState = { ...state, counters, outcomes: new Map(Object.entries(outcomes)) };
  return new GraphWriter(stateTypes(null, undo, new MemorySpill())).write(stored);
}

/** Reads what `writeState` wrote; its books write to `undo`. Throws GraphError for anything else. */
export function readState(
  chunks: Iterable<Uint8Array>,
  fallbackSolUsd: PriceE18 | null,
  undo: UndoLog,
  spill: RowSpill,
): EngineState {
  const root = new GraphReader(stateTypes(fallbackSolUsd, undo, spill), chunks).read();
  if (!isStoredState(root)) throw new GraphError('the bytes are no state of an engine');
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
