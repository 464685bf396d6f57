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

/** Outcomes are an object with one key per program seen; in bytes they are a Map. */
type StoredState = Omit<EngineState, 'counters'> & {
  readonly counters: Omit<EngineCounters, 'outcomes'>;
  readonly outcomes: ReadonlyMap<string, unknown>;
};

/**
 * Identifies the fields of all books: bytes can be read only with the layout they were written in.
 * The meaning of the fields is identified by the fold version, which the caller stores with the
 * bytes.
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
 * The state as bytes in lazily created chunks: the state in memory, then the profiles in the spill.
 * A chunk is valid only until the next one is requested. Throws GraphError.
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
  if (!isStoredState(root)) throw new GraphError('the bytes are not an engine state');
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

/** Each record of the graph is verified when read; its fields identify the state. */
function isStoredState(root: unknown): root is StoredState {
  return typeof root === 'object' && root !== null && 'books' in root && 'outcomes' in root;
}
