import { mkdirSync, rmSync } from 'node:fs';
import { symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { hashFile } from '../../lib/hash-file.ts';
import { StoreError } from '../../model/errors.ts';
import { type BlobStore, BlobTooLarge } from '../blobs/blob-store.ts';
import {
  type BackedUpFile,
  type BackupManifest,
  MANIFEST_FILE,
  readManifest,
} from './backup-manifest.ts';
import type { ReadProgress } from './make-backup.ts';
import { PlaceUse, type PlaceUseOptions } from './place-use.ts';

/** What was stored of a backup. */
export interface PushedBackup {
  readonly key: string;
  /** Files that were not there already, and their bytes. */
  readonly files: number;
  readonly bytes: number;
}

/** Where manifests are. */
export const BACKUPS = 'backups/';
/** Where files are, by their hash. */
export const FILES = 'files/';
export const MANIFEST_BYTES_MAX = 512 * 1_024 * 1_024;
/** Older ones are not tried: they would have the same fault. */
const TRIED_MAX = 5;
const OWNER_ONLY = 0o700;

/** How often a backup is sent again because what it relied on may have been removed meanwhile. */
const SENDINGS_MAX = 5;

/** Called after each file that was sent, with files and bytes of all that must be. */
export type OnSent = (sent: ReadProgress) => void;

/** A signal ends it between two files. */
export interface PushOptions extends PlaceUseOptions {
  readonly onSent?: OnSent;
}

/**
 * Stores a backup that is in a folder. A file has its hash as key, so that only what is new since
 * earlier backups is sent, by whichever replica; the manifest comes last, so that a backup that was
 * interrupted is none. Nothing that it names is pruned meanwhile. Rejects with StoreError.
 */
export async function pushBackup(
  blobs: BlobStore,
  folder: string,
  manifest: BackupManifest,
  { onSent = () => undefined, ...options }: PushOptions = {},
): Promise<PushedBackup> {
  const { slot, created_at } = manifest;
  const time = created_at.replaceAll(/[^0-9]/g, '');
  const key = `${BACKUPS}${String(slot ?? 0).padStart(16, '0')}-${time}.json`;
  const path = join(folder, MANIFEST_FILE);
  let [files, bytes] = [0, 0];
  for (let sending = 1; sending <= SENDINGS_MAX; sending++) {
    const use = await PlaceUse.begin(blobs, 'writing', options);
    try {
      const sent = await sendFiles(blobs, folder, manifest, { ...options, onSent });
      files += sent.files;
      bytes += sent.bytes;
      await blobs.put(key, path, hashFile(path));
      // Stopped for so long that others took it for dead: what was there may have been removed.
      if (await use.isHeld()) return { key, files, bytes };
    } finally {
      await use.end();
    }
  }
  throw new StoreError(
    `Storing a backup in ${blobs.name} was interrupted ${SENDINGS_MAX} times: check the network, and try again.`,
    { isTransient: true },
  );
}

async function sendFiles(
  blobs: BlobStore,
  folder: string,
  { files }: BackupManifest,
  { onSent, signal }: Required<Pick<PushOptions, 'onSent'>> & Pick<PushOptions, 'signal'>,
): Promise<Pick<PushedBackup, 'files' | 'bytes'>> {
  const known = new Set(await blobs.list(FILES));
  const missing = new Map(
    files.map((file) => [fileKey(file), file] as const).filter(([key]) => !known.has(key)),
  );
  const bytesTotal = [...missing.values()].reduce((sum, file) => sum + file.bytes, 0);
  let [sent, bytes] = [0, 0];
  for (const [key, file] of missing) {
    if (signal?.aborted === true) throw new StoreError('Storing the backup was ended.');
    await blobs.put(key, join(folder, file.path), file);
    sent++;
    bytes += file.bytes;
    onSent({ files: sent, filesTotal: missing.size, bytes, bytesTotal });
  }
  return { files: sent, bytes };
}

/**
 * Fetches the newest backup that this version can restore and whose files are all as they were
 * stored, into a folder that does not exist. Null if there is no backup; `onRefused` receives why a
 * newer one was passed over. Rejects with StoreError, and leaves no folder then.
 */
export async function fetchBackup(
  blobs: BlobStore,
  { folder, version }: { readonly folder: string; readonly version: string },
  onRefused: (sentence: string) => void,
): Promise<BackupManifest | null> {
  const keys = (await blobs.list(BACKUPS)).toReversed().slice(0, TRIED_MAX);
  for (const key of keys) {
    mkdirSync(folder, { mode: OWNER_ONLY });
    try {
      return await fetchOne(blobs, key, { folder, version });
    } catch (error) {
      rmSync(folder, { recursive: true, force: true });
      if (!(error instanceof RefusedBackup)) throw error;
      onRefused(`The backup ${key} of ${blobs.name} is not used: ${error.message}`);
    }
  }
  if (keys.length === 0) return null;
  throw new StoreError(
    `None of the newest ${keys.length} backups of ${blobs.name} can be used: make another one with "mintscope backup --to-store" on a replica that runs.`,
  );
}

/** A backup that is left for an earlier one. */
class RefusedBackup extends Error {}

async function fetchOne(
  blobs: BlobStore,
  key: string,
  { folder, version }: { readonly folder: string; readonly version: string },
): Promise<BackupManifest> {
  if ((await blobs.get(key, join(folder, MANIFEST_FILE), MANIFEST_BYTES_MAX)) === null) {
    throw new RefusedBackup('it was removed meanwhile.');
  }
  const manifest = acceptedManifest(folder, version);
  for (const path of manifest.folders) mkdirSync(join(folder, path), { mode: OWNER_ONLY });
  for (const { path, target } of manifest.links) await symlink(target, join(folder, path));
  for (const file of manifest.files) await fetchFile(blobs, file, folder);
  return manifest;
}

function acceptedManifest(folder: string, version: string): BackupManifest {
  try {
    return readManifest(folder, version);
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    throw new RefusedBackup(error.message);
  }
}

async function fetchFile(blobs: BlobStore, file: BackedUpFile, folder: string): Promise<void> {
  const path = join(folder, file.path);
  mkdirSync(dirname(path), { recursive: true, mode: OWNER_ONLY });
  const content = await blobs.get(fileKey(file), path, file.bytes).catch((error: unknown) => {
    if (error instanceof BlobTooLarge) return undefined;
    throw error;
  });
  if (content === null) throw new RefusedBackup(`${file.path} is missing.`);
  if (content?.sha256 !== file.sha256) {
    throw new RefusedBackup(`${file.path} differs from what was stored.`);
  }
}

/** Where a file of a backup is. */
export function fileKey({ sha256 }: Pick<BackedUpFile, 'sha256'>): string {
  return `${FILES}${sha256}`;
}
