import { accessSync, constants, createReadStream, statSync } from 'node:fs';
import { UsageError } from '../model/errors.ts';

/**
 * Opens a file, or standard input if no file is given. Throws UsageError if the file cannot be
 * read.
 */
export function openInput(file: string | undefined): AsyncIterable<Uint8Array> {
  if (file === undefined) return process.stdin;
  const found = statSync(file, { throwIfNoEntry: false });
  if (found === undefined) throw new UsageError(`There is no file "${file}".`);
  if (found.isDirectory()) throw new UsageError(`"${file}" is a folder, not a file.`);
  try {
    accessSync(file, constants.R_OK);
  } catch (error) {
    throw new UsageError(`The file "${file}" cannot be read.`, { cause: error });
  }
  return createReadStream(file);
}
