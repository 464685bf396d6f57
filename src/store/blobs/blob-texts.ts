import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hashFile } from '../../lib/hash-file.ts';
import type { BlobStore } from './blob-store.ts';

const OWNER_ONLY = 0o600;

/** Stores a short text. Rejects with StoreError. */
export function putText(blobs: BlobStore, key: string, text: string): Promise<void> {
  return inScratch(async (path) => {
    writeFileSync(path, text, { mode: OWNER_ONLY });
    await blobs.put(key, path, hashFile(path));
  });
}

/** The text of a blob; null if there is none. Rejects with StoreError, also if it is longer. */
export function getText(blobs: BlobStore, key: string, bytesMax: number): Promise<string | null> {
  return inScratch(async (path) => {
    const content = await blobs.get(key, path, bytesMax);
    return content === null ? null : readFileSync(path, 'utf8');
  });
}

/** Gives the work the name of a file that does not exist, in a folder of its own. */
export async function inScratch<Result>(work: (path: string) => Promise<Result>): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), 'mintscope-blob-'));
  try {
    return await work(join(folder, 'blob'));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
