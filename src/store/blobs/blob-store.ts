import type { FileContent } from '../../lib/hash-file.ts';
import { StoreError } from '../../model/errors.ts';

/** A place for files under keys, which other machines reach too. Every method rejects with StoreError. */
export interface BlobStore {
  /** For messages; without secrets. */
  readonly name: string;
  /** Stores a file, whole or not at all. `content` is what it contains. */
  put(key: string, path: string, content: FileContent): Promise<void>;
  /**
   * Writes a blob into a new file, and returns what it contains; null if there is none. Refuses one
   * of more bytes, and leaves no file then.
   */
  get(key: string, path: string, bytesMax: number): Promise<FileContent | null>;
  /** All keys that begin like this, in order. */
  list(prefix: string): Promise<readonly string[]>;
  delete(key: string): Promise<void>;
}

/** A blob has more bytes than it may have. */
export class BlobTooLarge extends StoreError {}

/** More are not listed: a place with so many has something else in it. */
export const KEYS_MAX = 1_000_000;

const KEY = /^[a-z0-9][a-z0-9.-]*(\/[a-z0-9][a-z0-9.-]*){0,3}$/;

/** Whether a key can be one of ours: parts of small letters, digits, points and hyphens. */
export function isBlobKey(key: string): boolean {
  return key.length <= 256 && KEY.test(key);
}

export function assertBlobKey(key: string): void {
  if (!isBlobKey(key)) throw new RangeError(`${JSON.stringify(key)} is no key of a blob`);
}
