import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { StoreError } from '../../model/errors.ts';
import type { CheckProgress } from './check-records.ts';
import { CheckpointFolder } from './checkpoint-folder.ts';
import { createFileAccess } from './file-access.ts';
import { openRecords } from './open-records.ts';
import { type ReadCheckpoint, readCheckpoints } from './read-checkpoints.ts';
import { stateFolderName } from './state-folders.ts';

/** The folder of the checkpoints of all folds, and the current fold. */
export interface StatesLocation {
  readonly stateFolder: string;
  readonly fold: number;
}

/** A checkpoint that cannot be used, and why. */
export interface DamagedCheckpoint {
  /** Its file. */
  readonly name: string;
  /** The first damage found in it, as a sentence. */
  readonly sentence: string;
}

export interface CheckedStates {
  readonly checkpoints: number;
  /** Records read: those that several checkpoints share are read once. */
  readonly records: number;
  readonly damaged: readonly DamagedCheckpoint[];
  /** False when the time was over before everything was read. */
  readonly isComplete: boolean;
}

export interface CheckOptions {
  /** Called between portions of records; returns true to stop. */
  readonly isTimeOver?: () => boolean;
  readonly onProgress?: (checkpoint: string, progress: CheckProgress) => void;
}

/** What the checks of several checkpoints share. */
interface Course extends CheckOptions {
  readonly folder: string;
  /** Parts of the index whose records were read without finding damage. */
  readonly soundLeaves: Set<string>;
}

/**
 * Reads the records of all checkpoints of a fold, the newest checkpoint first, and compares them
 * with their checksums. Changes nothing. No other process may write. Throws StoreError if files
 * cannot be listed.
 */
export async function checkStates(
  { stateFolder, fold }: StatesLocation,
  options: CheckOptions = {},
): Promise<CheckedStates> {
  const { checkpoints, damaged: unreadable } = readCheckpoints(stateFolder, fold);
  const damaged = unreadable.map((name) => {
    return { name, sentence: `The checkpoint ${name} differs from what was written.` };
  });
  const folder = join(stateFolder, stateFolderName(fold));
  const course = { ...options, folder, soundLeaves: new Set<string>() };
  let records = 0;
  let isComplete = true;
  for (const checkpoint of checkpoints) {
    const checked = await checkOne(checkpoint, course);
    records += checked.records;
    if (checked.sentence !== null) {
      damaged.push({ name: checkpoint.name, sentence: checked.sentence });
    }
    if (!checked.isComplete) isComplete = false;
    if (course.isTimeOver?.() === true) break;
  }
  return { checkpoints: checkpoints.length + unreadable.length, records, damaged, isComplete };
}

/** Removes checkpoints durably; the files with their records go once no other needs them. */
export async function removeCheckpoints(
  { stateFolder, fold }: StatesLocation,
  damaged: readonly DamagedCheckpoint[],
): Promise<void> {
  const access = createFileAccess(join(stateFolder, stateFolderName(fold)));
  await new CheckpointFolder(access).remove(damaged.map(({ name }) => name));
}

/** The number of records read, and the first damage. */
async function checkOne(checkpoint: ReadCheckpoint, course: Course) {
  const { name, slot, rules } = checkpoint;
  const opened = openRecords(createFileAccess(course.folder), { rules, maxSlot: slot });
  if (opened.kind === 'refused') return { records: 0, sentence: null, isComplete: true };
  const { store } = opened;
  try {
    if (opened.checkpoint?.slot !== slot) {
      return { records: 0, sentence: opened.passedOver.at(-1) ?? null, isComplete: true };
    }
    let records = 0;
    let sentence: string | null = null;
    for (const step of store.check(course.soundLeaves)) {
      if (step.kind === 'finding') {
        sentence ??= step.sentence;
        continue;
      }
      records = step.recordsChecked;
      course.onProgress?.(name, step);
      await nextTurn();
      if (course.isTimeOver?.() === true) return { records, sentence, isComplete: false };
    }
    return { records, sentence, isComplete: true };
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    return { records: 0, sentence: error.message, isComplete: true };
  } finally {
    store.close();
  }
}
