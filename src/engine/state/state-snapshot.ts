import { createHash } from 'node:crypto';
import { MemorySpill } from '../../fold/wallets/memory-spill.ts';
import { ByteReader } from '../../lib/byte-reader.ts';
import { GraphReader } from '../../lib/graph-reader.ts';
import { describeTypes, GraphError } from '../../lib/graph-types.ts';
import { GraphWriter } from '../../lib/graph-writer.ts';
import { UndoLog } from '../../lib/undo-log.ts';
import { readProfiles, writeProfiles } from '../books/spilled-profiles.ts';
import type { EngineCounters } from './engine-counters.ts';
import type { EngineState, StateSurroundings } from './engine-state.ts';
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
  .update(
    describeTypes(
      stateTypes({
        fallbackSolUsd: null,
        undo: new UndoLog(),
        spill: new MemorySpill(),
        models: [],
      }),
    ),
  )
  .update('then profiles that are spilled')
  .digest('hex')
  .slice(0, 16);

/**
 * The state as bytes, in chunks made as they are asked for, each gone when the next one is: all that is
 * in memory, then the profiles that lie in the spill. Throws GraphError.
 */
export function* writeState(
  state: EngineState,
  surroundings: StateSurroundings,
): Generator<Uint8Array> {
  const { outcomes, ...counters } = state.counters;
  const stored: StoredState = { ...state, counters, outcomes: new Map(Object.entries(outcomes)) };
  yield* new GraphWriter(stateTypes(surroundings)).write(stored);
  yield* writeProfiles(surroundings.spill);
}

/** Reads what `writeState` wrote. Throws GraphError for anything else. */
export function readState(
  chunks: Iterable<Uint8Array>,
  surroundings: StateSurroundings,
): EngineState {
  const bytes = new ByteReader(chunks);
  const root = new GraphReader(stateTypes(surroundings), bytes).readFirst();
  if (!isStoredState(root)) throw new GraphError('the bytes are no state of an engine');
  readProfiles(bytes, root.walletBooks.wallets, surroundings.spill);
  bytes.assertEnd();
  const {
    clock,
    books,
    walletBooks,
    cases,
    fraud,
    signals,
    minutes,
    progress,
    counters,
    outcomes,
  } = root;
  return {
    clock,
    books,
    walletBooks,
    cases,
    fraud,
    signals,
    minutes,
    counters: { ...counters, outcomes: Object.fromEntries(outcomes) },
    progress,
  };
}

/** Every kind in a graph is checked as it is read, so that its fields tell the state. */
function isStoredState(root: unknown): root is StoredState {
  return typeof root === 'object' && root !== null && 'books' in root && 'outcomes' in root;
}
