import {
  existsSync,
  lstatSync,
  mkdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  statfsSync,
  symlinkSync,
} from 'node:fs';
import { join, relative } from 'node:path';
import { copyFile, type FileContent, hashFile, syncPath } from '../../lib/hash-file.ts';
import { makeFolder } from '../../lib/make-folder.ts';
import { isSystemError } from '../../lib/transient-error.ts';
import { StoreError } from '../../model/errors.ts';
import { CONTROL_MIGRATIONS } from '../control/control-migrations.ts';
import { dataFolderAt } from '../data-folder.ts';
import { refuseUnknownDatabase } from '../sqlite/refuse-unknown-database.ts';
import { type BackedUpFile, type BackupManifest, readManifest } from './backup-manifest.ts';
import { assertEmptyTarget } from './empty-target.ts';
import type { ReadProgress } from './make-backup.ts';

export interface RestoreRequest {
  readonly backup: string;
  /** The new data folder: empty, or it does not exist. */
  readonly dataDir: string;
  /** The version of this program. */
  readonly version: string;
  /** The backup is a folder within the new data folder, and its files are moved. */
  readonly isMoved?: boolean;
}

/** Restored files are here until all of them are there. A service refuses such a folder. */
const RESTORING_FOLDER = 'restoring';

/**
 * Reads a whole backup and compares it with its manifest. Throws StoreError if it is truncated or
 * altered, or a newer version made it.
 */
export function verifyBackup(
  { backup, version }: Omit<RestoreRequest, 'dataDir'>,
  onRead?: (read: ReadProgress) => void,
): BackupManifest {
  const manifest = acceptedManifest(backup, version);
  readFiles(manifest, ({ path }) => hashFile(join(backup, path)), { backup, onRead });
  return manifest;
}

/**
 * Restores a backup into a new data folder, comparing every file with the manifest. The folder holds
 * all of it afterwards, or nothing if something was refused. Throws StoreError.
 */
export function restoreBackup(
  { backup, dataDir, version, isMoved = false }: RestoreRequest,
  onRead?: (read: ReadProgress) => void,
): BackupManifest {
  const manifest = acceptedManifest(backup, version);
  const allowed = isMoved ? relative(dataDir, backup) : undefined;
  assertEmptyTarget(dataDir, 'The backup is restored into', allowed);
  const restoring = join(dataDir, RESTORING_FOLDER);
  try {
    makeFolder(dataDir, OWNER_ONLY);
    if (!isMoved) assertSpace(dataDir, manifest);
    mkdirSync(restoring, { mode: OWNER_ONLY });
    for (const path of manifest.folders) mkdirSync(join(restoring, path), { mode: OWNER_ONLY });
    for (const { path, target } of manifest.links) symlinkSync(target, join(restoring, path));
    const take = isMoved ? moveFile : copyFile;
    const read = ({ path }: BackedUpFile) => take(join(backup, path), join(restoring, path));
    readFiles(manifest, read, { backup, onRead });
    syncFolders(restoring, manifest);
  } catch (error) {
    rmSync(restoring, { recursive: true, force: true });
    if (!isSystemError(error)) throw error;
    throw new StoreError(
      `The backup cannot be restored into ${dataDir} (${error.message}): name a folder with room ` +
        'and rights to write.',
      { cause: error },
    );
  }
  moveUp(manifest, restoring, dataDir);
  return manifest;
}

function moveFile(from: string, to: string): FileContent {
  const content = hashFile(from);
  renameSync(from, to);
  return content;
}

/** The manifest of a backup all of whose files are there. Throws StoreError. */
function acceptedManifest(backup: string, version: string): BackupManifest {
  const manifest = readManifest(backup, version);
  for (const { path, bytes } of manifest.files) {
    const file = lstatSync(join(backup, path), { throwIfNoEntry: false });
    if (file?.isFile() !== true) throw truncated(backup, `${path} is missing`);
    if (file.size !== bytes) {
      throw truncated(backup, `${path} has ${file.size} bytes instead of ${bytes}`);
    }
  }
  refuseUnknownDatabase(dataFolderAt(backup).controlFile, CONTROL_MIGRATIONS);
  return manifest;
}

function truncated(backup: string, what: string): StoreError {
  return new StoreError(
    `The backup ${backup} is not complete (${what}): restore another backup, or copy this one again ` +
      'from where it was made.',
  );
}

function assertSpace(dataDir: string, { files }: BackupManifest): void {
  const { bavail, bsize } = statfsSync(dataDir);
  const neededBytes = files.reduce((sum, { bytes }) => sum + bytes, 0);
  if (bavail * bsize >= neededBytes) return;
  const [needed, free] = [neededBytes, bavail * bsize].map((bytes) => (bytes / 1e9).toFixed(1));
  throw new StoreError(
    `The backup needs ${needed} GB and ${dataDir} has ${free} GB left: make room, or name a folder ` +
      'on another device.',
  );
}

interface Reading {
  readonly backup: string;
  readonly onRead: ((read: ReadProgress) => void) | undefined;
}

function readFiles(
  { files }: BackupManifest,
  read: (file: BackedUpFile) => FileContent,
  { backup, onRead }: Reading,
): void {
  const bytesTotal = files.reduce((sum, { bytes }) => sum + bytes, 0);
  let bytes = 0;
  for (const [index, file] of files.entries()) {
    const content = read(file);
    if (content.sha256 !== file.sha256) {
      throw new StoreError(
        `The backup ${backup} was altered or is damaged (${file.path} differs from its checksum): ` +
          'restore another backup, or copy this one again from where it was made.',
      );
    }
    bytes += content.bytes;
    onRead?.({ files: index + 1, filesTotal: files.length, bytes, bytesTotal });
  }
}

/** The control database comes last: without it a folder does not count as a data folder. */
function moveUp(
  { files, links, folders }: BackupManifest,
  restoring: string,
  dataDir: string,
): void {
  const paths = [...files, ...links].map(({ path }) => path).concat(folders);
  const { controlFile } = dataFolderAt('');
  const names = new Set(paths.map((path) => path.split('/', 1)[0] ?? path));
  names.delete(controlFile);
  for (const name of [...names, controlFile]) {
    if (existsSync(join(restoring, name))) renameSync(join(restoring, name), join(dataDir, name));
  }
  rmdirSync(restoring);
  syncPath(dataDir);
}

function syncFolders(restoring: string, { folders }: BackupManifest): void {
  for (const path of folders) syncPath(join(restoring, path));
  syncPath(restoring);
}

const OWNER_ONLY = 0o700;
