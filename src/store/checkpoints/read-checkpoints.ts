import { join } from 'node:path';
import { isSystemError } from '../../lib/transient-error.ts';
import type { CheckpointHead } from '../../model/record-store.ts';
import { CheckpointFolder } from './checkpoint-folder.ts';
import { createFileAccess } from './file-access.ts';
import { stateFolderName } from './state-folders.ts';
import { orStoreError } from './store-failure.ts';

/** A checkpoint, and its file. */
export interface ReadCheckpoint extends CheckpointHead {
  readonly name: string;
}

/** The checkpoints of a fold, newest first, and the files that differ from what was written. */
export interface ReadCheckpoints {
  readonly checkpoints: readonly ReadCheckpoint[];
  readonly damaged: readonly string[];
}

/**
 * Reads the manifests of a fold's checkpoints, not their records. Changes nothing, and may be called
 * while another process writes: a manifest appears whole, and one that is removed meanwhile is left
 * out. Throws StoreError if files cannot be read.
 */
export function readCheckpoints(stateFolder: string, fold: number): ReadCheckpoints {
  const access = createFileAccess(join(stateFolder, stateFolderName(fold)));
  const folder = new CheckpointFolder(access);
  const checkpoints: ReadCheckpoint[] = [];
  const damaged: string[] = [];
  orStoreError('read', () => {
    for (const name of folder.names()) {
      const manifest = orRemoved(() => folder.read(name));
      if (manifest === null && access.sizeOf(name) !== null) damaged.push(name);
      if (manifest === null) continue;
      const { slot, blockhash, timeMs, rules } = manifest.description;
      checkpoints.push({ name, slot, blockhash, timeMs, rules, head: manifest.head });
    }
  });
  return { checkpoints, damaged };
}

function orRemoved<Content>(read: () => Content): Content | null {
  try {
    return read();
  } catch (error) {
    if (isSystemError(error) && error.code === 'ENOENT') return null;
    throw error;
  }
}
