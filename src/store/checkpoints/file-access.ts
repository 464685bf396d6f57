import {
  closeSync,
  fsync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { syncPath } from '../../lib/hash-file.ts';
import { isSystemError } from '../../lib/transient-error.ts';

/** Bytes to read into or to write, and their position in the file. */
export interface FileSpan {
  readonly bytes: Uint8Array;
  readonly position: number;
}

/**
 * The files of one folder. All failures are those of the operating system. Reads and writes may
 * transfer fewer bytes than given and return how many.
 */
export interface FileAccess {
  /** Path of the folder, for messages. */
  readonly folder: string;
  /** Names in the folder; none if it does not exist yet. */
  list(): string[];
  /** Length of a file in bytes; null if it does not exist. */
  sizeOf(name: string): number | null;
  /** Opens a file for reading. */
  open(name: string): number;
  /**
   * Creates a file for reading and writing, and the folder with it, whose own name is made durable.
   * The name must be unused.
   */
  create(name: string): number;
  close(file: number): void;
  read(file: number, span: FileSpan): number;
  write(file: number, span: FileSpan): number;
  /** Makes everything durable that was written to a file before the call. */
  sync(file: number): Promise<void>;
  /** Makes created, renamed and removed names durable. */
  syncFolder(): Promise<void>;
  /** Replaces a file of the new name. */
  rename(from: string, to: string): void;
  /** Removes a file, if it exists. */
  remove(name: string): void;
}

/** The files of a folder on disk, which is created with the first file. */
export function createFileAccess(folder: string): FileAccess {
  return {
    folder,
    list: () => orMissing(() => readdirSync(folder)) ?? [],
    sizeOf: (name) => orMissing(() => statSync(join(folder, name)).size),
    open: (name) => openSync(join(folder, name), 'r'),
    create: (name) => {
      const created = mkdirSync(folder, { recursive: true, mode: 0o700 });
      if (created !== undefined) syncPath(dirname(created));
      return openSync(join(folder, name), 'wx+', 0o600);
    },
    close: closeSync,
    read: (file, { bytes, position }) => readSync(file, bytes, 0, bytes.length, position),
    write: (file, { bytes, position }) => writeSync(file, bytes, 0, bytes.length, position),
    // Read with each call, as the functions above are: tests replace them to plan faults.
    sync: (file) => promisify(fsync)(file),
    syncFolder: async () => {
      const handle = await open(folder, 'r');
      try {
        await handle.sync();
      } finally {
        await handle.close();
      }
    },
    rename: (from, to) => renameSync(join(folder, from), join(folder, to)),
    remove: (name) => rmSync(join(folder, name), { force: true }),
  };
}

/** Fills a span; returns false when the file ends before it is full. */
export function readFully(files: FileAccess, file: number, span: FileSpan): boolean {
  let size = 0;
  while (size < span.bytes.length) {
    const rest = { bytes: span.bytes.subarray(size), position: span.position + size };
    const read = files.read(file, rest);
    if (read === 0) return false;
    size += read;
  }
  return true;
}

function orMissing<Found>(find: () => Found): Found | null {
  try {
    return find();
  } catch (error) {
    if (isSystemError(error) && error.code === 'ENOENT') return null;
    throw error;
  }
}
