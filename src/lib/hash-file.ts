import { createHash } from 'node:crypto';
import { closeSync, fsyncSync, openSync, readSync, writeSync } from 'node:fs';

/** Large, because files are read from their beginning to their end. */
const PORTION_BYTES = 1_024 * 1_024;
const OWNER_ONLY = 0o600;

/** What a file contains. */
export interface FileContent {
  readonly bytes: number;
  /** SHA-256 as hex. */
  readonly sha256: string;
}

/** Reads a file and returns its size and hash. Errors are those of the operating system. */
export function hashFile(path: string): FileContent {
  return readPortions(path, () => undefined);
}

/**
 * Copies a file to a name that is unused, and makes it durable. Returns what was read. Errors are
 * those of the operating system.
 */
export function copyFile(from: string, to: string): FileContent {
  const target = openSync(to, 'wx', OWNER_ONLY);
  try {
    const content = readPortions(from, (portion) => writeFully(target, portion));
    fsyncSync(target);
    return content;
  } finally {
    closeSync(target);
  }
}

/** Makes a file, or the names in a folder, durable. */
export function syncPath(path: string): void {
  const opened = openSync(path, 'r');
  try {
    fsyncSync(opened);
  } finally {
    closeSync(opened);
  }
}

/**
 * Synchronous, because a data folder has thousands of small files and nothing else happens in the
 * process meanwhile.
 */
function readPortions(path: string, take: (portion: Uint8Array) => void): FileContent {
  const hash = createHash('sha256');
  const source = openSync(path, 'r');
  let bytes = 0;
  try {
    for (;;) {
      const length = readSync(source, buffer, 0, buffer.length, null);
      if (length === 0) break;
      const portion = buffer.subarray(0, length);
      hash.update(portion);
      take(portion);
      bytes += length;
    }
  } finally {
    closeSync(source);
  }
  return { bytes, sha256: hash.digest('hex') };
}

const buffer = Buffer.allocUnsafeSlow(PORTION_BYTES);

function writeFully(file: number, portion: Uint8Array): void {
  for (let written = 0; written < portion.length; ) {
    written += writeSync(file, portion, written);
  }
}
