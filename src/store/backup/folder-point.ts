import { DatabaseSync } from 'node:sqlite';
import { StoreError } from '../../model/errors.ts';
import { CursorTable } from '../control/cursor.ts';
import { metaTexts } from '../control/meta-texts.ts';
import { readableLocationOf } from '../control/read-cursor.ts';
import { WriterFence } from '../control/writer-fence.ts';
import { LOG_START_NAME } from '../log-start.ts';

/** How long to wait for a write of the service. */
const BUSY_TIMEOUT_MS = 5_000;

/** What a data folder is a folder of, at one moment. */
export interface FolderPoint {
  /** Number of the current fold, whose checkpoints are the valid ones. */
  readonly fold: number;
  /** Derived rows are complete up to this slot; null before the first. */
  readonly slot: number | null;
  /** Two layers of rows are being merged into one. */
  readonly isMerging: boolean;
  /**
   * Which rows are visible, who writes, and what was removed. Rows and files of two moments fit
   * together as those of a killed process do if this is equal at both.
   */
  readonly generation: string;
}

/** Opens a database for reading, also beside a service. Errors are those of SQLite. */
export function openReadOnly(file: string): DatabaseSync {
  return new DatabaseSync(readableLocationOf(file), { readOnly: true, timeout: BUSY_TIMEOUT_MS });
}

/** Reads it from a control database, also beside a service. Throws StoreError. */
export function readFolderPoint(controlFile: string): FolderPoint {
  try {
    using database = openReadOnly(controlFile);
    const {
      epoch,
      slot,
      isDirty,
      dirtyFrom = null,
      layers = null,
    } = new CursorTable(database).read();
    const writer = WriterFence.lastOf(database);
    const logStart = metaTexts(database).read(LOG_START_NAME);
    return {
      fold: epoch,
      slot,
      isMerging: layers !== null && layers.base !== null,
      generation: JSON.stringify([writer, logStart, epoch, isDirty, dirtyFrom, layers]),
    };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new StoreError(
      `The database ${controlFile} cannot be read (${reason}): use the version of Mintscope that ` +
        'wrote it, or start a service of this version on the folder first, which migrates it.',
      { cause: error },
    );
  }
}
