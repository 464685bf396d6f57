import { StoreError } from '../../model/errors.ts';
import type { IndexedRecords } from './indexed-records.ts';
import { LOCATION_WORDS, type RecordLocation, readLocation } from './record-location.ts';
import { LEAF_ENTRIES, type StoredLeaf, wordsOfLeaf } from './stored-leaf.ts';

export interface CheckProgress {
  readonly kind: 'progress';
  readonly recordsChecked: number;
  readonly recordCount: number;
}

/** Something that is damaged, as a sentence. */
export interface CheckFinding {
  readonly kind: 'finding';
  readonly sentence: string;
}

/**
 * Reads every record that the stored index refers to and compares it with its checksum. Yields
 * progress after each leaf of the index, and what it finds.
 *
 * `soundLeaves` names leaves whose records need not be read, and takes those without a finding: the
 * checkpoints of a folder have most of them in common.
 */
export function* checkRecords(
  records: IndexedRecords,
  soundLeaves = new Set<string>(),
): Generator<CheckProgress | CheckFinding> {
  const { recordCount } = records.usage;
  let recordsChecked = 0;
  for (const { space, leaf, location } of storedLeaves(records)) {
    const name = `${space} ${leaf} ${location.segment} ${location.offsetBytes}`;
    if (soundLeaves.has(name)) continue;
    const entries = tryReading(() => entriesOf(records.readLeaf(space, leaf, location)));
    if (typeof entries === 'string') yield { kind: 'finding', sentence: entries };
    else {
      recordsChecked += entries.length;
      const faults = [...faultsOf(records, { space, leaf, entries })];
      if (faults.length === 0) soundLeaves.add(name);
      yield* faults;
    }
    yield { kind: 'progress', recordsChecked, recordCount };
  }
}

function* storedLeaves({ index }: IndexedRecords) {
  for (const [space, leaves] of index.leafCounts()) {
    for (let leaf = 0; leaf < leaves; leaf++) {
      const location = index.leafLocation(space, leaf);
      if (location !== null) yield { space, leaf, location };
    }
  }
}

type LeafEntry = readonly [entry: number, location: RecordLocation];

interface ReadLeaf {
  readonly space: number;
  readonly leaf: number;
  readonly entries: readonly LeafEntry[];
}

function* faultsOf(
  records: IndexedRecords,
  { space, leaf, entries }: ReadLeaf,
): Generator<CheckFinding> {
  for (const [entry, location] of entries) {
    const id = leaf * LEAF_ENTRIES + entry;
    const fault = tryReading(() => records.readAt(space, id, location));
    if (typeof fault === 'string') yield { kind: 'finding', sentence: fault };
  }
}

function entriesOf(stored: StoredLeaf): LeafEntry[] {
  const words = wordsOfLeaf(stored);
  const entries: LeafEntry[] = [];
  for (let entry = 0; entry * LOCATION_WORDS < words.length; entry++) {
    const location = readLocation(words, entry * LOCATION_WORDS);
    if (location !== null) entries.push([entry, location]);
  }
  return entries;
}

/** What was read, or why it could not be. */
function tryReading<Content extends object>(read: () => Content): Content | string {
  try {
    return read();
  } catch (error) {
    if (error instanceof StoreError) return error.message;
    throw error;
  }
}
