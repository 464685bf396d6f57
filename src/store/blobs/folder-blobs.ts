import { randomUUID } from 'node:crypto';
import { createReadStream, existsSync, readdirSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { copyFile, type FileContent, syncPath } from '../../lib/hash-file.ts';
import { isSystemError } from '../../lib/transient-error.ts';
import { StoreError } from '../../model/errors.ts';
import { assertBlobKey, type BlobStore, isBlobKey, KEYS_MAX } from './blob-store.ts';
import { writeBlob } from './write-blob.ts';

const OWNER_ONLY = 0o700;
/** No key begins so: what a kill left is not listed. */
const UNFINISHED = '.unfinished-';

/** Blobs as files of a folder, such as one that several machines mount. */
export class FolderBlobs implements BlobStore {
  readonly name: string;
  private readonly path: string;

  constructor(path: string) {
    this.path = path;
    this.name = path;
  }

  async put(key: string, path: string, content: FileContent): Promise<void> {
    const file = this.fileOf(key);
    await this.orStoreError(async () => {
      await mkdir(dirname(file), { recursive: true, mode: OWNER_ONLY });
      const unfinished = join(dirname(file), `${UNFINISHED}${randomUUID()}`);
      try {
        if (copyFile(path, unfinished).sha256 !== content.sha256) {
          throw new StoreError(`The file ${path} changed while it was stored.`);
        }
        await rename(unfinished, file);
        syncPath(dirname(file));
      } finally {
        await rm(unfinished, { force: true });
      }
    });
  }

  async get(key: string, path: string, bytesMax: number): Promise<FileContent | null> {
    const file = this.fileOf(key);
    if (!existsSync(file)) return null;
    return this.orStoreError(() => writeBlob(path, createReadStream(file), bytesMax));
  }

  async list(prefix: string): Promise<readonly string[]> {
    if (!existsSync(this.path)) return [];
    return this.orStoreError(async () => {
      const entries = readdirSync(this.path, { recursive: true, withFileTypes: true });
      const keys = entries
        .filter((entry) => entry.isFile())
        .map((entry) =>
          relative(this.path, join(entry.parentPath, entry.name)).replaceAll(sep, '/'),
        )
        .filter((key) => isBlobKey(key) && key.startsWith(prefix));
      if (keys.length > KEYS_MAX) throw new StoreError(`${this.path} has too many files.`);
      return keys.sort();
    });
  }

  async delete(key: string): Promise<void> {
    const file = this.fileOf(key);
    await this.orStoreError(() => rm(file, { force: true }));
  }

  private fileOf(key: string): string {
    assertBlobKey(key);
    return join(this.path, key);
  }

  private async orStoreError<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      if (!isSystemError(error)) throw error;
      const message = `The folder of backups ${this.path} cannot be used (${error.message}): check its room and permissions.`;
      throw new StoreError(message, { cause: error });
    }
  }
}
