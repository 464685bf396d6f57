import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { StoreError } from '../../model/errors.ts';
import { type Cursor, CursorTable } from './cursor.ts';

/** How long to wait for a write of another process. */
const BUSY_TIMEOUT_MS = 5_000;

/**
 * Reads the cursor of a control database without changing the file, also while another process
 * writes it. Throws StoreError if it cannot be read or another version wrote it.
 */
export function readCursor(controlFile: string): Cursor {
  try {
    using database = new DatabaseSync(readableLocationOf(controlFile), {
      readOnly: true,
      timeout: BUSY_TIMEOUT_MS,
    });
    return new CursorTable(database).read();
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const reason = `cannot be read (${error.message})`;
    const remedy = 'start a service of this version on the folder, which migrates or repairs it';
    throw new StoreError(`The database ${controlFile} ${reason}: ${remedy}.`, { cause: error });
  }
}

/**
 * Where to open a database for reading. Without a write-ahead log nobody has it open: opening it as
 * one that may change would create the log's files.
 */
export function readableLocationOf(file: string): URL {
  const url = pathToFileURL(file);
  return existsSync(`${file}-wal`) ? url : new URL(`${url.href}?immutable=1`);
}
