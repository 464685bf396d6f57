import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StoreError } from '../../model/errors.ts';
import { type BlobStore, BlobTooLarge } from '../blobs/blob-store.ts';
import { inScratch } from '../blobs/blob-texts.ts';
import {
  type BackedUpFile,
  type BackupManifest,
  MANIFEST_FILE,
  readManifest,
} from './backup-manifest.ts';
import { BACKUPS, FILES, fileKey, MANIFEST_BYTES_MAX } from './stored-backups.ts';

/** A stored backup, without what is in it. */
export interface ListedBackup {
  readonly key: string;
  /** Null if its description cannot be read. */
  readonly manifest: BackupManifest | null;
  /** Keys of files that it names and that are not there, or differ from what was stored. */
  readonly lost: readonly string[];
  /** Why it cannot be used; null for a whole one. */
  readonly problem: string | null;
}

export interface ListRequest {
  /** The version of this program. */
  readonly version: string;
  /** Only so many of the newest; all if omitted. */
  readonly newest?: number;
  /** Reads all files, each once, instead of looking whether they are there. */
  readonly isVerified?: boolean;
}

/** The stored backups, the newest first. Rejects with StoreError. */
export async function listBackups(
  blobs: BlobStore,
  { version, newest, isVerified = false }: ListRequest,
): Promise<readonly ListedBackup[]> {
  const keys = (await blobs.list(BACKUPS)).toReversed().slice(0, newest);
  const there = new Set(keys.length === 0 ? [] : await blobs.list(FILES));
  const isRight = isVerified ? rightness(blobs) : async () => true;
  const listed: ListedBackup[] = [];
  for (const key of keys) {
    const read = await readStored(blobs, key, version);
    // It was pruned meanwhile.
    if (read === null) continue;
    if (typeof read === 'string') {
      listed.push({ key, manifest: null, lost: [], problem: read });
      continue;
    }
    const lost: string[] = [];
    for (const file of read.files) {
      const isThere = there.has(fileKey(file)) && (await isRight(file));
      if (!isThere) lost.push(fileKey(file));
    }
    const problem = lost.length === 0 ? null : `${lost.length} of its files are missing or differ`;
    listed.push({ key, manifest: read, lost, problem });
  }
  return listed;
}

/** A description; a sentence if it is not what was written, null if it is not there. */
async function readStored(
  blobs: BlobStore,
  key: string,
  version: string,
): Promise<BackupManifest | string | null> {
  const folder = mkdtempSync(join(tmpdir(), 'mintscope-stored-'));
  try {
    const path = join(folder, MANIFEST_FILE);
    if ((await blobs.get(key, path, MANIFEST_BYTES_MAX)) === null) return null;
    return accepted(folder, version);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function accepted(folder: string, version: string): BackupManifest | string {
  try {
    return readManifest(folder, version);
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    return error.message;
  }
}

/** Tells whether a file is what was stored, reading each content once. */
function rightness(blobs: BlobStore): (file: BackedUpFile) => Promise<boolean> {
  const known = new Map<string, boolean>();
  return async (file) => {
    const key = fileKey(file);
    const before = known.get(key);
    if (before !== undefined) return before;
    const content = await inScratch((path) =>
      blobs.get(key, path, file.bytes).catch((error: unknown) => {
        if (error instanceof BlobTooLarge) return null;
        throw error;
      }),
    );
    const isRight = content?.sha256 === file.sha256;
    known.set(key, isRight);
    return isRight;
  };
}
